"""The differences of two contents, field by field and word by word."""

import difflib
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from quizzes.assessment.canonical_files import ANSWER_FIELDS, NEAR_FIELDS

SHOWN_LINES = 3  # of what stays the same, before and after what differs
# Of lines or words that are compared for all fields. Lines that repeat, as blank ones, make each
# pair dearer: 220 lines, every second of them blank, take 0.05 s.
MOST_PAIRS = 50_000
EMPTY: tuple[Any, ...] = (None, "", [])
WORDS = re.compile(r"\s+|[\w$\\]+|[^\w\s]")
LABELS = {  # in the order of the forms
    "title": "Title",
    "summary": "Summary",
    "form": "Form",
    "prerequisites": "What to know before",
    "steps": "Step",
    "prompt": "Question",
    "kind": "Answered by",
    "exercise": "Exercise",
    "generator": "Program",
    "answer": "Answer",
    "scoring": "Scoring",
    "options": "Option",
    "keep_last": "Last option kept last",
    "step": "Step",
    "tags": "Tags",
    "shuffle": "Questions shuffled",
    "class_only": "For classes only",
    "questions": "Questions",
    "files": "File",  # each by its name
    "text": "Program",
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
    comparison = _Comparison()
    return [
        Change(
            label,
            tuple(
                _shortened(piece)
                for piece in pieces(before.get(label, ""), after.get(label, ""), comparison)
            ),
        )
        for label in changed_labels(older, newer)
    ]


def changed_labels(older: Mapping[str, Any], newer: Mapping[str, Any]) -> list[str]:
    """Return the names of the fields in which two contents differ."""
    before, after = dict(_fields(older)), dict(_fields(newer))
    labels = [*after, *(label for label in before if label not in after)]
    return [label for label in labels if before.get(label, "") != after.get(label, "")]


def pieces(older: str, newer: str, comparison: "_Comparison | None" = None) -> Iterator[Piece]:
    """Yield the words of two texts: kept, removed and added, in reading order.

    Lines are compared first, and words only within lines that differ: two long texts word by word
    would take minutes. Where too many lines or words differ, all of the old ones are removed.
    """
    comparison = comparison or _Comparison()
    yield from _joined(comparison.compare(_lines(older), _lines(newer)))


def _shortened(piece: Piece) -> Piece:
    """Return a piece; one of many lines that stay the same as its first and its last lines."""
    lines = _lines(piece.text)
    if piece.kind != "same" or len(lines) <= 3 * SHOWN_LINES:
        return piece
    return Piece("same", "".join([*lines[:SHOWN_LINES], "…\n", *lines[-SHOWN_LINES:]]))


def _lines(text: str) -> list[str]:
    return text.splitlines(keepends=True)


@dataclass
class _Comparison:
    """A comparison of two texts that ends in time; `pairs` may still be compared."""

    pairs: int = MOST_PAIRS

    def compare(
        self, old: Sequence[str], new: Sequence[str], *, by_word: bool = True
    ) -> Iterator[Piece]:
        """Yield what two lists of lines or words share, and what only one of them has."""
        for is_same, before, after in self._stretches(old, new):
            if is_same:
                yield Piece("same", "".join(before))
            elif by_word and before and after:
                words = WORDS.findall("".join(before)), WORDS.findall("".join(after))
                yield from self.compare(*words, by_word=False)
            else:
                yield from (Piece("removed", text) for text in ["".join(before)] if text)
                yield from (Piece("added", text) for text in ["".join(after)] if text)

    def _stretches(
        self, old: Sequence[str], new: Sequence[str]
    ) -> Iterator[tuple[bool, Sequence[str], Sequence[str]]]:
        """Yield stretches of two lists in order, and whether they are the same."""
        start = _common(old, new)
        end = _common(old[start:][::-1], new[start:][::-1])
        before, after = old[start : len(old) - end], new[start : len(new) - end]
        if start:
            yield True, old[:start], new[:start]
        pairs = len(before) * len(after)
        if pairs > self.pairs:
            yield False, before, after
        else:
            self.pairs -= pairs
            matcher = difflib.SequenceMatcher(None, before, after, autojunk=False)
            for kind, a, b, c, d in matcher.get_opcodes():
                yield kind == "equal", before[a:b], after[c:d]
        if end:
            yield True, old[len(old) - end :], new[len(new) - end :]


def _common(old: Sequence[str], new: Sequence[str]) -> int:
    """Return how many items two lists share at their beginning."""
    pairs = enumerate(zip(old, new, strict=False))
    return next((place for place, (a, b) in pairs if a != b), min(len(old), len(new)))


def _joined(parts: Iterator[Piece]) -> Iterator[Piece]:
    """Yield pieces, those of one kind that follow each other as one."""
    for kind, same in groupby(parts, key=lambda piece: piece.kind):
        yield Piece(kind, "".join(piece.text for piece in same))


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
        elif name == "steps":
            names = _step_names(value)
            yield "Order of steps", "\n".join(names)
            for step_name, step in zip(names, value, strict=True):
                yield from _step(f"{label} {step_name}", step)
        elif name == "files":
            yield from value.items()
        elif name == "answer":
            yield label, "\n".join(_answer(value or {}))
        else:
            yield label, _text(value)


def _step_names(steps: Sequence[Mapping[str, Any]]) -> list[str]:
    """Return a name for each step of a draft, of which some have none yet, and two the same."""
    names: list[str] = []
    for number, step in enumerate(steps, start=1):
        name = step["slug"] or f"{number}, without a name"
        names.append(f"{name}, again as {number}" if name in names else name)
    return names


def _step(label: str, step: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    yield f"{label}, title", step["title"]
    yield f"{label}, going deeper", "yes" if step["going_deeper"] else ""
    yield f"{label}, day of its sources", step["as_of"]
    works = (f"{source['work']}, {source['where']}" for source in step["sources"])
    yield f"{label}, sources", "\n".join(works)
    yield f"{label}, text", step["text"]


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
