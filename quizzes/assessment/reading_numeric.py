"""Reading the `answer:` of a numeric question, with every fault and its line."""

from collections.abc import Callable
from typing import Any

from quizzes.assessment.numerals import NotANumberError, read_number
from quizzes.assessment.numeric import tolerance_of
from quizzes.pages.fields import Fields
from quizzes.pages.markdown import markdown_faults
from quizzes.pages.source import Node

MAX_NEAR = 8
MAX_UNIT = 40
MAX_REASON = 4000


def read_answer(fields: Fields) -> dict[str, Any] | None:
    """Return the answer as it is stored, noting everything wrong with it; None when missing."""
    node = fields.take("answer")
    if node.value is None:
        return None
    inner = Fields(node, fields.faults)
    answer: dict[str, Any] = {"value": _numeral(inner, "value")}
    for name in ("within", "plus_minus"):
        size = _size(inner, name)
        if size is not None:
            answer[name] = size
    answer["unit"] = inner.text("unit", required=False, max_length=MAX_UNIT)
    answer["reason"] = _reason(inner)
    near = [_miss(item, fields) for item in inner.list("near", required=False)]
    if near:
        answer["near"] = near
    inner.done()
    _check(node, answer, fields)
    return answer


def _check(node: Node, answer: dict[str, Any], fields: Fields) -> None:
    """Note what is wrong with the numbers taken together."""
    say: Callable[[str], None] = lambda words: fields.faults.append(node.fault(words))  # noqa: E731
    if {"within", "plus_minus"} <= answer.keys():
        say("answer: give within (a share of the value) or plus_minus, not both")
    if len(answer.get("near", ())) > MAX_NEAR:
        say(f"answer: near: {len(answer['near'])}, at most {MAX_NEAR} are allowed")
    try:
        value = read_number(answer["value"])
        misses = [read_number(miss["value"]) for miss in answer.get("near", ())]
    except NotANumberError:
        return  # said already
    tolerance = tolerance_of(answer, value)
    if not value and "plus_minus" not in answer:
        say("answer: the value is 0: say plus_minus, a share of 0 is nothing")
    for miss in misses:
        if abs(miss - value) <= 1.5 * tolerance:
            say(f"answer: near: {miss:g} is not told apart from {value:g}: make the interval less")


def _numeral(fields: Fields, key: str) -> str:
    """Return a number as its author wrote it: 0.25, "1/4" or "2*pi"."""
    node = fields.take(key)
    if node.value is None:
        return ""
    text = str(node.value)
    try:
        read_number(text)
    except NotANumberError as error:
        fields.faults.append(node.fault(f"{key}: {text!r}: {error}"))
    return text


def _size(fields: Fields, key: str) -> float | None:
    node = fields.take(key, required=False)
    value = node.value
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, int | float) or value < 0:
        fields.faults.append(node.fault(f"{key}: {value!r}: must be a number, 0 or more"))
        return None
    return float(value)


def _reason(fields: Fields) -> str:
    text = fields.text("reason", max_length=MAX_REASON)
    node = fields.node.at("reason")
    fields.faults.extend(markdown_faults(text, path=node.path, first_line=node.line))
    return text


def _miss(node: Node, fields: Fields) -> dict[str, str]:
    inner = Fields(node, fields.faults)
    miss = {"value": _numeral(inner, "value"), "reason": _reason(inner)}
    mistake = read_mistake(inner)
    if mistake:
        miss["mistake"] = mistake
    inner.done()
    return miss


def read_mistake(fields: Fields) -> str:
    """Return the known mistake that an answer shows, "<exercise>/<variant>", "" when not said."""
    text = fields.text("mistake", required=False, max_length=170)
    exercise, _, variant = text.partition("/")
    if text and not (exercise and variant and "/" not in variant):
        words = f"mistake: {text!r}: must be <exercise>/<known mistake>"
        fields.faults.append(fields.node.at("mistake").fault(words))
    return text
