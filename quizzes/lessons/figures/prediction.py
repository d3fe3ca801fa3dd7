"""What a reader predicted, and whether it comes true; the engine says so, not the author."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.utils.html import format_html
from django.utils.safestring import SafeString
from posenc.errors import ParameterError, QueryError
from posenc.parameters import WHOLE_NUMBER
from posenc.query import Selection
from posenc.wording import grouped, rounded

from quizzes.lessons.figures.address import compute
from quizzes.pages.markdown import render_inline

WITHIN_PERCENT = 20  # of the computed number, when the author says nothing else


@dataclass(frozen=True)
class Prediction:
    """One prediction in words; `text` is how an address has it."""

    text: str
    words: SafeString
    right: bool
    reason: SafeString


def predictions(options: Mapping[str, Any]) -> list[Prediction]:
    """Return the options a reader may choose from; they are numbered from 1."""
    return [
        Prediction(
            str(number),
            render_inline(str(one["text"])),
            bool(one.get("right")),
            render_inline(str(one["reason"])),
        )
        for number, one in enumerate(options.get("options") or (), start=1)
    ]


def read_prediction(options: Mapping[str, Any], after: Selection, text: str) -> Prediction:
    """Return the prediction a page's address holds. Raises QueryError."""
    drag = options.get("drag")
    if drag:
        return _dragged(drag, after, text)
    choices = predictions(options)
    for one in choices:
        if one.text == text:
            return one
    raise _refused(text, f"must be one of {', '.join(one.text for one in choices)}")


def _dragged(drag: Mapping[str, Any], after: Selection, text: str) -> Prediction:
    low, high = int(drag["low"]), int(drag["high"])
    if not WHOLE_NUMBER.fullmatch(text) or not low <= int(text) <= high:
        raise _refused(text, f"must be a whole number between {low} and {high}")
    true = float(compute(after).summary[str(drag["measure"])])
    share = int(drag.get("within_percent") or WITHIN_PERCENT) / 100
    right = abs(int(text) - true) <= max(share * abs(true), 0.5)
    label = str(drag["label"])
    words = format_html("{} {}", grouped(int(text)), label)
    computed = rounded(true, 6) if true >= 0 else f"−{rounded(-true, 6)}"
    reason = format_html("Computed: {} {}.", computed, label)
    return Prediction(str(int(text)), words, right, reason)


def _refused(text: str, expected: str) -> QueryError:
    return QueryError([ParameterError("predicted", text[:40], expected)])
