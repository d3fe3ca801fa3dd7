"""The form of a quiz: from and to the fields of its file, and the buttons beside its questions."""

from collections.abc import Iterable, Mapping
from typing import Any

from django.http import QueryDict

from quizzes.pages.fields import is_slug
from quizzes.pages.source import Fault
from quizzes.teaching.fields import cleaned
from quizzes.teaching.forms import Missing

MOVES = {"up": -1, "down": 1}
LABELS = {"title": "Title", "summary": "Summary", "questions": "Questions"}
FIELDS = {"title": "title", "summary": "summary", "questions": "chosen"}


def read_quiz(data: QueryDict) -> dict[str, Any]:
    """Return what the form holds as the fields of a quiz's file, each question once."""
    slugs = [str(slug) for slug in data.getlist("questions") if is_slug(str(slug))]
    return {
        "title": " ".join(cleaned(data, "title").split()),
        "summary": cleaned(data, "summary"),
        "questions": list(dict.fromkeys(slugs)),
    }


def pressed(content: Mapping[str, Any], button: str) -> dict[str, Any]:
    """Return the content after a button: `up:`, `down:`, `remove:` or `add:` and a question."""
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


def missing_in_quiz(faults: Iterable[Fault]) -> list[Missing]:
    """Return faults in the words of the form."""
    found = []
    for fault in faults:
        name = fault.path.partition(".")[0]
        words = fault.message.removeprefix(f"{name}: ")
        if name == "questions" and words == "must not be empty":
            words = "add at least one"
        found.append(Missing(FIELDS.get(name, name), LABELS.get(name, name or "It"), words))
    return found
