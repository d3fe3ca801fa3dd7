"""Questions whose answer is a number: what is right, what is said to it, which mistakes are known.

Stored as JSON with the fields of `answer:` in question.yaml: value, within or plus_minus, unit,
reason, near. A near miss is a number that a known mistake gives.
"""

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from quizzes.assessment.number_parser import bare_number, read_number

WITHIN = 0.01  # of the value, when the author says nothing
MAX_UNIT = 40  # characters
_NUMERAL = re.compile(r"[-+]?[0-9.,\s]+(?:[eE][-+]?[0-9]+)?")
SHARE_OF_A_MISS = 0.5  # a near miss is recognised within half of the interval around the key
_DIGITS = {1: "one significant digit is", 2: "two significant digits are"}
_DIGITS |= {3: "three significant digits are", 4: "four significant digits are"}


@dataclass(frozen=True)
class NearMiss:
    """A wrong number that tells a mistake. `mistake` is "<exercise>/<known mistake>" or ""."""

    value: float
    reason: str
    mistake: str


@dataclass(frozen=True)
class NumericAnswer:
    """The right number `value`, written `text` by its author; off by `tolerance` is right too.

    `share`: the tolerance as a share of the value; None where the author gave it as a number.
    """

    text: str
    value: float
    tolerance: float
    share: float | None
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
    def exactness(self) -> str:
        """Say before the answer how exact it must be.

        The sentence is made of the share or of the author's plus_minus, never of the value, so that
        the value cannot be computed from it. Only that a count is whole does it say.
        """
        if not self.tolerance:
            return "Only the exact number is correct."
        if self.share is not None:
            percent, digits = plain(100 * self.share), enough_digits(self.share)
            enough = _DIGITS.get(digits, f"{digits} significant digits are")
            return f"An answer within {percent} % counts as right: {enough} enough."
        if self.is_whole:
            return "The answer is a whole number."
        return f"An answer that is off by up to {plain(self.tolerance)} counts as right."

    @property
    def is_whole(self) -> bool:
        """Whether it is a count: its tolerance, given as a number, holds no other whole number."""
        return self.share is None and self.tolerance < 0.5 and self.value.is_integer()

    @property
    def interval(self) -> str:
        """Return the accepted numbers in words: "18.78 to 19.16"."""
        if not self.tolerance:
            return f"exactly {plain(self.value)}"
        low, high = self.value - self.tolerance, self.value + self.tolerance
        return f"{plain(low)} to {plain(high)}"


def answer_from_json(stored: Mapping[str, Any]) -> NumericAnswer:
    """Return a stored answer. Raises NotANumberError, a ValueError, if it was never checked."""
    value = read_number(str(stored["value"]))
    return NumericAnswer(
        text=str(stored["value"]),
        value=value,
        tolerance=tolerance_of(stored, value),
        share=_share_of(stored),
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
    share = _share_of(stored)
    return float(stored["plus_minus"]) if share is None else share * abs(value)


def _share_of(stored: Mapping[str, Any]) -> float | None:
    """Return the share of the value that an answer may be off by; None with `plus_minus`."""
    if stored.get("plus_minus") is not None:
        return None
    within = stored.get("within")
    return WITHIN if within is None else float(within)


def enough_digits(share: float) -> int:
    """Return how many significant digits a number may be rounded to and stay within this share.

    Rounding to n digits moves a number by 5 units of the next digit: most, 5 / 10^n of it, just
    above a power of ten.
    """
    return max(1, math.ceil(1 - math.log10(2 * share) - 1e-9))


def read_as(typed: str, number: float, unit: str = "") -> str:
    """Return a typed number as a page repeats it; "" where it would repeat each character.

    A numeral is repeated in full, so that nobody takes 0,123456 for what it was rounded to; what
    was computed (2*pi/3) is repeated to five digits.
    """
    shown, typed = plain(number), bare_number(typed, unit)
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
