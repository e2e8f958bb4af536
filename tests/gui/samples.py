"""Descriptions of charts to look at and to test the painter with. Figures by hand, from the lesson's sixteen bytes."""

from __future__ import annotations

from msgspec.structs import replace

from core.charts.description import Bar, Chart, Limit, Number, Segment, Tick

GB = 10**9
BANDS = (("parameters", "Parameters", 2), ("gradients", "Gradients", 2), ("optimizer", "Optimizer states", 12))


def ticks(step: int, count: int, unit: int = GB) -> tuple[Tick, ...]:
    """Ticks at 0, step, 2 step, …"""
    return tuple(Tick(step * at * unit, f"{step * at:,}") for at in range(count + 1))


def gigabytes(value: Number) -> str:
    """Three digits and the unit: enough for samples."""
    number = float(value) / GB
    if number >= 1000:
        return f"{number / 1000:.3g} TB"
    return f"{number:.3g} GB"


def items() -> Chart:
    """One parameter's sixteen bytes."""
    rows = (
        ("Weights", "bf16", "parameters", 2),
        ("Gradients", "bf16", "gradients", 2),
        ("Master copy", "fp32", "optimizer", 4),
        ("Momentum", "fp32", "optimizer", 4),
        ("Variance", "fp32", "optimizer", 4),
    )
    return Chart(
        name="items",
        title="One parameter, sixteen bytes",
        caption="Bytes that training keeps for each parameter, by item",
        unit="B",
        bars=tuple(Bar(n, (Segment(r, n, b, f"{b} B", n),), f"{b} B", note=f, key=n) for n, f, r, b in rows),
        limits=(),
        ticks=tuple(Tick(at, str(at)) for at in range(6)),
        maximum=5,
        break_at=None,
        spoken="Weights 2 bytes, gradients 2, master copy 4, momentum 4, variance 4: sixteen bytes a parameter.",
    )


def training() -> Chart:
    """Training against inference, 30 billion parameters, whole cards of 80 GB."""
    billion = 30
    train = tuple(Segment(r, n, b * billion * GB, f"{b * billion} GB", f"training.{r}") for r, n, b in BANDS)
    return Chart(
        name="training",
        title="Training against inference",
        caption="30 billion parameters, against whole cards of 80 GB",
        unit="GB",
        bars=(
            Bar("Training", train, "480 GB", note="16 B a parameter", key="training", over=True, chosen=True),
            Bar("Inference", (train[0],), "60 GB", note="2 B a parameter", key="inference"),
        ),
        limits=(Limit(80 * GB, "1 card"), Limit(480 * GB, "6 cards")),
        ticks=ticks(100, 5),
        maximum=500 * GB,
        break_at=None,
        spoken="Training keeps 480 GB, inference 60 GB; a card holds 80 GB.",
    )


def stages(params: int = 30, cards: int = 6, chosen: int = 0) -> Chart:
    """ZeRO stages 0 to 3 against one card of 80 GB."""
    notes = ("nothing sharded", "optimizer states sharded", "and gradients", "and parameters")
    bars = []
    for stage in range(4):
        sizes = [
            b * params * GB // (cards if stage >= least else 1)
            for (_, _, b), least in zip(BANDS, (3, 2, 1), strict=True)
        ]
        segments = tuple(
            Segment(r, n, size, gigabytes(size), f"stage{stage}.{r}")
            for (r, n, _), size in zip(BANDS, sizes, strict=True)
        )
        total = sum(sizes)
        over = total > 80 * GB
        text = gigabytes(total) + (f" · over by {gigabytes(total - 80 * GB)}" if over else " · fits")
        bars.append(Bar(f"Stage {stage}", segments, text, notes[stage], f"stage{stage}", over, stage == chosen))
    longest = max(bar.total for bar in bars)
    step = 100
    while longest > 5 * step * GB:
        step *= 2
    top = -(-longest // (step * GB)) * step
    return Chart(
        name="stages",
        title="Per card, by ZeRO stage",
        caption=f"{params} billion parameters on {cards} cards of 80 GB",
        unit="GB",
        bars=tuple(bars),
        limits=(Limit(80 * GB, "One card, 80 GB"),),
        ticks=ticks(step, top // step),
        maximum=top * GB,
        break_at=None,
        spoken="Stage 0 needs 480 GB a card, stage 3 80 GB.",
    )


def cluster(rows: int = 11) -> Chart:
    """Per card against the number of cards, stage 3."""
    bars = []
    for power in range(rows):
        n = 2**power
        sizes = [-(-b * 30 * GB // n) for _, _, b in BANDS]
        segments = tuple(
            Segment(r, name, size, gigabytes(size), f"n{n}.{r}")
            for (r, name, _), size in zip(BANDS, sizes, strict=True)
        )
        label = "1 card" if n == 1 else f"{n:,} cards"
        bars.append(Bar(label, segments, gigabytes(sum(sizes)), key=f"n{n}", over=sum(sizes) > 80 * GB, chosen=n == 8))
    return Chart(
        name="cluster",
        title="Per card, by number of cards",
        caption="30 billion parameters, ZeRO stage 3, against 80 GB",
        unit="GB",
        bars=tuple(bars),
        limits=(Limit(80 * GB, "One card, 80 GB"),),
        ticks=ticks(100, 5),
        maximum=500 * GB,
        break_at=None,
        spoken="From 480 GB on one card to 0.47 GB on 1,024.",
    )


def broken() -> Chart:
    """671 billion parameters against one card: bars broken."""
    bars = []
    for name, divisors in (
        ("Stage 0", (1, 1, 1)),
        ("Stage 1", (1, 1, 256)),
        ("Stage 2", (1, 256, 256)),
        ("Stage 3", (256,) * 3),
    ):
        sizes = [-(-b * 671 * GB // d) for (_, _, b), d in zip(BANDS, divisors, strict=True)]
        segments = tuple(
            Segment(r, n, size, gigabytes(size), f"{name}.{r}") for (r, n, _), size in zip(BANDS, sizes, strict=True)
        )
        bars.append(
            Bar(name, segments, gigabytes(sum(sizes)), key=name, over=sum(sizes) > 80 * GB, chosen=name == "Stage 3")
        )
    return Chart(
        name="stages",
        title="Per card, by ZeRO stage",
        caption="671 billion parameters on 256 cards of 80 GB",
        unit="GB",
        bars=tuple(bars),
        limits=(Limit(80 * GB, "One card, 80 GB"),),
        ticks=ticks(40, 4),
        maximum=200 * GB,
        break_at=160 * GB,
        spoken="Only stage 3 fits.",
    )


def extremes() -> Chart:
    """One bar ten thousand times another."""
    one = Segment("activations", "Activations", 48 * GB // 1000, "48 MB", "small")
    two = tuple(Segment(r, n, b * 30 * GB, f"{b * 30} GB", f"large.{r}") for r, n, b in BANDS)
    return Chart(
        name="extremes",
        title="One bar ten thousand times another",
        caption="A sliver stays visible and says what it is",
        unit="GB",
        bars=(Bar("Model states", two, "480 GB", key="large"), Bar("Activations", (one,), "48 MB", key="small")),
        limits=(Limit(80 * GB, "80 GB"),),
        ticks=ticks(100, 5),
        maximum=500 * GB,
        break_at=None,
        spoken="Model states 480 GB, activations 48 MB.",
    )


def longest() -> Chart:
    """Names, notes and values as long as they come, many limits."""
    rows = [
        (
            "Llama-3.1-Nemotron-Ultra-253B-v1 fine-tuned with LoRA rank 64",
            "all linear layers, base frozen in 4-bit NF4 blocks",
        ),
        ("DeepSeek-V3-0324 mixture of experts, 256 routed", "37 billion active of 671 billion"),
        ("Qwen3-235B-A22B-Instruct-2507-FP8", "block-scaled weights, bf16 gradients"),
    ]
    bars = []
    for at, (name, note) in enumerate(rows):
        segments = [Segment(r, n, b * (30 - 9 * at) * GB, f"{b * (30 - 9 * at)} GB", f"{at}.{r}") for r, n, b in BANDS]
        segments.append(Segment("activations", "Activations at the peak", 20 * GB, "20 GB", f"{at}.a"))
        segments.append(Segment("transient", "Gathered layers", 3 * GB, "3 GB", f"{at}.t"))
        total = sum(segment.value for segment in segments)
        bars.append(
            Bar(
                name, tuple(segments), f"{gigabytes(total)} · over by {gigabytes(total - 80 * GB)}", note, str(at), True
            )
        )
    return Chart(
        name="longest",
        title="A comparison of three scenarios with the longest names that anyone has given a model so far",
        caption="Peak memory of one card, with activations at micro-batch 4 and 8,192 tokens, in GB",
        unit="GB",
        bars=tuple(bars),
        limits=tuple(Limit(80 * n * GB, f"{n} card{'s' * (n > 1)}") for n in (1, 2, 3, 4, 5, 6)),
        ticks=ticks(50, 11),
        maximum=550 * GB,
        break_at=None,
        spoken="Three scenarios, all over one card.",
    )


def compared() -> Chart:
    """Against a pinned baseline: shorter, longer, the same, broken."""
    chart = stages(30, 8, chosen=2)
    ghosts = (480 * GB, 180 * GB, 100 * GB, 80 * GB)
    bars = tuple(replace(bar, ghost=ghost) for bar, ghost in zip(chart.bars, ghosts, strict=True))
    return replace(chart, name="compared", title="Against the pinned baseline", bars=bars)


def single() -> Chart:
    """One bar."""
    return replace(training(), name="single", title="What training keeps", bars=training().bars[:1], spoken="480 GB")


def empty() -> Chart:
    """Nothing to show."""
    return Chart(
        name="activations",
        title="Activations",
        caption="What the forward pass keeps for the backward pass",
        unit="GB",
        bars=(),
        limits=(),
        ticks=(),
        maximum=0,
        break_at=None,
        spoken="Activations need a model's shape. Choose a model, or drop its configuration file on the window.",
    )


SAMPLES = {
    maker.__name__: maker
    for maker in (items, training, stages, cluster, broken, extremes, longest, compared, single, empty)
}
