"""Phrases that no native writer uses so, kept out of all texts of the courses."""

import re
from collections.abc import Iterator

import pytest

from tests.course_folders import COURSES, POSITIONAL

INSTEAD = {  # a phrase, and what to write instead
    r"in the place of": "instead of",
    r"so many": "that many, or the number itself",
    r"the contrary": "the opposite",
    r"(?:is|are) told": "is given, says, states, or is reported",
    r"looked at whether": "the grader also checks whether",
    r"also looked at": "the grader also checks",
    r"somebody": "someone, or a learner who",
    r"whoever": "a learner who, or you",
    r"stands? (?:at|in)": "is at, is in",
    r"makes dear": "penalises heavily",
    r"(?:is|are) dear": "costs much",
    r"is round after": "completes a turn after",
    r"takes turns": "alternates",
    r"(?:by|for) nothing": "not at all, or at no cost",
    # Shades that a figure has in the light alone, or in the dark alone.
    r"(?-i:pale|paler|darker|brighter|lighter|whitish|blackish)": "the value: 0, small, large",
    r"(?:white|black|dark|bright|grey|gray) (?:cells?|columns?|rows?|stripes?|colours?|regions?)": (
        "the value, or its place"
    ),
}
# The files of a course with sentences for learners, and how many the first course has at least.
TEXTS = {
    "course.yaml": 1,
    "map.yaml": 1,
    "lessons/**/*.md": 80,
    "lessons/**/*.yaml": 13,
    "questions/*/*.yaml": 100,
    "questions/*/*.py": 10,
    "quizzes/*.yaml": 14,
    "exercises/*/statement.md": 18,
    "exercises/*/exercise.yaml": 18,
}
LINK = re.compile(r"(?<!!)\[((?:[^\[\]]|\[[^\]]*\])*)\]\([^)]+\)")


def strange(text: str) -> Iterator[str]:
    """Yield each such phrase of a text, whatever its line ends and capitals, with a better one."""
    words = " ".join(text.split())
    for phrase, better in INSTEAD.items():
        for found in re.finditer(rf"\b(?:{phrase})\b", words, re.IGNORECASE):
            yield f"{found[0]!r}: write {better}"


@pytest.mark.parametrize(("pattern", "at_least"), TEXTS.items())
def test_the_texts_of_the_courses_are_in_plain_english(pattern: str, at_least: int) -> None:
    assert len(list(POSITIONAL.glob(pattern))) >= at_least
    found = [
        f"{path.relative_to(course.parent)}: {words}"
        for course in COURSES
        for path in sorted(course.glob(pattern))
        for words in strange(path.read_text())
    ]
    assert found == []


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("cosine in the\n  Place of sine", 1),
        ("Whoever asks is told why.", 2),
        ("somebody else's table", 1),
        ("the cosine takes the place of the sine", 0),
        ("so, many of them", 0),
        ("One outstands Atlas.", 0),
    ],
)
def test_a_phrase_is_found_across_lines_and_not_in_a_longer_word(text: str, count: int) -> None:
    assert len(list(strange(text))) == count


def test_a_link_has_words_to_be_called_by() -> None:
    """A screen reader has no name for a link around a formula, and a finger misses one letter."""
    nameless = [
        f"{path.relative_to(course.parent)}: {words}"
        for course in COURSES
        for path in course.glob("lessons/**/*")
        if path.suffix in (".md", ".yaml")
        for words in LINK.findall(path.read_text())
        if not re.search(r"\w{2}", re.sub(r"\$[^$]*\$", "", words))
    ]
    assert nameless == []
