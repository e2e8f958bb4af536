"""Mamba, and models that mix its layers with attention.

Sources: the configuration and modelling classes of transformers 5.24.0, one module a model type.
"""

from __future__ import annotations

from collections.abc import Callable

from core.models.architecture import ModelFileError
from core.models.blocks.attention import gqa
from core.models.blocks.ends import embedding, pre_norms, rms
from core.models.blocks.feedforward import experts, glu, mlp, router
from core.models.blocks.mixers import mamba1, mamba2
from core.models.families.hybrid import BIASED, FULL, LINEAR, WORDS, indexed
from core.models.families.layers import DENSE, SPARSE, all_layers, listed
from core.models.families.mixture import LOCAL
from core.models.families.quirks import router_bias
from core.models.families.row import UNREAD, Family, Values, also, decoder, mixture, usual
from core.models.layout import (
    Block,
    Choice,
    Layout,
    Prefixed,
    Stack,
    View,
    Weight,
    by_case,
    linear,
    mlp_width,
    shown,
    size,
)


def _period(period: str, offset: str, inside: str, outside: str) -> Callable[[View], list[str]]:
    """Layers i with i mod period = offset are of one kind (Jamba)."""

    def select(v: View) -> list[str]:
        every, first = max(v.number(period), 1), v.number(offset)
        return [inside if i % every == first else outside for i in range(v.arch.layers)]

    return select


def _backbone(mixer: Block) -> Layout:
    """Mamba's own frame: a norm and a mixer a layer, and no MLP."""
    layers = Stack("layers", (rms("norm"), mixer))
    return (Prefixed("backbone.", (embedding("embeddings"), layers, rms("norm_f", term="final norm"))),)


def _mamba2_note(v: View) -> list[str]:
    inner, given = v.number("expand") * v.arch.hidden, v.arch.heads * v.arch.head_dim
    if inner == given:
        return []
    note = f"num_heads × head_dim is {given:,} and expand × hidden_size {inner:,}: they must be equal in Mamba-2, and"
    return [f"{note} transformers refuses such a file; it is counted as it stands."]


def _nemotron_pattern(values: Values) -> None:
    """The pattern decides the depth, whatever the file says beside it (M mamba, * attention, - MLP, E experts)."""
    kinds = values["layers_block_type"]
    if kinds is None:
        kinds = values["hybrid_override_pattern"]
    if kinds is None:
        kinds = ["M", "E", "*", "-"]
    if not isinstance(kinds, (list, str)) or not kinds:
        raise ModelFileError(f"the pattern of layers is {shown(kinds)}, and a list with one entry a layer is needed")
    values["layers_block_type"] = [WORDS.get(kind, kind) for kind in kinds]
    values["hybrid_override_pattern"] = None
    values["num_hidden_layers"] = len(kinds)
    further = values["mtp_layers_block_type"]
    if isinstance(further, (list, str)):
        values["mtp_layers_block_type"] = [WORDS.get(kind, kind) for kind in further]


def _latent(v: View) -> list[Weight]:
    """Nemotron 3 Super's experts work in a narrower space x, which one projection enters and one leaves."""
    if v.get("moe_latent_size") is None:
        return []
    x, bias = v.size("moe_latent_size", "x"), v.flag("mlp_bias")
    return [*linear("mixer.fc1_latent_proj", x, v.h, bias), *linear("mixer.fc2_latent_proj", v.h, x, bias)]


NEMOTRON = {
    LINEAR: (
        mamba2(
            "mixer",
            heads="mamba_num_heads",
            head="mamba_head_dim",
            groups="n_groups",
            state="ssm_state_size",
            kernel="conv_kernel",
            bias="use_bias",
            conv_bias="use_conv_bias",
        ),
    ),
    FULL: (gqa("mixer"),),
    "mlp": (mlp("mixer", ("up_proj", "down_proj"), bias="mlp_bias"),),
    "moe": (
        router("mixer.gate"),
        experts(
            "mixer.experts",
            gated=False,
            hidden=lambda v: v.h if v.get("moe_latent_size") is None else v.size("moe_latent_size", "x"),
        ),
        mlp(
            "mixer.shared_experts",
            ("up_proj", "down_proj"),
            bias="mlp_bias",
            width=size("moe_shared_expert_intermediate_size", "s"),
            term="shared experts",
            group="experts",
        ),
        Block("latent projections", "experts", _latent),
    ),
}


def _granite_experts(v: View) -> list[str]:
    return [SPARSE if v.number("num_experts") else DENSE] * v.arch.layers


JAMBA_NORMS = pre_norms("input_layernorm", "pre_ff_layernorm")


JAMBA_END = (rms("final_layernorm", term="final norm"),)


MAMBA2 = {
    "mamba_n_heads": 128,
    "mamba_n_groups": 1,
    "mamba_d_state": 256,
    "mamba_d_conv": 4,
    "mamba_expand": 2,
    "mamba_conv_bias": True,
    "mamba_proj_bias": False,
}


MAMBA1 = {
    "state_size": 16,
    "expand": 2,
    "conv_kernel": 4,
    "use_bias": False,
    "use_conv_bias": True,
    "time_step_rank": "auto",
}

FAMILIES = {
    "jamba": Family(
        decoder(
            Choice(
                _period("attn_layer_period", "attn_layer_offset", FULL, LINEAR),
                by_case(
                    {
                        FULL: (gqa(),),
                        LINEAR: (
                            mamba1(
                                "mamba",
                                ("mamba_expand", "mamba_d_state", "mamba_d_conv", "mamba_dt_rank"),
                                "mamba_proj_bias",
                                "mamba_conv_bias",
                                inner_norms=True,
                            ),
                        ),
                    }
                ),
            ),
            Choice(
                _period("expert_layer_period", "expert_layer_offset", SPARSE, DENSE),
                by_case(
                    {
                        DENSE: (glu("feed_forward"),),
                        SPARSE: (router("feed_forward.router"), experts("feed_forward.experts", mlp_width)),
                    }
                ),
            ),
            norms=JAMBA_NORMS,
            final=JAMBA_END,
        ),
        usual(4096, 32, 32, 8, None, 14336, 65536)
        | mixture(16, 2)
        | also(expert_layer_period=2, expert_layer_offset=1, attn_layer_period=8, attn_layer_offset=4)
        | also(mamba_d_state=16, mamba_d_conv=4, mamba_expand=2, mamba_dt_rank="auto", mamba_conv_bias=True)
        | also(mamba_proj_bias=False),
        spelled=LOCAL,
        class_name="JambaForCausalLM",
    ),
    "mamba": Family(
        _backbone(mamba1()),
        usual(768, 32, UNREAD, UNREAD, UNREAD, UNREAD, 50280, True, **MAMBA1),
        class_name="MambaForCausalLM",
    ),
    "falcon_mamba": Family(
        _backbone(mamba1()),
        usual(768, 32, UNREAD, UNREAD, UNREAD, UNREAD, 50280, True, **MAMBA1),
        class_name="FalconMambaForCausalLM",
    ),
    "mamba2": Family(
        _backbone(
            mamba2(
                "mixer",
                expand="expand",
                heads="num_attention_heads",
                groups="n_groups",
                state="state_size",
                kernel="conv_kernel",
                bias="use_bias",
                conv_bias="use_conv_bias",
            )
        ),
        usual(4096, 64, 128, UNREAD, 64, UNREAD, 32768, **{**MAMBA1, "state_size": 128}, n_groups=8),
        spelled={"num_attention_heads": ("num_heads",)},
        quirks=_mamba2_note,
        class_name="Mamba2ForCausalLM",
    ),
    "nemotron_h": Family(
        (
            Prefixed(
                "model.",
                (
                    embedding("embeddings"),
                    Stack(
                        "layers",
                        (rms("norm"), Choice(listed("layers_block_type", all_layers(FULL)), by_case(NEMOTRON))),
                    ),
                    rms("norm_f", term="final norm"),
                ),
            ),
        ),
        usual(4096, None, 32, 8, 128, 21504, 131072)
        | mixture(8, 2, 7688)
        | also(
            layers_block_type=None,
            hybrid_override_pattern=None,
            mtp_layers_block_type=None,
            mlp_bias=False,
            use_bias=False,
        )
        | also(use_conv_bias=True, ssm_state_size=128, mamba_num_heads=128, mamba_head_dim=64, n_groups=8)
        | also(conv_kernel=4, moe_shared_expert_intermediate_size=7688, moe_latent_size=None)
        | also(num_nextn_predict_layers=0),
        spelled={
            "num_experts": ("n_routed_experts", "num_local_experts"),
            "layers_block_type": ("layer_types",),
            "mtp_layers_block_type": ("mtp_hybrid_override_pattern",),
            "n_groups": ("mamba_n_groups",),
            "conv_kernel": ("mamba_d_conv",),
            "use_conv_bias": ("mamba_conv_bias",),
        },
        settle=_nemotron_pattern,
        quirks=router_bias,
        mtp="num_nextn_predict_layers",
        class_name="NemotronHForCausalLM",
    ),
    "bamba": Family(
        decoder(
            Choice(indexed("attn_layer_indices", FULL, LINEAR), by_case({FULL: (BIASED,), LINEAR: (mamba2("mamba"),)})),
            glu("feed_forward", bias="mlp_bias"),
            norms=JAMBA_NORMS,
            final=JAMBA_END,
        ),
        usual(4096, 32, 32, 8, None, 14336, 128000, attention_bias=False)
        | MAMBA2
        | also(mlp_bias=False, attn_layer_indices=None),
        class_name="BambaForCausalLM",
    ),
    "falcon_h1": Family(
        decoder(
            mamba2("mamba", inner="mamba_d_ssm", out_bias="projectors_bias", norm="mamba_rms_norm"),
            BIASED,
            glu("feed_forward", bias="mlp_bias"),
            norms=JAMBA_NORMS,
            final=JAMBA_END,
        ),
        usual(4096, 32, 32, 8, None, 14336, 128000, attention_bias=False)
        | MAMBA2
        | also(mlp_bias=False, mamba_d_ssm=1024, mamba_rms_norm=False, projectors_bias=False),
        class_name="FalconH1ForCausalLM",
    ),
    "granitemoehybrid": Family(
        decoder(
            Choice(
                listed("layer_types", all_layers(LINEAR), WORDS), by_case({FULL: (BIASED,), LINEAR: (mamba2("mamba"),)})
            ),
            Choice(
                _granite_experts,
                by_case(
                    {
                        DENSE: (),
                        SPARSE: (
                            router("block_sparse_moe.router"),
                            experts("block_sparse_moe.experts", mlp_width),
                        ),
                    }
                ),
            ),
            glu(
                "shared_mlp",
                ("", "", "output_linear"),
                fused="input_linear",
                width=size("shared_intermediate_size", "s"),
                term="shared MLP",
            ),
        ),
        usual(4096, 32, 32, None, None, 11008, 32000, attention_bias=False)
        | MAMBA2
        | mixture(8, 2)
        | also(shared_intermediate_size=1024, layer_types=None),
        spelled={**LOCAL, "layer_types": ("layers_block_type",)},
        class_name="GraniteMoeHybridForCausalLM",
    ),
}
