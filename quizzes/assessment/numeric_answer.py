"""Questions whose answer is a number: what is right, what is said to it, which mistakes are known.

Stored as JSON with the fields of `answer:` in question.yaml: value, within or plus_minus, unit,
reason, near. A near miss is a number that a known mistake gives.
"""

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from quizzes.assessment.number_parser import read_number

WITHIN = 0.01  # of the value, when the author says nothing
MAX_UNIT = 40  # characters
_NUMERAL = re.compile(r"[-+−]?[0-9.,\s]+(?:[eE][-+−]?[0-9]+)?")
SHARE_OF_A_MISS = 0.5  # a near miss is recognised within half of the interval around the key


@dataclass(frozen=True)
class NearMiss:
    """A wrong number that tells a mistake. `mistake` is "<exercise>/<known mistake>" or ""."""

    value: float
    reason: str
    mistake: str


@dataclass(frozen=True)
class NumericAnswer:
    """The right number `value`, written `text` by its author; off by `tolerance` is right too."""

    text: str
    value: float
    tolerance: float
    unit: str
    reason: str
    near: tuple[NearMiss, ...]

    def accepts(self, number: float) -> bool:
        """Say whether a number counts as right; the ends of the interval do."""
        slack = 1e-12 * max(abs(self.value), self.tolerance)  # 0.3 is not 0.1 + 0.2
        return abs(number - self.value) <= self.tolerance + slack

    def near_miss(self, number: float) -> NearMiss | None:
        """Return the known mistake that a wrong number comes from."""
        if self.accepts(number):
            return None
        reach = SHARE_OF_A_MISS * self.tolerance
        found = [miss for miss in self.near if abs(number - miss.value) <= reach]
        return min(found, key=lambda miss: abs(number - miss.value), default=None)

    @property
    def interval(self) -> str:
        """Return the accepted numbers in words: "18.78 to 19.16"."""
        if not self.tolerance:
            return f"exactly {plain(self.value)}"
        low, high = self.value - self.tolerance, self.value + self.tolerance
        return f"{plain(low)} to {plain(high)}"


def answer_from_json(stored: Mapping[str, Any]) -> NumericAnswer:
    """Return a stored answer. Raises NotANumberError, a ValueError, for what was never checked."""
    value = read_number(str(stored["value"]))
    return NumericAnswer(
        text=str(stored["value"]),
        value=value,
        tolerance=tolerance_of(stored, value),
        unit=str(stored.get("unit", "")),
        reason=str(stored["reason"]),
        near=tuple(
            NearMiss(
                read_number(str(miss["value"])), str(miss["reason"]), str(miss.get("mistake", ""))
            )
            for miss in stored.get("near", ())
        ),
    )


def tolerance_of(stored: Mapping[str, Any], value: float) -> float:
    """Return how far from the value an answer may be: `plus_minus`, or `within` of the value."""
    if stored.get("plus_minus") is not None:
        return float(stored["plus_minus"])
    within = stored.get("within")
    return (WITHIN if within is None else float(within)) * abs(value)


def read_as(typed: str, number: float) -> str:
    """Return how a page repeats a number that was typed; "" where it would repeat each sign.

    A numeral is repeated in full, so that nobody takes 0,123456 for what it was rounded to; what
    was computed (2*pi/3) is repeated to five digits.
    """
    shown = plain(number)
    if _NUMERAL.fullmatch(typed) and read_number(shown) != number:
        shown = repr(number).replace("-", "−")
    return "" if _signs(typed) == _signs(shown) else shown


def _signs(text: str) -> str:
    return "".join(text.split()).replace("−", "-").removeprefix("+")


def plain(number: float) -> str:
    """Return a number as people write it, to five digits: 0.0012, 18.78, 43 470."""
    if number == 0:
        return "0"
    size = math.floor(math.log10(abs(number)))
    if not -5 <= size < 12:
        return f"{number:.4g}"
    digits = f"{number:,.{max(0, 4 - size)}f}"
    if "." in digits:
        digits = digits.rstrip("0").rstrip(".")
    return digits.replace(",", "\N{THIN SPACE}").replace("-", "−")
