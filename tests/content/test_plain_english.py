"""Phrases that no native writer uses so, kept out of the lessons with what to write instead."""

import re

import pytest

from tests.course_folders import COURSES

INSTEAD = {
    r"in the place of": "instead of",
    r"so many": "that many, or the number itself",
    r"(?:on )?the contrary": "the opposite",
    r"is told\b|are told\b": "says, states, or names",
    r"\b(?:is|are) dear\b": "costs more",
    r"is round after": "completes a turn after",
    r"[Ww]hoever": "a learner who, or you",
    r"\bby nothing\b|\bfor nothing\b": "not at all, or at no cost",
}
LINK = re.compile(r"(?<!!)\[((?:[^\[\]]|\[[^\]]*\])*)\]\([^)]+\)")
PAGES = [
    page
    for course in COURSES
    for pattern in ("*.md", "lesson.yaml")
    for page in sorted((course / "lessons").rglob(pattern))
]


def strange(text: str) -> list[str]:
    """Return each such phrase of a text with what to write instead."""
    words = re.sub(r"\s+", " ", text)
    return [
        f"{found[0]!r}: write {better}"
        for phrase, better in INSTEAD.items()
        for found in re.finditer(phrase, words)
    ]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: f"{page.parts[-3]}/{page.name}")
def test_a_lesson_is_in_plain_english(page):
    assert strange(page.read_text()) == []


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("cosine in the\nplace of sine", 1),
        ("Whoever asks is told why.", 2),
        ("the cosine takes the place of the sine", 0),
        ("so, many of them", 0),
    ],
)
def test_a_phrase_is_found_across_lines(text, count):
    assert len(strange(text)) == count


@pytest.mark.parametrize("page", PAGES, ids=lambda page: f"{page.parts[-3]}/{page.name}")
def test_a_link_has_words_to_be_called_by(page):
    """A screen reader has no name for a link around a formula, and a finger misses one letter."""
    for words in LINK.findall(page.read_text()):
        assert re.search(r"\w{2}", re.sub(r"\$[^$]*\$", "", words)), words
