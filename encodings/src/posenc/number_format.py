"""Numbers and nouns as people read them, for titles, findings and cards."""

import math
import re

NARROW_SPACE = "\u202f"  # groups thousands and never breaks a line
TIMES_TEN = "\u00a0×\u00a010"  # before a power; it never breaks a line either
_RAISED = "⁻⁰¹²³⁴⁵⁶⁷⁸⁹"
_UP, _DOWN = str.maketrans("-0123456789", _RAISED), str.maketrans(_RAISED, "−0123456789")
_POWER = re.compile(f"10([{_RAISED}]+)")


def grouped(number: float) -> str:
    """Return 45 000 for 45000: thousands in groups, no needless digit after the point.

    A number below 0.0001, or a fraction of more than ten digits, is written with a power of ten:
    9 × 10⁻¹⁴.
    """
    text = f"{number:,.0f}" if float(number).is_integer() else f"{number:,.10g}"
    digits, _, power = text.replace(",", NARROW_SPACE).partition("e")
    return f"{digits}{TIMES_TEN}{str(int(power)).translate(_UP)}" if power else digits


def spoken(text: str) -> str:
    """Return a text with its powers of ten in words: screen readers skip raised digits."""
    return _POWER.sub(lambda match: f"10 to the power {match[1].translate(_DOWN)}", text)


def rounded(number: float, digits: int = 3) -> str:
    """Return a positive number to `digits` significant digits, 43 500 rather than 4.35e+04."""
    if number == 0:
        return "0"
    return grouped(float(f"{number:.{digits}g}"))


def in_degrees(radians: float) -> str:
    """Return 1 as "57.3°", with enough digits for small angles."""
    return f"{float(f'{math.degrees(radians):.3g}'):.10f}".rstrip("0").rstrip(".") + "°"


def counted(number: int, noun: str) -> str:
    """Return "1 position" or "20 positions"."""
    return f"{grouped(number)} {noun}" if number == 1 else f"{grouped(number)} {noun}s"


def distances_to(last: int) -> str:
    """Return "distance 0 has" or "distances 0 to 7 have"."""
    return "distance 0 has" if last == 0 else f"distances 0 to {grouped(last)} have"


def run(noun: str, first: int, last: int, verb: str) -> str:
    """Return "pair 3 turns" or "pairs 3 to 7 turn"."""
    if first == last:
        return f"{noun} {first} {verb}s"
    return f"{noun}s {first} to {last} {verb}"
