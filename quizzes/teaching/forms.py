"""Forms of questions and quizzes: from and to the fields of their files, and their faults."""

import math
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from django import forms
from django.http import QueryDict

from quizzes.assessment.number_parser import NotANumberError, read_number
from quizzes.assessment.question_drafts import BLANK
from quizzes.assessment.question_fields import FEWEST_KEYS, MAX_NEAR, MAX_OPTIONS
from quizzes.content_files.fields import MAX_SLUG, is_slug
from quizzes.content_files.problems import ContentProblem
from quizzes.content_files.typed_text import fold_number
from quizzes.teaching.question.programs import drawn_content

MIN_ROWS = 4
LABELS = {
    "prompt": "Question",
    "step": "Step",
    "tags": "Tags",
    "options": "Options",
    "scoring": "Scoring",
    "exercise": "Exercise",
    "generator": "Program",
    "draw": "Numbers",
}
SCORING = {
    "all_or_nothing": "Only the exact set of right options counts",
    "per_option": "Each right option adds a part, and each wrong one takes a part away",
}
UNSTORABLE = "Not saved: a field below contains a NUL character. Remove it and save again."
MARKING = {
    "one_key": "mark the right one",
    "several_keys": f"mark at least {FEWEST_KEYS} as right, and not all of them",
}
PARTS = {"text": "answer", "reason": "reason", "mistake": "known mistake"}


class SlugField(forms.CharField):
    """A lasting name in a course: lower-case words joined by hyphens."""

    def __init__(self, **options: Any) -> None:
        super().__init__(max_length=MAX_SLUG, **options)

    def validate(self, value: str) -> None:
        super().validate(value)
        if value and not is_slug(value):
            raise forms.ValidationError(f"{value!r}: must be lower-case words joined by hyphens")


class SlugForm(forms.Form):
    """The lasting name of a new question."""

    slug = SlugField(help_text="Lower-case words joined by hyphens, such as why-order.")

    kind = forms.ChoiceField(
        choices=[
            ("single", "Options, one of them right"),
            ("multiple", "Options, several of them right"),
            ("numeric", "A number to type"),
            ("text", "A text to type"),
            ("drawn-single", "Options that a program draws for each learner"),
            ("drawn-numeric", "A number to type, from a program"),
        ],
        required=False,
        label="Answered by",
    )


@dataclass(frozen=True)
class Row:
    """One option's fields in the form."""

    number: int  # counted from 1
    text: str
    reason: str
    is_key: bool
    mistake: str = ""  # "<exercise>/<known mistake>" that the option stands for
    mistake_words: str = ""


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
    kind = str(data.get("kind", ""))
    if "generator" in data:
        return {
            "kind": "numeric" if kind == "numeric" else "single",
            **common,
            "keep_last": data.get("keep_last") == "on",
            "exercise": clean_field(data, "exercise"),
            "generator": str(data["generator"]).replace("\r\n", "\n"),
        }
    if kind == "numeric":
        return {"kind": kind, **common, "keep_last": False, "answer": read_answer(data)}
    if kind == "text":
        return {"kind": kind, **common, "keep_last": False, "answer": read_text_answer(data)}
    is_multiple = kind == "multiple"
    content = {
        "kind": "multiple" if is_multiple else "single",
        **common,
        "keep_last": data.get("keep_last") == "on",
        "options": _read_options(data, is_multiple=is_multiple),
    }
    return content | ({"scoring": clean_field(data, "scoring")} if is_multiple else {})


def read_text_answer(data: QueryDict) -> dict[str, Any]:
    """Return the form as the fields of the `answer:` of a text; each line is an accepted text."""
    lines = [" ".join(line.split()) for line in clean_field(data, "accepts").split("\n")]
    reason = clean_field(data, "answer-reason")
    return {"accepts": [line for line in lines if line], "reason": reason}


def _read_options(data: QueryDict, *, is_multiple: bool) -> list[dict[str, Any]]:
    options = []
    for number in range(1, MAX_OPTIONS + 1):
        text, reason = clean_field(data, f"text-{number}"), clean_field(data, f"reason-{number}")
        mistake = clean_field(data, f"mistake-{number}")
        if text or reason or mistake:
            is_key = data.get("key") == str(number)
            if is_multiple:
                is_key = data.get(f"key-{number}") == "on"
            option = {"text": _on_one_line(text), "key": is_key, "reason": reason}
            options.append({**option, "mistake": mistake} if mistake else option)
    return options


def form_rows(data: QueryDict) -> int:
    """Count the rows of options in the sent form, empty ones too."""
    return sum(f"text-{number}" in data for number in range(1, MAX_OPTIONS + 1))


def rows(
    content: Mapping[str, Any], *, mistakes: Mapping[str, str], at_least: int = MIN_ROWS
) -> list[Row]:
    """Return the form's rows: one for each option, and empty ones up to `at_least`.

    `mistakes`: the words of the known mistakes that the content names, by name.
    """
    options = list(content.get("options", ()))[:MAX_OPTIONS]
    wanted = min(MAX_OPTIONS, max(MIN_ROWS, at_least, len(options)))
    options += [{"text": "", "reason": "", "key": False}] * (wanted - len(options))
    return [
        Row(
            number,
            option["text"],
            option["reason"],
            option["key"],
            option.get("mistake", ""),
            mistakes.get(option.get("mistake", ""), ""),
        )
        for number, option in enumerate(options, start=1)
    ]


def missing_fields(problems: Iterable[ContentProblem]) -> list[MissingField]:
    """Return faults in the words of the form."""
    return [_missing(problem) for problem in problems]


def _missing(problem: ContentProblem) -> MissingField:
    name, *rest = problem.path.split(".")
    words = problem.message if problem.code == "missing" else problem.words
    if problem.line > 1:  # of a text with several: all fields begin in line 1
        words = f"line {problem.line}: {words}"
    if name == "answer":
        return MissingField(*place_of(rest), words)
    if rest and name == "options":
        number = int(rest[0]) + 1
        part = rest[1] if len(rest) > 1 else "text"
        return MissingField(f"{part}-{number}", f"Option {number}, {PARTS.get(part, part)}", words)
    return MissingField(
        {"options": "text-1"}.get(name, name),
        LABELS.get(name, name or "It"),
        MARKING.get(problem.code, words),
    )


def clean_field(data: QueryDict, name: str) -> str:
    """Return a field without outer white space and carriage returns."""
    return str(data.get(name, "")).replace("\r\n", "\n").strip()


def _on_one_line(text: str) -> str:
    """Return a text with one space for other white space; those that break no line stay."""
    return re.sub(r"[^\S\u00a0\u2007\u202f]+", " ", text)


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
BLANK_TEXT: Mapping[str, Any] = {
    "kind": "text",
    "prompt": "",
    "step": "",
    "tags": [],
    "keep_last": False,
    "answer": {"accepts": [], "reason": ""},
}
BLANKS: Mapping[str, Mapping[str, Any]] = {
    "single": BLANK,
    "multiple": {**BLANK, "kind": "multiple", "scoring": "all_or_nothing"},
    "numeric": BLANK_NUMERIC,
    "text": BLANK_TEXT,
    "drawn-single": drawn_content(BLANK),
    "drawn-numeric": drawn_content(BLANK_NUMERIC),
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
    mistake_words: str


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
        if value or reason or mistake:
            row = {"value": value, "reason": reason}
            near.append({**row, "mistake": mistake} if mistake else row)
    return {**answer, "near": near} if near else answer


def number_fields(content: Mapping[str, Any], *, mistakes: Mapping[str, str]) -> dict[str, Any]:
    """Return the context of the form of a number; `mistakes` as in `rows`."""
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
            NearRow(
                number,
                one.get("value", ""),
                one.get("reason", ""),
                one.get("mistake", ""),
                mistakes.get(one.get("mistake", ""), ""),
            )
            for number, one in enumerate(near, start=1)
        ],
    }


def place_of(path: list[str]) -> tuple[str, str]:
    """Return the field of the form and its label for a fault below `answer`."""
    if path[:1] == ["near"] and len(path) > 1:
        number = int(path[1]) + 1
        part = path[2] if len(path) > 2 else "value"
        return f"near-{part}-{number}", f"Wrong number {number}"
    if path[:1] == ["accepts"]:
        return "accepts", "Accepted texts"
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
EMPTY = {
    "questions": "add at least one",
    "questions.tag": "choose the tag that a pool draws by",
}
POOL = "pool:"  # before the number of a place that draws questions
MAX_PLACES = 100  # of a form; a quiz asks at most 50 questions


def read_quiz(data: QueryDict) -> dict[str, Any]:
    """Return the form as the fields of a quiz's file, each question once."""
    ids = list(dict.fromkeys(str(one) for one in data.getlist("questions")))[:MAX_PLACES]
    flags = {name: True for name in ("shuffle", "class_only") if data.get(name) == "on"}
    return {
        "title": _on_one_line(clean_field(data, "title")),
        "summary": clean_field(data, "summary"),
        "questions": [
            _read_place(data, one) for one in ids if is_slug(one) or one.startswith(POOL)
        ],
        **flags,
    }


def _read_place(data: QueryDict, place: str) -> Any:
    """Return a place as its file has it; what is no number stays a text for the check to name."""
    points = _plain_number(clean_field(data, f"points-{place}") or "1")
    worth = {} if points == 1 else {"points": points}
    if place.startswith(POOL):
        draw = _plain_number(clean_field(data, f"draw-{place}"))
        return {"draw": draw, "tag": clean_field(data, f"tag-{place}"), **worth}
    return {"slug": place, **worth} if worth else place


def _plain_number(text: str) -> int | float | str:
    try:
        number = float(fold_number(text).replace(",", "."))
    except ValueError:
        return text
    if not math.isfinite(number):
        return text
    return int(number) if number.is_integer() else number


def slug_of(place: Any) -> str:
    """Return the question of an entry of `questions`, "" of a pool."""
    return str(place.get("slug", "")) if isinstance(place, dict) else str(place)


def slugs_in(content: Mapping[str, Any]) -> list[str]:
    """Return the questions that a quiz's fields name, without its pools."""
    return [slug for one in content["questions"] if (slug := slug_of(one))]


def place_ids(content: Mapping[str, Any]) -> list[str]:
    """Return the name of each place in the form: its question's, or that of a pool."""
    ids, pools = [], 0
    for one in content["questions"]:
        slug = slug_of(one)
        pools += not slug
        ids.append(slug or f"{POOL}{pools}")
    return ids


def pressed_button(content: Mapping[str, Any], button: str) -> dict[str, Any]:
    """Return the content after a button `up:`, `down:`, `remove:` or `add:` with a place."""
    act, _, place = button.partition(":")
    questions, ids = list(content["questions"]), place_ids(content)
    if act == "add" and is_slug(place) and place not in ids:
        questions.append(place)
    elif act == "pool":
        questions.append({"draw": 1, "tag": ""})
    elif act == "remove" and place in ids:
        del questions[ids.index(place)]
    elif act in MOVES and place in ids:
        at = ids.index(place)
        questions.insert(max(0, at + MOVES[act]), questions.pop(at))
    return {**content, "questions": questions}


def missing_in_quiz(problems: Iterable[ContentProblem]) -> list[MissingField]:
    """Return faults in the words of the form."""
    fields = []
    for problem in problems:
        name = problem.path.partition(".")[0]
        part = problem.key.partition(".")[2]
        words = f"{part}: {problem.words}" if part else problem.words
        if problem.code == "empty":
            words = EMPTY.get(problem.key, words)
        fields.append(
            MissingField(FIELDS.get(name, name), QUIZ_LABELS.get(name, name or "It"), words)
        )
    return fields
