"""What a probe found out, as leaves: `fact.<name>` is judged, `seen.<name>` only shown.

Facts are whole numbers and booleans, the same for every right solution on every machine; what was
measured on the way (the largest change, a share) differs from run to run and is never compared.
"""

from __future__ import annotations

import math

import numpy as np

from quizzes.grader.inside.describe import Leaf, describe

DTYPES = ("float16", "bfloat16", "float32", "float64")


def fact(name: str, value: bool | int, seen: float | None = None) -> list[Leaf]:
    """One fact, with the number behind it where there is one."""
    leaves = describe(f"fact.{name}", np.asarray(value))
    if seen is not None and math.isfinite(seen):
        leaves += describe(f"seen.{name}", np.asarray(float(seen)))
    return leaves


def dtype_code(name: str) -> int:
    """The place of a dtype in DTYPES, -1 for every other."""
    return DTYPES.index(name) if name in DTYPES else -1
