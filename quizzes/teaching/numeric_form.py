"""The form of a question that asks for a number: from and to `answer:` of question.yaml."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.http import QueryDict

from quizzes.assessment.numerals import NotANumberError, read_number
from quizzes.assessment.reading_numeric import MAX_NEAR
from quizzes.teaching.fields import cleaned

BLANK_ANSWER: Mapping[str, Any] = {"value": "", "within": 0.01, "unit": "", "reason": ""}
BLANK_NUMERIC: Mapping[str, Any] = {
    "kind": "numeric",
    "prompt": "",
    "step": "",
    "tags": [],
    "keep_last": False,
    "answer": BLANK_ANSWER,
}
EMPTY_ROWS = 2
MEASURES = {"within": "share of the number", "plus_minus": "plus or minus"}
LABELS = {
    "value": "The number",
    "within": "How far off",
    "plus_minus": "How far off",
    "unit": "Unit",
    "reason": "Why it is right",
}


@dataclass(frozen=True)
class NearRow:
    """A wrong number that tells a mistake, as the form shows it."""

    number: int  # from 1, as people count
    value: str
    reason: str
    mistake: str


def read_answer(data: QueryDict) -> dict[str, Any]:
    """Return what the form holds as `answer:`; rows left empty are dropped."""
    measure = "plus_minus" if data.get("answer-measure") == "plus_minus" else "within"
    answer: dict[str, Any] = {"value": cleaned(data, "answer-value")}
    size = cleaned(data, "answer-size")
    if size:
        answer[measure] = _size(size)
    answer |= {"unit": cleaned(data, "answer-unit"), "reason": cleaned(data, "answer-reason")}
    near = []
    for number in range(1, MAX_NEAR + 1):
        value, reason = (
            cleaned(data, f"near-value-{number}"),
            cleaned(data, f"near-reason-{number}"),
        )
        mistake = cleaned(data, f"near-mistake-{number}")
        if value or reason:
            row = {"value": value, "reason": reason}
            near.append({**row, "mistake": mistake} if mistake else row)
    return {**answer, "near": near} if near else answer


def number_fields(content: Mapping[str, Any]) -> dict[str, Any]:
    """Return what the form of a number shows."""
    answer = content.get("answer") or BLANK_ANSWER
    measure = "plus_minus" if answer.get("plus_minus") is not None else "within"
    near = list(answer.get("near", ()))[:MAX_NEAR]
    near += [{}] * min(EMPTY_ROWS, MAX_NEAR - len(near))
    return {
        "answer": answer,
        "measure": measure,
        "measures": MEASURES,
        "size": answer.get(measure, ""),
        "near": [
            NearRow(number, one.get("value", ""), one.get("reason", ""), one.get("mistake", ""))
            for number, one in enumerate(near, start=1)
        ],
    }


def place_of(path: list[str]) -> tuple[str, str]:
    """Return the field of the form and its label for a fault below `answer`."""
    if path[:1] == ["near"] and len(path) > 1:
        number = int(path[1]) + 1
        part = path[2] if len(path) > 2 else "value"
        return f"near-{part}-{number}", f"Wrong number {number}"
    name = path[0] if path else "value"
    field = "size" if name in MEASURES else name
    return f"answer-{field}", LABELS.get(name, "The number")


def _size(text: str) -> float | str:
    """Return the number, or the text as it is: the check of question files says what is wrong."""
    try:
        return read_number(text)
    except NotANumberError:
        return text
