"""Results that the judge looks at for a property: they travel as `look.0`, `look.1` ...

What they show is computed outside, from the numbers: a program that says of itself that its rows
are unique proves nothing. A result that is not what the probe looks at is described as it is, as
`out`, and the judge finds the words; nobody is accused of the look.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from quizzes.grader.case import Case, count_looks
from quizzes.grader.inside.describe import Leaf, describe, is_tensor

MOST_NUMBERS = 1 << 20  # in all parts together: 8 MB in float64, half of what a frame may hold


def send_looks(case: Case, result: Any, parts: Sequence[Any]) -> list[Leaf]:
    """The parts as `look.0`, `look.1` ...; else `result` itself, as `out`.

    It is that where the number of parts is not the probe's, where one holds no real numbers, and
    where they are more than MOST_NUMBERS together.
    """
    if len(parts) != count_looks(case) or not all(map(_holds_real_numbers, parts)):
        return describe("out", result)
    if sum(map(_count_numbers, parts)) > MOST_NUMBERS:
        return describe("out", result)
    return [leaf for place, part in enumerate(parts) for leaf in describe(f"look.{place}", part)]


def _holds_real_numbers(value: Any) -> bool:
    if is_tensor(value):
        return bool(value.numel() > 0 and not value.is_complex())
    return isinstance(value, np.ndarray) and bool(value.size) and value.dtype.kind in "biuf"


def _count_numbers(value: Any) -> int:
    return int(value.numel() if is_tensor(value) else value.size)
