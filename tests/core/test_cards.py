"""The catalogue of cards, against figures typed from their sources."""

from __future__ import annotations

import csv
import json
import re
import time
from pathlib import Path

import pytest

from core import cards as catalogue
from core.cards import Card, UnknownCard, capacity, card, cards

SHARED = Path(__file__).parents[2] / ".." / "shared" / "facts" / "cards.csv"
MIB = 2**20

# nvidia-smi's totals in MiB. The first seven from modal-labs/modal-client, pull request 2797; then
# NVIDIA/TensorRT-LLM issue 10278, vllm-project/vllm issue 7553, noonghunna/club-3090 issues 390 and 1229.
REPORTED_MIB = {
    "H100 SXM": 81_559,
    "A100 80GB SXM": 81_920,
    "A100 40GB SXM": 40_960,
    "A10": 23_028,
    "L40S": 46_068,
    "L4": 23_034,
    "T4": 15_360,
    "B200 SXM": 183_359,
    "RTX 4090": 24_564,
    "RTX 3090": 24_576,
    "RTX 5090": 32_607,
}

# As printed by the vendors: NVIDIA's Multi-Instance GPU user guide, and the tables of stas00/ml-engineering.
MARKETED_GB = {
    "H100 SXM": 80,
    "H100 NVL": 94,
    "H200 SXM": 141,
    "A100 40GB PCIe": 40,
    "B200 SXM": 180,
    "GB200 (per GPU)": 186,
    "A30": 24,
    "MI300X": 192,
    "MI355X": 288,
    "Gaudi 3": 128,
}

# Dense TFLOP/s from the table of stas00/ml-engineering, compute/accelerator/README.md.
TFLOPS_16BIT = {
    "A100 80GB SXM": 312,
    "H100 SXM": 989,
    "H100 PCIe": 756,
    "H200 SXM": 989,
    "B200 SXM": 2250,
    "GB300 (per GPU)": 2500,
    "L40S": 362,
    "TPU v5p": 459,
    "Trainium2": 667,
}


@pytest.mark.parametrize(("name", "mebibytes"), REPORTED_MIB.items())
def test_reported_memory(name: str, mebibytes: int) -> None:
    assert card(name).reported_bytes == mebibytes * MIB


@pytest.mark.parametrize(("name", "gigabytes"), MARKETED_GB.items())
def test_marketed_memory_is_decimal(name: str, gigabytes: int) -> None:
    assert card(name).marketed_bytes == gigabytes * 10**9


def test_marketed_memory_is_binary_where_the_vendor_prints_gib() -> None:
    assert card("TPU7x").marketed_bytes == 192 * 2**30  # Google Cloud documentation, tpu7x


@pytest.mark.parametrize(("name", "teraflops"), TFLOPS_16BIT.items())
def test_peaks_are_dense(name: str, teraflops: int) -> None:
    assert card(name).peak_16bit == teraflops * 10**12


def test_usable_memory() -> None:
    # PyTorch prints 79.19 GiB on an H100 (axolotl issue 2531) and 139.72 on an H200 (simplescaling/s1 issue 106).
    h100, h200 = card("H100 SXM").usable_bytes, card("H200 SXM").usable_bytes
    assert h100 is not None
    assert h200 is not None
    assert round(h100 / 2**30, 2) == 79.19
    assert round(h200 / 2**30, 2) == 139.72


def test_a_fraction_of_a_teraflop_stays_exact() -> None:
    assert card("V100 32GB").peak_fp32 == 15_700_000_000_000  # NVIDIA V100 datasheet, 15.7 TFLOP/s


@pytest.mark.parametrize("known", cards(), ids=lambda known: known.name)
def test_every_row_is_sound(known: Card) -> None:
    figures = ("marketed_bytes", "reported_bytes", "usable_bytes", "peak_16bit", "peak_fp8", "peak_fp32", "bandwidth")
    assert {name for name in figures if getattr(known, name) is not None} == set(known.sources)
    assert all(known.sources.values())
    assert card(known.name) is known
    assert all(card(alias) is known for alias in known.aliases)
    reported = known.reported_bytes or known.marketed_bytes
    # ECC takes a sixteenth at most, and binary gigabytes are 7.4 % more than decimal ones.
    assert 15 / 16 <= reported / known.marketed_bytes <= 2**30 / 10**9
    assert (known.usable_bytes or reported) <= reported
    if known.peak_16bit and known.peak_fp8:
        # A dense fp8 peak is at most twice the 16-bit one; vendors round both, the L40S's 733 over 362 the furthest.
        assert known.peak_16bit <= known.peak_fp8 <= 2.03 * known.peak_16bit


def test_names_are_unique() -> None:
    names = [name.casefold() for known in cards() for name in (known.name, *known.aliases)]
    assert len(names) == len(set(names))


def test_cells_without_a_figure_have_no_source() -> None:
    with catalogue.CATALOGUE.open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            for column in row:
                if column.endswith("_source") and not row[column]:
                    figure = column.removesuffix("_source").replace("bandwidth", "bandwidth_gb_s")
                    assert not row[figure], f"{row['name']}: {figure} has no source"


@pytest.mark.parametrize(
    ("said", "meant"),
    [
        ("h100", "H100 SXM"),
        ("H100 80GB", "H100 SXM"),
        ("H100 80 GB", "H100 SXM"),
        ("NVIDIA H100 80GB HBM3", "H100 SXM"),
        ("a100-80gb", "A100 80GB SXM"),
        ("NVIDIA A100-SXM4-40GB", "A100 40GB SXM"),
        ("pcie a100 80gb", "A100 80GB PCIe"),
        ("NVIDIA GeForce RTX 4090", "RTX 4090"),
        ("AMD Instinct MI300X", "MI300X"),
        ("b200", "B200 SXM"),
        ("pro 6000", "RTX PRO 6000 Blackwell"),
    ],
)
def test_names_are_taken_as_people_say_them(said: str, meant: str) -> None:
    assert card(said).name == meant


def test_an_ambiguous_name_is_refused_with_the_choices() -> None:
    with pytest.raises(UnknownCard) as caught:
        card("A100")
    assert str(caught.value) == (
        "'A100' could be A100 40GB SXM, A100 40GB PCIe, A100 80GB SXM or A100 80GB PCIe: name one"
    )


@pytest.mark.parametrize(("said", "near"), [("H1000", "H100"), ("MI300", "MI300X"), ("RTX 4900", "RTX 4090")])
def test_an_unknown_name_is_refused_with_what_is_near(said: str, near: str) -> None:
    with pytest.raises(UnknownCard, match=f"^'{said}' is no card of the catalogue; near it: .*{near}"):
        card(said)


@pytest.mark.parametrize("said", ["", "  ", "xyzzy", "NVIDIA", "💾", "x" * 10_000])
def test_nonsense_is_refused_in_one_short_sentence(said: str) -> None:
    with pytest.raises(UnknownCard) as caught:
        card(said)
    assert "\n" not in str(caught.value)
    assert len(str(caught.value)) < 200


def test_capacity_by_each_way_of_counting() -> None:
    h100 = card("H100 SXM")
    assert capacity(h100, "marketed") == 80_000_000_000
    assert capacity(h100, "reported") == 85_520_809_984  # 81,559 × 1,048,576; modal-client pull request 2797
    assert capacity(card("H100 NVL"), "usable") is None


def test_json_and_text_name_every_card_with_its_sources() -> None:
    rows = json.loads(catalogue.as_json())
    text = catalogue.as_text()
    assert [row["name"] for row in rows] == [known.name for known in cards()]
    for row in rows:
        assert re.search(rf"^{re.escape(row['name'])} \(", text, re.MULTILINE)
        assert all(source in text for source in row["sources"].values())
    assert next(row for row in rows if row["name"] == "H100 SXM")["reported_bytes"] == 85_520_809_984


def test_reading_the_catalogue_costs_next_to_nothing() -> None:
    def once() -> float:
        cards.cache_clear()
        started = time.perf_counter()
        cards()
        return time.perf_counter() - started

    assert min(once() for _ in range(5)) < 0.01  # measured at 1.3 ms; a slow machine may take longer


@pytest.mark.skipif(not SHARED.exists(), reason="the shared table is not beside this checkout")
def test_reported_bytes_agree_with_the_shared_table() -> None:
    with SHARED.open(encoding="utf-8", newline="") as file:
        table = {row["card"]: row for row in csv.DictReader(file)}
    compared = 0
    for known in cards():
        row = table.get(known.name)
        if row is None or not row["reported_bytes"] or known.reported_bytes is None:
            continue
        assert known.reported_bytes == int(row["reported_bytes"]), known.name
        assert known.marketed.split()[0] == row["marketed_gb"], known.name
        compared += 1
    assert compared >= 30
