"""Attention: grouped queries, latent queries and keys, sinks, and the norms of queries and keys."""

from __future__ import annotations

from collections.abc import Iterator

from core.models.layout import Block, Flag, View, Weight, Width, hidden, linear, size, vector
from core.models.sizes import Size

QKVO = ("q_proj", "k_proj", "v_proj", "o_proj")


def query_heads(v: View) -> Size:
    """Number of query heads."""
    return v.q


def kv_heads(v: View) -> Size:
    """Number of key and value heads."""
    return v.k


def head_dim(v: View) -> Size:
    """Width of one head."""
    return v.d


def gqa(
    path: str = "self_attn",
    names: tuple[str, str, str, str] = QKVO,
    bias: Flag = False,
    out_bias: Flag = False,
    fused: str = "",
    gated: bool = False,
    width: Width = hidden,
    queries: Width = query_heads,
    keys: Width = kv_heads,
    dim: Width = head_dim,
    value_dim: Width | None = None,
    output: Width | None = None,
    values: bool = True,
    key_bias: Flag | None = None,
    term: str = "attention",
) -> Block:
    """h·q·d + 2·h·k·d + q·d·h: query, key, value and output projections; multi-head where k = q (Ainslie 2023).

    `fused` names one matrix for query, key and value; `gated` doubles the queries by an output gate; without
    `values` the keys serve as values; `output` is what the last matrix reads where that is not q·d; `key_bias`
    differs from `bias` in Whisper, whose keys have none.
    """

    def weights(v: View) -> Iterator[Weight]:
        h, d = width(v), dim(v)
        q, k = queries(v) * d, keys(v) * d
        o = keys(v) * value_dim(v) if value_dim else k
        out = output(v) if output else queries(v) * value_dim(v) if value_dim else q
        has_bias = v.flag(bias)
        if fused:
            yield from linear(f"{path}.{fused}", q + k + o, h, has_bias)
        else:
            yield from linear(f"{path}.{names[0]}", q * 2 if gated else q, h, has_bias)
            yield from linear(f"{path}.{names[1]}", k, h, has_bias if key_bias is None else v.flag(key_bias))
            if values:
                yield from linear(f"{path}.{names[2]}", o, h, has_bias)
        yield from linear(f"{path}.{names[3]}", h, out, v.flag(out_bias))

    return Block(term, "attention", weights)


def full_heads(
    path: str,
    fused: str,
    out: str,
    bias: Flag = True,
    out_bias: Flag | None = None,
    columns_first: bool = False,
    term: str = "attention",
) -> Block:
    """4·h²: one matrix of 3·h rows for query, key and value, one of h for the output, both as wide as the model.

    `columns_first` is the order in which GPT-2's Conv1D stores a matrix.
    """

    def weights(v: View) -> Iterator[Weight]:
        for name, rows, flag in ((fused, v.h * 3, bias), (out, v.h, bias if out_bias is None else out_bias)):
            yield Weight(f"{path}.{name}.weight", (v.h, rows) if columns_first else (rows, v.h))
            if v.flag(flag):
                yield vector(f"{path}.{name}.bias", rows)

    return Block(term, "attention", weights)


def qk_norm(
    names: tuple[str, str] = ("q_norm", "k_norm"),
    path: str = "self_attn",
    whole: bool = False,
    bias: bool = False,
    when: Flag = True,
    dim: Width = head_dim,
    keys: bool = True,
) -> Block:
    """Norms of queries and keys: 2·d over one head, or (q + k)·d over the whole projection where `whole`."""

    def weights(v: View) -> Iterator[Weight]:
        if not v.flag(when):
            return
        sizes = (v.q * v.d, v.k * v.d) if whole else (dim(v), dim(v))
        for name, width in zip(names[: 2 if keys else 1], sizes, strict=False):
            yield vector(f"{path}.{name}.weight", width)
            if bias:
                yield vector(f"{path}.{name}.bias", width)

    return Block("query and key norms", "norm", weights)


def sinks(path: str = "self_attn", when: Flag = True) -> Block:
    """One learned logit a query head, to which attention can go instead of to a token."""
    return Block("attention sinks", "attention", lambda v: [vector(f"{path}.sinks", v.q)] if v.flag(when) else [])


def mla(path: str = "self_attn", bias: Flag = False) -> Block:
    """Latent attention (DeepSeek-V2, 2024, section 2.1): queries through a rank r, or whole where r is null.

    h·r + r + r·q·(n + p) (or h·q·(n + p)), then h·(c + p) + c + c·q·(n + v) + q·v·h, with c the rank of keys and
    values, n and p the head's parts without and with rotary positions, v the value head.
    """

    def weights(v: View) -> Iterator[Weight]:
        c, n = v.size("kv_lora_rank", "c"), v.size("qk_nope_head_dim", "n")
        p, value = v.size("qk_rope_head_dim", "p"), v.size("v_head_dim", "v")
        has_bias = v.flag(bias)
        if v.get("q_lora_rank") is None:
            yield from linear(f"{path}.q_proj", v.q * (n + p), v.h)
        else:
            r = v.size("q_lora_rank", "r")
            yield from linear(f"{path}.q_a_proj", r, v.h, has_bias)
            yield vector(f"{path}.q_a_layernorm.weight", r)
            yield from linear(f"{path}.q_b_proj", v.q * (n + p), r)
        yield from linear(f"{path}.kv_a_proj_with_mqa", c + p, v.h, has_bias)
        yield vector(f"{path}.kv_a_layernorm.weight", c)
        yield from linear(f"{path}.kv_b_proj", v.q * (n + value), c)
        yield from linear(f"{path}.o_proj", v.h, v.q * value, has_bias)

    return Block("latent attention", "attention", weights)


def indexer(path: str = "self_attn.indexer") -> Block:
    """The indexer of sparse attention (DeepSeek-V3.2, 2025): r·n·t + h·t + 2·t + h·n, n heads of width t."""
    heads, dim = size("index_n_heads", "nᵢ"), size("index_head_dim", "t")

    def weights(v: View) -> Iterator[Weight]:
        n, t = heads(v), dim(v)
        yield from linear(f"{path}.wq_b", n * t, v.size("q_lora_rank", "r"))
        yield from linear(f"{path}.wk", t, v.h)
        yield vector(f"{path}.k_norm.weight", t)
        yield vector(f"{path}.k_norm.bias", t)
        yield from linear(f"{path}.weights_proj", n, v.h)

    return Block("sparse attention's indexer", "attention", weights)
