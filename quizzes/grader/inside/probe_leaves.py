"""What a probe sends beside results: facts of this process, and arrays for the judge to look at.

A program that says of itself that its rows are unique proves nothing. So whatever numbers can show
is computed outside: the probe sends the arrays as `look.0`, `look.1` ..., and the judge measures
them. A result that is not what the probe looks at is described as it is, as `out`, and the judge
finds the words; nobody is accused of the look.

Only what no array shows (how many numbers are trained, which tensors stay behind) is a fact,
`fact.<name>`, beside it `seen.<name>`. Facts are whole numbers and booleans, the same for every
right solution on every machine; what was measured on the way is shown and never compared. A report
marks them as what the code says of itself.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from quizzes.grader.inside.describe import Leaf, describe, is_tensor
from quizzes.grader.protocol.case import Case, count_looks

MOST_NUMBERS = 1 << 20  # in all parts together: 8 MB in float64, half of what a frame may hold


def fact(name: str, value: bool | int, seen: float | None = None) -> list[Leaf]:
    """Return one fact, with the number behind it where there is one."""
    leaves = describe(f"fact.{name}", np.asarray(value))
    if seen is not None:
        leaves += describe(f"seen.{name}", np.asarray(float(seen)))
    return leaves


def send_looks(case: Case, result: Any, parts: Sequence[Any]) -> list[Leaf]:
    """Return the parts as `look.0`, `look.1` ...; else `result` itself, as `out`.

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
