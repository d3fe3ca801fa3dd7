"""How long the lessons with limits are, and the program that counts it (tools/count_words.py)."""

import sys
from collections.abc import Mapping
from typing import NamedTuple

import pytest

from quizzes.lessons.lesson_files import LessonSource
from quizzes.lessons.models import Lesson
from quizzes.pages.blocks import block_kinds, parse_page
from tests.content.lesson_text import lessons, questions
from tools.count_words import COUNTS, count_screen, count_steps, count_visible, main, path_of

LESSONS: Mapping[str, LessonSource] = {lesson.slug: lesson for lesson in lessons()}


class Limit(NamedTuple):
    """The most that a lesson's path may have."""

    words: int
    largest: int  # words of a screen
    steps: int = 99
    screens: int = 99
    minutes: int = 99


LARGEST_SCREEN = 180  # words, in the first three lessons with what goes deeper
LARGEST_ELSEWHERE = 270  # words of a screen, in tables and questions too
LIMITS = {
    "why-order": Limit(words=1500, largest=120, steps=4, screens=12, minutes=12),
    "sinusoidal-values": Limit(words=3000, largest=120, steps=6),
    "batches": Limit(words=3000, largest=120, steps=6),
    "layers": Limit(words=3000, largest=120, steps=6),
}


@pytest.mark.parametrize("slug", LIMITS)
def test_lesson_keeps_its_limits(slug: str) -> None:
    path, limit = path_of(LESSONS[slug]), LIMITS[slug]
    words, screens, largest, minutes = count_steps(path, questions())
    assert Limit(words, largest, len(path), screens, minutes) == Limit(
        min(words, limit.words),
        min(largest, limit.largest),
        min(len(path), limit.steps),
        min(screens, limit.screens),
        min(minutes, limit.minutes),
    )


@pytest.mark.parametrize("slug", [*LIMITS, "sinusoidal-wavelengths"])
def test_screen_that_goes_deeper_is_short(slug: str) -> None:
    large = {
        f"{step.slug} {number}": words
        for step in LESSONS[slug].steps_read
        for number, screen in enumerate(step.page.screens, start=1)
        if (words := count_screen(screen, questions())) > LARGEST_SCREEN
    }
    assert large == {}


@pytest.mark.parametrize(
    "slug", [slug for slug, lesson in LESSONS.items() if lesson.form != Lesson.Form.REFERENCE]
)
def test_screen_of_any_path_is_short(slug: str) -> None:
    _, _, largest, _ = count_steps(path_of(LESSONS[slug]), questions())
    assert largest <= LARGEST_ELSEWHERE


@pytest.mark.parametrize("slug", LIMITS)
def test_every_screen_of_a_path_has_an_action(slug: str) -> None:
    still = [
        f"{step.slug} {number}"
        for step in path_of(LESSONS[slug])
        for number, screen in enumerate(step.page.screens, start=1)
        if not screen.blocks
    ]
    assert still == []


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("Two *words*, $x + y$ and `code`.", 4),
        ("| a head | b |\n|---|---|\n| a cell | 3 |", 6),
        ("## A heading\n\n```python\nnot = counted\n```\n\nAfter it – this.", 5),
        ("{{ value 1 + 1 }} words", 2),
        ("```listing\ntitle: Two words\nguess: And one\n---\nprint(1)\n---\n1\n```", 4),
        ("```exercise\nslug: sinusoidal-table\n```", 0),
        ("```check\nclaim: One is one.\nvalue: 1\nis: 1\n```", 3),
    ],
)
def test_screen_counts_what_readers_see(text: str, words: int) -> None:
    (screen,) = parse_page(text, path="01-a.md").screens
    assert count_screen(screen, {}) == words


def test_question_counts_prompt_and_options_without_reasons() -> None:
    (screen,) = parse_page("```question\nslug: row-zero\n```", path="01-a.md").screens
    # "What is the row of position 0 for", and four options of four numbers.
    assert count_screen(screen, questions()) == 8 + 4 * 4


def test_figure_counts_its_caption() -> None:
    options = "id: a\nencoding: sinusoidal\nview: heatmap\nset: {d_model: 4, positions: 8}"
    figure, predict = (
        count_screen(parse_page(text, path="01-a.md").screens[0], {})
        for text in (
            f"```figure\n{options}\n```",
            f"```predict\n{options}\nchange: {{base: 100}}\nquestion: What changes?\noptions:\n"
            "  - {text: Two words, right: true, reason: Not counted.}\n"
            "  - {text: Nothing, reason: Not counted.}\n```",
        )
    )
    assert figure >= count_visible("Each row is the code of one position") == 8
    assert predict == figure + 2 + 3


def test_every_kind_of_block_is_counted() -> None:
    assert set(block_kinds()) <= set(COUNTS)


def test_program_prints_a_row_for_each_lesson(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "argv", ["count_words.py"])
    main()
    head, *rows = capsys.readouterr().out.splitlines()
    assert head.split() == ["lesson", "words", "screens", "largest", "minutes"]
    assert [row.split()[0] for row in rows] == list(LESSONS)


def test_program_prints_the_screens_of_a_lesson(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "argv", ["count_words.py", "--steps", "alibi"])
    main()
    rows = [line.split() for line in capsys.readouterr().out.splitlines()[1:]]
    assert [row[0] for row in rows] == [
        *(step.slug for step in LESSONS["alibi"].steps_read),
        "path",
    ]
    *steps, path = ([int(cell) for cell in row[1:]] for row in rows)
    for words, screens, largest, _, *each in steps:
        assert (words, screens, largest) == (sum(each), len(each), max(each))
    assert path[0] == sum(step[0] for step in steps)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--steps", "no-lesson"], "--steps no-lesson: expected one of why-order, "),
        (["--course", "/nowhere"], "--course /nowhere: expected a folder with a course.yaml"),
    ],
)
def test_program_names_what_it_cannot_read(
    arguments: list[str],
    words: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr(sys, "argv", ["count_words.py", *arguments])
    with pytest.raises(SystemExit):
        main()
    assert words in capsys.readouterr().err
