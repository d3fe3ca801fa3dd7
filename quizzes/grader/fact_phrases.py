"""How words for a fact are put together: from what was expected, got and measured."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from quizzes.grader.verdict import Rung

HALF_DTYPES = ("float16", "bfloat16", "float32", "float64")  # as in inside/facts.py

Words = Callable[[int, int, float | None], str]  # expected, got, measured


@dataclass(frozen=True)
class FactWords:
    """`title`: the property when it holds. `measured`: what was seen. `fault`: why it does not."""

    rung: Rung
    title: str
    measured: Words
    fault: Words


def percent(share: float | None) -> str:
    """A share of one, small ones with one digit."""
    if share is None:
        return "not measured"
    return f"{100 * share:.1f} %" if share >= 0.001 else f"{100 * share:.1g} %"


def count(number: float | None) -> str:
    """A whole number, 0 where nothing was measured."""
    return str(int(number or 0))


def short(number: float | None) -> str:
    """Two digits."""
    return f"{number or 0:.2g}"


def dtype(code: int) -> str:
    """The name that a probe told by its number."""
    return HALF_DTYPES[code] if 0 <= code < len(HALF_DTYPES) else "another dtype"


def yes_no(yes: str, no: str) -> Words:
    """One of two, by what was got."""
    return lambda _expected, got, _seen: yes if got else no


def says(text: str) -> Words:
    """Words with `{expected}` and `{got}` in them, or without."""
    return lambda expected, got, _seen: text.format(expected=expected, got=got)


def seen(text: str, write: Callable[[float | None], str] = percent) -> Words:
    """Words with one `{}` for what was measured."""
    return lambda _expected, _got, seen: text.format(write(seen))
