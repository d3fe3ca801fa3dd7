"""How far a number may be from the reference, and how that is said."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt


@dataclass(frozen=True)
class Tolerance:
    """A number passes within `atol + rtol * |expected| + relative_to_max * max|expected|`."""

    rtol: float = 0.0
    atol: float = 0.0
    relative_to_max: float = 0.0
    why: str = ""

    def allowed_error(self, expected: npt.NDArray[Any]) -> npt.NDArray[np.float64]:
        """Largest error that passes, per cell, in the shape of `expected`."""
        size = np.abs(np.where(np.isfinite(expected), expected, 0.0)).astype(np.float64)
        largest = float(size.max(initial=0.0))
        return np.asarray(self.atol + self.rtol * size + self.relative_to_max * largest)

    def __str__(self) -> str:
        parts = []
        if self.atol:
            parts.append(f"an absolute error of {self.atol:g}")
        if self.rtol:
            parts.append(f"a relative error of {self.rtol:g}")
        if self.relative_to_max:
            parts.append(f"{self.relative_to_max:g} of the largest expected number")
        return "allowed: " + " plus ".join(parts) if parts else "allowed: no error at all"
