"""Number formats as the hardware has them: representable numbers, their neighbours, rounding and bit patterns.

fp16 and fp32 are numpy's, bf16 and the two fp8 formats ml_dtypes'; nothing here rounds a float by hand. Both libraries
are imported when a format is first used. Values leave this module as Python floats, which hold every number of every
format here exactly.

Sources: IEEE 754-2019 (fp16, fp32); Micikevicius et al. 2022, "FP8 formats for deep learning", table 1 (e4m3 has no
infinity and one NaN a sign; e5m2 is an IEEE format); bf16 is the upper half of fp32.
"""

from __future__ import annotations

import math
from fractions import Fraction
from functools import cache
from typing import TYPE_CHECKING, Any

import msgspec

from core.numbers import Number

if TYPE_CHECKING:
    import numpy as np

    Floats = np.ndarray[tuple[int], np.dtype[np.float64]]


class Format(msgspec.Struct, frozen=True):
    """A binary floating-point format: one sign bit, `exponent` bits and `fraction` bits.

    `kind` is the name of its type in numpy or ml_dtypes; `largest` its largest finite number.
    """

    name: str
    label: str
    exponent: int
    fraction: int
    kind: str
    largest: float

    @property
    def short(self) -> str:
        """The label without the family, where it has one: "e4m3"."""
        return self.label.rpartition(" ")[2]

    @property
    def bits(self) -> int:
        """Width in bits."""
        return 1 + self.exponent + self.fraction


FORMATS = (
    Format("fp16", "fp16", 5, 10, "float16", 65504.0),
    Format("bf16", "bf16", 8, 7, "bfloat16", (2 - 2.0**-7) * 2.0**127),
    Format("fp8-e4m3", "fp8 e4m3", 4, 3, "float8_e4m3fn", 448.0),
    Format("fp8-e5m2", "fp8 e5m2", 5, 2, "float8_e5m2", 57344.0),
    Format("fp32", "fp32", 8, 23, "float32", (2 - 2.0**-23) * 2.0**127),
)
_BY_NAME = {row.name: row for row in FORMATS}
FP32 = _BY_NAME["fp32"]


def number_format(name: str) -> Format:
    """The format of that name. Raises KeyError where there is none."""
    return _BY_NAME[name]


@cache
def scalar(name: str) -> Any:
    """The type of a format's numbers, from numpy or ml_dtypes."""
    import numpy as np

    kind = _BY_NAME[name].kind
    if hasattr(np, kind):
        return getattr(np, kind)
    import ml_dtypes

    return getattr(ml_dtypes, kind)


def step_from(name: str, value: float, up: bool) -> float:
    """The next representable number above or below one that is representable; infinity past the largest."""
    import numpy as np

    kind, end = scalar(name), _BY_NAME[name].largest
    end = end if up else -end
    if value == end:
        return math.inf if up else -math.inf
    with np.errstate(all="ignore"):
        return float(np.nextafter(kind(value), kind(end)))


def neighbours(name: str, value: float) -> tuple[float, float]:
    """The next representable numbers below and above a representable one."""
    return step_from(name, value, False), step_from(name, value, True)


def _cast(name: str, value: float) -> float:
    import numpy as np

    with np.errstate(all="ignore"):
        return float(scalar(name)(value))


def nearest(name: str, value: Number | float) -> float:
    """The representable number nearest to an exact one; a tie goes to the one whose last bit is 0.

    The library's own conversion is taken and compared with its neighbours exactly, since some conversions go by way of
    fp32 and round twice. Past the largest number a value becomes what the format makes of it: infinity, or nan.
    """
    start = _cast(name, float(value))
    if not math.isfinite(start):
        return start
    exact = Fraction(value)
    around = [start, *(other for other in neighbours(name, start) if math.isfinite(other))]
    return min(around, key=lambda one: (abs(Fraction(one) - exact), pattern(name, one) & 1))


def subtract(name: str, weight: float, update: float) -> float:
    """weight − update in the format's own arithmetic; both are representable in it."""
    import numpy as np

    kind = scalar(name)
    with np.errstate(all="ignore"):
        return float(kind(weight) - kind(update))


def add(name: str, weight: float, update: float) -> float:
    """weight + update in the format's own arithmetic; both are representable in it."""
    import numpy as np

    kind = scalar(name)
    with np.errstate(all="ignore"):
        return float(kind(weight) + kind(update))


def pattern(name: str, value: float) -> int:
    """The bit pattern of a representable number, as an unsigned integer."""
    import numpy as np

    one = np.array([value], dtype=scalar(name))
    return int(one.view(_unsigned(_BY_NAME[name]))[0])


def value_of(name: str, bits: int) -> float:
    """The number of a bit pattern; nan and infinities come as they are."""
    import numpy as np

    return float(np.array([bits], dtype=_unsigned(_BY_NAME[name])).view(scalar(name))[0])


def bit_groups(name: str, value: float) -> tuple[str, str, str]:
    """Sign, exponent and fraction of a representable number, as digits 0 and 1."""
    row = _BY_NAME[name]
    digits = f"{pattern(name, value):0{row.bits}b}"
    return digits[0], digits[1 : 1 + row.exponent], digits[1 + row.exponent :]


@cache
def grid(name: str) -> Floats:
    """Every finite number of a format of at most 16 bits once, in rising order (−0 is 0)."""
    import numpy as np

    row = _BY_NAME[name]
    assert row.bits <= 16, row
    every = np.arange(2**row.bits, dtype=np.uint32).astype(_unsigned(row)).view(scalar(name))
    with np.errstate(all="ignore"):
        values = every.astype(np.float64)
    return np.unique(values[np.isfinite(values)])


def _unsigned(row: Format) -> Any:
    import numpy as np

    return {8: np.uint8, 16: np.uint16, 32: np.uint32}[row.bits]
