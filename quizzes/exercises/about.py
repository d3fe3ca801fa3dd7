"""What a list says of an exercise in two lines: what it asks, and what it is written with."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from django.utils.safestring import SafeString

from quizzes.exercises.models import ExerciseVersion
from quizzes.grader.definition import ExerciseDefinition
from quizzes.pages.markdown import render_markdown

LONGEST_TASK = 150  # characters; a list is read across
LIBRARIES = {"numpy": "NumPy", "torch": "PyTorch"}
SENTENCE_END = re.compile(r"(?<=[.:]) (?=[A-Z])")

_ABOUT: dict[str, "About"] = {}  # by hash of the files: a version never changes


@dataclass(frozen=True)
class About:
    """What is asked, as HTML, and with what it is answered, as "a function, NumPy"."""

    task: SafeString
    written_with: str


def abouts(versions: Iterable[ExerciseVersion]) -> Mapping[int, About]:
    """Return what a list says of each version, by its key: one query for all that are new here."""
    asked = list(versions)
    new = [one.pk for one in asked if one.content_hash not in _ABOUT]
    if new:
        for version in ExerciseVersion.objects.filter(pk__in=new).select_related("exercise"):
            _ABOUT[version.content_hash] = _about(version.definition)
    return {one.pk: _ABOUT[one.content_hash] for one in asked}


def _about(definition: ExerciseDefinition) -> About:
    paragraph = definition.statement.strip().split("\n\n", 1)[0].replace("\n", " ")
    library = LIBRARIES.get(definition.library, definition.library)
    return About(
        task=render_markdown(_beginning(paragraph)),
        written_with=f"a {definition.kind}, {library}",
    )


def _beginning(paragraph: str) -> str:
    """Return the first sentence, and more of them while they are short."""
    first, *rest = SENTENCE_END.split(paragraph)
    for sentence in rest:
        if len(first) + len(sentence) >= LONGEST_TASK:
            break
        first = f"{first} {sentence}"
    return first
