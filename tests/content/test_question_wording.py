"""Turns of phrase that read like a translation stay out of questions, statements and hints."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.course_folders import COURSES, name_of

PHRASES = {  # what to write instead
    "in the place of": "instead of",
    "so many": "that is the number of",
    "the contrary": "the opposite",
    "is told": "is given, is reported",
    "are told": "are given",
    "looked at whether": "the grader also checks whether",
    "also looked at": "the grader also checks",
    "somebody": "someone",
    "stands at": "is at",
    "stands in": "is in",
    "stand at": "are at",
    "makes dear": "penalises heavily",
    "is dear": "costs much",
    "is round after": "completes a turn after",
    "takes turns": "alternates",
}
TEXTS = ("questions/*/*", "quizzes/*.yaml", "exercises/*/statement.md", "exercises/*/exercise.yaml")


def found(text: str) -> Iterator[str]:
    """Yield every phrase of the list in a text, whatever its line ends and capitals."""
    plain = " ".join(text.split()).lower()
    for phrase, better in PHRASES.items():
        if re.search(rf"\b{phrase}\b", plain):
            yield f"{phrase!r}: write {better!r}"


@pytest.mark.parametrize("pattern", TEXTS)
@pytest.mark.parametrize("course", COURSES, ids=name_of)
def test_no_text_has_a_phrase_of_the_list(course: Path, pattern: str) -> None:
    paths = sorted(
        path for path in course.glob(pattern) if path.suffix != ".pyc" and path.is_file()
    )
    assert paths
    told = [
        f"{path.relative_to(course)}: {words}"
        for path in paths
        for words in found(path.read_text())
    ]
    assert told == []


def test_a_phrase_is_found_over_a_line_end_and_not_in_a_longer_word() -> None:
    assert list(found("The matrix in\n  the Place of $M$.")) == [
        "'in the place of': write 'instead of'"
    ]
    assert list(found("One outstands Atlas.")) == []
