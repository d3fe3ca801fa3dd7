"""The form of a question: from and to the fields of question.yaml, and what is wrong in words."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from django import forms
from django.http import QueryDict

from quizzes.assessment.reading import MAX_OPTIONS
from quizzes.pages.fields import MAX_SLUG, is_slug
from quizzes.pages.source import Fault
from quizzes.teaching.fields import cleaned
from quizzes.teaching.numeric_form import place_of, read_answer

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

    number: int  # from 1, as people count
    text: str
    reason: str
    is_key: bool
    mistake: str = ""  # "<exercise>/<known mistake>" that the option stands for; kept as it is


@dataclass(frozen=True)
class Missing:
    """Something that must be mended before publishing, with the id of its field."""

    field: str
    label: str
    words: str


def read_content(data: QueryDict) -> dict[str, Any]:
    """Return what the form holds as the fields of question.yaml; rows left empty are dropped."""
    tags = [tag.strip() for tag in cleaned(data, "tags").split(",")]
    common = {
        "prompt": cleaned(data, "prompt"),
        "step": cleaned(data, "step"),
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
        text, reason = cleaned(data, f"text-{number}"), cleaned(data, f"reason-{number}")
        if text or reason:
            is_key = data.get("key") == str(number)
            option = {"text": " ".join(text.split()), "key": is_key, "reason": reason}
            mistake = cleaned(data, f"mistake-{number}")
            options.append({**option, "mistake": mistake} if mistake else option)
    return options


def rows_shown(data: QueryDict) -> int:
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


def missing(faults: Iterable[Fault]) -> list[Missing]:
    """Return faults in the words of the form."""
    return [_missing(fault) for fault in faults]


def _missing(fault: Fault) -> Missing:
    name, *rest = fault.path.split(".")
    words = fault.message.removeprefix(f"{rest[-1] if rest else name}: ")
    if name == "answer":
        return Missing(*place_of(rest), words.removeprefix("answer: "))
    if rest and name == "options":
        number = int(rest[0]) + 1
        part = rest[1] if len(rest) > 1 else "text"
        return Missing(f"{part}-{number}", f"Option {number}, {PARTS.get(part, part)}", words)
    if name == "options":
        words = words.replace("0 have key: true, must be exactly 1", "mark the right one")
    return Missing({"options": "text-1"}.get(name, name), LABELS.get(name, name or "It"), words)
