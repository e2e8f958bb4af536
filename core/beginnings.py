"""Worked scenarios to begin from: one click, then change what differs."""

from __future__ import annotations

import msgspec

from core.scenario import Scenario, from_texts


class Beginning(msgspec.Struct, frozen=True):
    """A scenario by what a person would type, field by field."""

    name: str
    label: str
    about: str
    fields: dict[str, str]

    @property
    def scenario(self) -> Scenario:
        """The scenario that its texts make."""
        return from_texts(self.fields)


BEGINNINGS = (
    Beginning(
        "pretrain",
        "Pre-train",
        "Llama 3 70B on a cluster of 1,024 H100, everything shared out, layers computed again, 15 trillion tokens",
        {"model": "Llama 3 70B", "card": "H100 SXM", "cards": "1,024", "zero": "3", "seq_len": "8,192", "tokens": "15T",
         "recompute": "full", "reserve": "4 GiB"},
    ),
    Beginning(
        "finetune",
        "Fine-tune",
        "Llama 3 8B on one node of eight H100, everything shared out, 1 billion tokens",
        {"model": "Llama 3 8B", "card": "H100 SXM", "cards": "8", "zero": "3", "seq_len": "4,096", "tokens": "1B",
         "reserve": "4 GiB"},
    ),
    Beginning(
        "lora",
        "LoRA",
        "LoRA on one 24 GB card: Llama 3 8B frozen in 16 bits, adapters of rank 16 on every linear, 10 million tokens",
        {"model": "Llama 3 8B", "card": "RTX 4090", "lora_rank": "16", "recompute": "full", "seq_len": "2,048",
         "tokens": "10M", "reserve": "1 GiB"},
    ),
    Beginning(
        "lesson",
        "Lesson",
        "30 billion parameters at sixteen bytes each, on cards of 80 GB",
        {},
    ),
)  # fmt: skip
