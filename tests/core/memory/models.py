"""Models that the tests of this folder run: dimensions as their publishers print them."""

from __future__ import annotations

from core.models.dimensions import Dimensions

GPT2 = Dimensions("gpt2", 768, 12, 50257, 12, 12, 64, 3072, tied=True)
BERT_LARGE = Dimensions("bert", 1024, 24, 30522, 16, 16, 64, 4096, tied=True)
OPT = Dimensions("opt", 2048, 24, 50272, 32, 32, 64, 8192, tied=True)
PYTHIA = Dimensions("gpt_neox", 2048, 24, 50304, 16, 16, 128, 8192)
LLAMA_2_7B = Dimensions("llama", 4096, 32, 32000, 32, 32, 128, 11008)
LLAMA_3_8B = Dimensions("llama", 4096, 32, 128256, 32, 8, 128, 14336)
QWEN3_8B = Dimensions("qwen3", 4096, 36, 151936, 32, 8, 128, 12288)
PHI_3_MINI = Dimensions("phi3", 3072, 32, 32064, 32, 32, 96, 8192)
MIXTRAL = Dimensions("mixtral", 4096, 32, 32000, 32, 8, 128, 14336, 8, 2)
GEMMA_2B = Dimensions("gemma", 2048, 18, 256000, 8, 1, 256, 16384, tied=True)
GEMMA_2_2B = Dimensions("gemma2", 2304, 26, 256000, 8, 4, 256, 9216, tied=True)
GEMMA_3_1B = Dimensions("gemma3", 1152, 26, 262144, 4, 1, 256, 6912, tied=True)
