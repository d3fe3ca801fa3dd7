"""Forms of questions and quizzes: from and to the fields of their files, and their faults."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from django import forms
from django.http import QueryDict

from quizzes.assessment.number_parser import NotANumberError, read_number
from quizzes.assessment.question_files import MAX_NEAR, MAX_OPTIONS
from quizzes.content_files.fields import MAX_SLUG, is_slug
from quizzes.content_files.problems import ContentProblem

MIN_ROWS = 4
LABELS = {"prompt": "Question", "step": "Step", "tags": "Tags", "options": "Options"}
UNSTORABLE = "Not saved: a field below has a NUL character. Take it out and save again."
PARTS = {"text": "answer", "reason": "reason"}


class SlugForm(forms.Form):
    """The lasting name of a new question."""

    slug = forms.CharField(
        max_length=MAX_SLUG, help_text="Lower-case words joined by hyphens, such as why-order."
    )

    kind = forms.ChoiceField(
        choices=[("single", "Options to choose from"), ("numeric", "A number to type")],
        required=False,
        label="Answered by",
    )

    def clean_slug(self) -> str:
        slug = str(self.cleaned_data["slug"])
        if not is_slug(slug):
            raise forms.ValidationError(f"{slug!r}: must be lower-case words joined by hyphens")
        return slug


@dataclass(frozen=True)
class Row:
    """One option's fields in the form."""

    number: int  # counted from 1
    text: str
    reason: str
    is_key: bool
    mistake: str = ""  # "<exercise>/<known mistake>" that the option stands for; kept as it is


@dataclass(frozen=True)
class MissingField:
    """A fault to mend before publishing, with the id of its field."""

    field: str
    label: str
    words: str


def read_content(data: QueryDict) -> dict[str, Any]:
    """Return the form as the fields of question.yaml; empty rows are dropped."""
    tags = [tag.strip() for tag in clean_field(data, "tags").split(",")]
    common = {
        "prompt": clean_field(data, "prompt"),
        "step": clean_field(data, "step"),
        "tags": [tag for tag in tags if tag],
    }
    if data.get("kind") == "numeric":
        return {"kind": "numeric", **common, "keep_last": False, "answer": read_answer(data)}
    return {
        "kind": "single",
        **common,
        "keep_last": data.get("keep_last") == "on",
        "options": _read_options(data),
    }


def _read_options(data: QueryDict) -> list[dict[str, Any]]:
    options = []
    for number in range(1, MAX_OPTIONS + 1):
        text, reason = clean_field(data, f"text-{number}"), clean_field(data, f"reason-{number}")
        if text or reason:
            is_key = data.get("key") == str(number)
            option = {"text": " ".join(text.split()), "key": is_key, "reason": reason}
            mistake = clean_field(data, f"mistake-{number}")
            options.append({**option, "mistake": mistake} if mistake else option)
    return options


def form_rows(data: QueryDict) -> int:
    """Return how many rows of options the sent form had, empty ones too."""
    return sum(f"text-{number}" in data for number in range(1, MAX_OPTIONS + 1))


def rows(content: Mapping[str, Any], *, at_least: int = MIN_ROWS) -> list[Row]:
    """Return the form's rows: one for each option, and empty ones up to `at_least`."""
    options = list(content.get("options", ()))[:MAX_OPTIONS]
    wanted = min(MAX_OPTIONS, max(MIN_ROWS, at_least, len(options)))
    options += [{"text": "", "reason": "", "key": False}] * (wanted - len(options))
    return [
        Row(number, option["text"], option["reason"], option["key"], option.get("mistake", ""))
        for number, option in enumerate(options, start=1)
    ]


def missing_fields(problems: Iterable[ContentProblem]) -> list[MissingField]:
    """Return faults in the words of the form."""
    return [_missing(problem) for problem in problems]


def _missing(problem: ContentProblem) -> MissingField:
    name, *rest = problem.path.split(".")
    words = problem.message.removeprefix(f"{rest[-1] if rest else name}: ")
    if name == "answer":
        return MissingField(*place_of(rest), words.removeprefix("answer: "))
    if rest and name == "options":
        number = int(rest[0]) + 1
        part = rest[1] if len(rest) > 1 else "text"
        return MissingField(f"{part}-{number}", f"Option {number}, {PARTS.get(part, part)}", words)
    if name == "options":
        words = words.replace("0 have key: true, must be exactly 1", "mark the right one")
    return MissingField(
        {"options": "text-1"}.get(name, name), LABELS.get(name, name or "It"), words
    )


def clean_field(data: QueryDict, name: str) -> str:
    """Return a field without outer white space and carriage returns."""
    return str(data.get(name, "")).replace("\r\n", "\n").strip()


# ---- numeric questions

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
NUMBER_LABELS = {
    "value": "The number",
    "within": "How far off",
    "plus_minus": "How far off",
    "unit": "Unit",
    "reason": "Why it is right",
}


@dataclass(frozen=True)
class NearRow:
    """A wrong number that a known mistake gives, as the form shows it."""

    number: int  # counted from 1
    value: str
    reason: str
    mistake: str


def read_answer(data: QueryDict) -> dict[str, Any]:
    """Return the form as the fields of `answer:`; empty rows are dropped."""
    measure = "plus_minus" if data.get("answer-measure") == "plus_minus" else "within"
    answer: dict[str, Any] = {"value": clean_field(data, "answer-value")}
    size = clean_field(data, "answer-size")
    if size:
        answer[measure] = _size(size)
    answer |= {
        "unit": clean_field(data, "answer-unit"),
        "reason": clean_field(data, "answer-reason"),
    }
    near = []
    for number in range(1, MAX_NEAR + 1):
        value, reason = (
            clean_field(data, f"near-value-{number}"),
            clean_field(data, f"near-reason-{number}"),
        )
        mistake = clean_field(data, f"near-mistake-{number}")
        if value or reason:
            row = {"value": value, "reason": reason}
            near.append({**row, "mistake": mistake} if mistake else row)
    return {**answer, "near": near} if near else answer


def number_fields(content: Mapping[str, Any]) -> dict[str, Any]:
    """Return the context of the form of a number."""
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
    return f"answer-{field}", NUMBER_LABELS.get(name, "The number")


def _size(text: str) -> float | str:
    """Return the number, or the unchanged text: the check of question files reports the fault."""
    try:
        return read_number(text)
    except NotANumberError:
        return text


# ---- quizzes

MOVES = {"up": -1, "down": 1}
QUIZ_LABELS = {"title": "Title", "summary": "Summary", "questions": "Questions"}
FIELDS = {"title": "title", "summary": "summary", "questions": "chosen"}


def read_quiz(data: QueryDict) -> dict[str, Any]:
    """Return the form as the fields of a quiz's file, each question once."""
    slugs = [str(slug) for slug in data.getlist("questions") if is_slug(str(slug))]
    return {
        "title": " ".join(clean_field(data, "title").split()),
        "summary": clean_field(data, "summary"),
        "questions": list(dict.fromkeys(slugs)),
    }


def pressed_button(content: Mapping[str, Any], button: str) -> dict[str, Any]:
    """Return the content after a button `up:`, `down:`, `remove:` or `add:` with a question."""
    act, _, slug = button.partition(":")
    slugs = list(content["questions"])
    if act == "add" and is_slug(slug) and slug not in slugs:
        slugs.append(slug)
    elif act == "remove" and slug in slugs:
        slugs.remove(slug)
    elif act in MOVES and slug in slugs:
        place = slugs.index(slug)
        slugs.insert(max(0, place + MOVES[act]), slugs.pop(place))
    return {**content, "questions": slugs}


def missing_in_quiz(problems: Iterable[ContentProblem]) -> list[MissingField]:
    """Return faults in the words of the form."""
    found = []
    for problem in problems:
        name = problem.path.partition(".")[0]
        words = problem.message.removeprefix(f"{name}: ")
        if name == "questions" and words == "must not be empty":
            words = "add at least one"
        found.append(
            MissingField(FIELDS.get(name, name), QUIZ_LABELS.get(name, name or "It"), words)
        )
    return found
