"""Expected beside got as a report prints them, with the numbers that differ marked.

Only texts of one layout are compared, number by number: of two shapes, or of an error beside an
array, no cell can be said to differ. What counts is what is printed.
"""

import re
from dataclasses import dataclass

from django.utils.html import conditional_escape, escape, format_html
from django.utils.safestring import SafeString, mark_safe

_NUMBER = re.compile(r"(?<![\w.])([-+]?(?:nan|inf|\d+(?:\.\d*)?(?:e[-+]?\d+)?)j?|True|False)(?!\w)")
MOST_NUMBERS = 5_000


@dataclass(frozen=True)
class MarkedSides:
    """Both texts as HTML, and how many of their numbers differ."""

    expected: SafeString
    got: SafeString
    differing: int
    total: int


def mark_difference(expected: str, got: str) -> MarkedSides | None:
    """Return both texts with differing numbers marked; None where they cannot be compared."""
    wanted, given = _NUMBER.split(expected), _NUMBER.split(got)
    if len(wanted) != len(given) or not 3 <= len(wanted) <= 2 * MOST_NUMBERS:
        return None
    if any(a.split() != b.split() for a, b in zip(wanted[::2], given[::2], strict=True)):
        return None
    pairs = zip(wanted[1::2], given[1::2], strict=True)
    differ = [_value(one) != _value(other) for one, other in pairs]
    if not any(differ):
        return None
    return MarkedSides(_marked(wanted, differ), _marked(given, differ), sum(differ), len(differ))


def _value(number: str) -> float | str:
    """Return printed text as a number, so that 0 equals -0; NaN and j as text."""
    try:
        return float(number) if number.lstrip("+-") != "nan" else "nan"
    except ValueError:
        return number


def _marked(parts: list[str], differ: list[bool]) -> SafeString:
    html = [conditional_escape(parts[0])]
    for number, rest, is_other in zip(parts[1::2], parts[2::2], differ, strict=True):
        html.append(format_html("<mark>{}</mark>", number) if is_other else escape(number))
        html.append(conditional_escape(rest))
    return mark_safe("".join(html))  # noqa: S308 -- escaped above, part by part
