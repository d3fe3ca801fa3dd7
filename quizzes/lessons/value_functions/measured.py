"""Numbers that were measured once and are kept: those in the JSON files of experiments/."""

import json
from functools import cache
from pathlib import Path
from typing import Any

from posenc.errors import ParameterError

__all__ = ["measured_loss", "measured_rise"]

EXTRAPOLATION = Path(__file__).resolve().parents[3] / "experiments" / "extrapolation.json"


def measured_loss(*, encoding: str, length: int) -> float:
    """Return the loss of small models on texts of `length`, the median over the seeds."""
    found = _extrapolation()
    if encoding not in found["median_losses"]:
        known = ", ".join(found["median_losses"])
        raise ParameterError("encoding", encoding, f"must be one of {known}")
    if length not in found["lengths"]:
        known = ", ".join(map(str, found["lengths"]))
        raise ParameterError("length", length, f"must be one of {known}")
    return float(found["median_losses"][encoding][found["lengths"].index(length)])


def measured_rise(*, encoding: str, length: int) -> float:
    """Return how much larger `measured_loss` is than at the trained length."""
    trained = _extrapolation()["training"]["length"]
    return measured_loss(encoding=encoding, length=length) - measured_loss(
        encoding=encoding, length=trained
    )


@cache
def _extrapolation() -> dict[str, Any]:
    found: dict[str, Any] = json.loads(EXTRAPOLATION.read_text())
    return found
