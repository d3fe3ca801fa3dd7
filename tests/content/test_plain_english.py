"""Phrases that no native writer uses so, kept out of all texts of courses and pages."""

import re
import shutil
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import call_command

from quizzes.authoring.plain_english import TEXTS, english_remarks, strange_phrases
from tests.course_folders import COURSES, POSITIONAL, name_of

# How many of each the first course has at least.
AT_LEAST = {
    "course.yaml": 1,
    "map.yaml": 1,
    "lessons/**/*.md": 80,
    "lessons/**/*.yaml": 13,
    "questions/*/*.yaml": 100,
    "questions/*/*.py": 10,
    "quizzes/*.yaml": 14,
    "exercises/*/statement.md": 18,
    "exercises/*/exercise.yaml": 18,
    "exercises/*/wrong/*.py": 300,
}
TEMPLATES = Path(__file__).resolve().parents[2] / "templates"
COMMENT = re.compile(r"\{% comment.*?endcomment %\}|\{#.*?#\}", re.DOTALL)
LINK = re.compile(r"(?<!!)\[((?:[^\[\]]|\[[^\]]*\])*)\]\([^)]+\)")


def test_all_texts_are_read_and_none_is_missing() -> None:
    """A pattern that finds no file would hold nothing."""
    assert set(AT_LEAST) == set(TEXTS)
    for pattern, at_least in AT_LEAST.items():
        assert len(list(POSITIONAL.glob(pattern))) >= at_least, pattern


@pytest.mark.parametrize("course", COURSES, ids=name_of)
def test_the_texts_of_the_courses_are_in_plain_english(course: Path) -> None:
    assert list(english_remarks(course)) == []


def test_the_pages_are_in_plain_english() -> None:
    remarks = [
        f"{path.relative_to(TEMPLATES)}:{line}: {advice}"
        for path in TEMPLATES.rglob("*.*")
        for line, advice in strange_phrases(COMMENT.sub(line_ends, path.read_text()))
    ]
    assert len(list(TEMPLATES.rglob("*.html"))) >= 150
    assert remarks == []


def line_ends(found: re.Match[str]) -> str:
    return "\n" * found[0].count("\n")


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
    assert len(list(strange_phrases(text))) == count


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("As of 2025, most models use neither.", 1),
        ("what they do, as of\n  late 2026", 1),
        ("all Llama models up to 2025.", 1),
        ("Some newer models skip it, and a modern large language model does not.", 2),
        ("each query was, in today's words, a state", 1),
        ("SOTA models", 1),
        ("Llama 4 and SmolLM3 skip every fourth layer.", 0),
        ("published in 2023", 0),
        ("since 2024 PyTorch has it", 0),
        ("positions up to 2048, or up to 2025 tokens", 0),
        ("the newest token of the text", 0),
    ],
)
def test_phrase_that_ages_is_found(text: str, count: int) -> None:
    assert len(list(strange_phrases(text))) == count


def test_authors_get_file_and_line_of_a_phrase_when_they_ask(tmp_path: Path) -> None:
    """Of a course that is otherwise without faults; unasked, nothing is said."""
    copy = tmp_path / "attention-from-scratch"
    shutil.copytree(POSITIONAL.with_name(copy.name), copy)
    step = next(iter(sorted(copy.glob("lessons/*/steps/*.md"))))
    lines = step.read_text().splitlines()
    step.write_text(
        "\n".join([*lines, "", "The sine is written in the", "place of the cosine.", ""])
    )
    place = f"{step.relative_to(copy)}:{len(lines) + 2}"
    told = f"warning: {place}: 'in the place of': write instead of"
    for flags, expected in (([], False), (["--plain-english"], True)):
        out = StringIO()
        call_command("check_content", str(copy), "--without-proofs", *flags, stdout=out)
        assert (told in out.getvalue().splitlines()) == expected


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
