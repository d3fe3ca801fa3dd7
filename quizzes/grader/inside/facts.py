"""What a probe found out that only this process can see: `fact.<name>`, beside it `seen.<name>`.

Facts are whole numbers and booleans, the same for every right solution on every machine; what was
measured on the way (how many tensors stay behind) is shown and never compared.
"""

from __future__ import annotations

import numpy as np

from quizzes.grader.inside.describe import Leaf, describe


def fact(name: str, value: bool | int, seen: float | None = None) -> list[Leaf]:
    """One fact, with the number behind it where there is one."""
    leaves = describe(f"fact.{name}", np.asarray(value))
    if seen is not None:
        leaves += describe(f"seen.{name}", np.asarray(float(seen)))
    return leaves
