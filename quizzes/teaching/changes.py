"""The differences of two contents, field by field and word by word."""

import difflib
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from quizzes.assessment.canonical_files import ANSWER_FIELDS, NEAR_FIELDS

EMPTY: tuple[Any, ...] = (None, "", [])
WORDS = re.compile(r"\s+|[\w$\\]+|[^\w\s]")
LABELS = {  # in the order of the forms
    "title": "Title",
    "summary": "Summary",
    "prompt": "Question",
    "answer": "Answer",
    "scoring": "Scoring",
    "options": "Option",
    "keep_last": "Last option kept last",
    "step": "Step",
    "tags": "Tags",
    "shuffle": "Questions shuffled",
    "class_only": "For classes only",
    "questions": "Questions",
}


@dataclass(frozen=True)
class Piece:
    """A run of text in both contents, only in the newer ("added") or the older ("removed")."""

    kind: str  # "same", "added" or "removed"
    text: str


@dataclass(frozen=True)
class Change:
    """One field that differs."""

    label: str
    pieces: tuple[Piece, ...]


def changes(older: Mapping[str, Any], newer: Mapping[str, Any]) -> list[Change]:
    """Return the fields in which two contents differ, in the order of the form."""
    before, after = dict(_fields(older)), dict(_fields(newer))
    return [
        Change(label, tuple(pieces(before.get(label, ""), after.get(label, ""))))
        for label in changed_labels(older, newer)
    ]


def changed_labels(older: Mapping[str, Any], newer: Mapping[str, Any]) -> list[str]:
    """Return the names of the fields in which two contents differ."""
    before, after = dict(_fields(older)), dict(_fields(newer))
    labels = [*after, *(label for label in before if label not in after)]
    return [label for label in labels if before.get(label, "") != after.get(label, "")]


def pieces(older: str, newer: str) -> Iterator[Piece]:
    """Yield the words of two texts: kept, removed and added, in reading order."""
    old, new = WORDS.findall(older), WORDS.findall(newer)
    matcher = difflib.SequenceMatcher(None, old, new, autojunk=False)
    for kind, a, b, c, d in matcher.get_opcodes():
        if kind == "equal":
            yield Piece("same", "".join(old[a:b]))
            continue
        if b > a:
            yield Piece("removed", "".join(old[a:b]))
        if d > c:
            yield Piece("added", "".join(new[c:d]))


def _fields(content: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """Yield fields in the order of the form: databases have an order of their own."""
    for name, label in LABELS.items():
        if name not in content:
            continue
        value = content[name]
        if name == "options":
            for number, option in enumerate(value, start=1):
                yield f"{label} {number}", option["text"]
                yield f"{label} {number}, right or wrong", "right" if option["key"] else "wrong"
                yield f"{label} {number}, reason", option["reason"]
                yield f"{label} {number}, known mistake", option.get("mistake", "")
        elif name == "answer":
            yield label, "\n".join(_answer(value or {}))
        else:
            yield label, _text(value)


def _answer(answer: Mapping[str, Any]) -> Iterator[str]:
    """Yield a line for each part of an answer, and for each wrong number that is known."""
    for part in ANSWER_FIELDS:
        value = answer.get(part)
        if part == "near":
            for miss in value or ():
                said = [str(miss[name]) for name in NEAR_FIELDS if miss.get(name) not in EMPTY]
                yield f"wrong number: {', '.join(said)}"
        elif value not in EMPTY:
            yield f"{part}: {_text(value)}"


def _entry(value: Any) -> str:
    """Return one item of a list in words; of a quiz: a question or a pool, with its points."""
    if not isinstance(value, Mapping):
        return str(value)
    what = str(value.get("slug", ""))
    if not what:
        what = f"{value.get('draw', '')} drawn with the tag {value.get('tag', '')}"
    return f"{what}, points: {value['points']}" if "points" in value else what


def _text(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, list):
        said = [_entry(one) for one in value]
        return ", ".join(said) if len(said) < 2 else "\n".join(said)
    return str(value)
