"""Looking at what a submission returned without accusing it of the look.

A probe's own sums are never the student's error: where a result is not what the probe can look at,
it is described as it is, and the judge finds the words.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from quizzes.grader.inside.calling import as_numbers
from quizzes.grader.inside.describe import Leaf, describe, is_tensor

MOST_NUMBERS = 1 << 18  # of a table or matrix that a probe looks at as a whole ...
MOST_LONG = 1024  # ... and along each of its last two axes: half a second, some megabytes


def look_at(
    result: Any, parts: Sequence[Any], look: Callable[..., list[Leaf] | None]
) -> list[Leaf]:
    """What `look` finds in the parts as float64 arrays; else the result itself, as `out`.

    It is that where a part holds no real numbers, where `look` returns None, and where it raises.
    An exception of a tensor class of the student's own comes back when the result is described.
    """
    leaves = None
    try:
        if all(map(_holds_real_numbers, parts)):
            leaves = look(*map(as_numbers, parts))
    except MemoryError:
        raise
    except Exception:  # noqa: S110 - it is told by what is described
        pass
    return describe("out", result) if leaves is None else leaves


def is_small(table: Any) -> bool:
    """Whether it is as small as something that is looked at as a whole has to be."""
    return bool(table.size <= MOST_NUMBERS and max(table.shape[-2:]) <= MOST_LONG)


def _holds_real_numbers(value: Any) -> bool:
    if is_tensor(value):
        return bool(value.numel() > 0 and not value.is_complex())
    return isinstance(value, np.ndarray) and bool(value.size) and value.dtype.kind in "biuf"
