"""Print how many words readers see on the path of each lesson, and its screens and minutes.

Usage: python tools/count_words.py [--course FOLDER] [--steps LESSON]

The path is what a lesson has before "Going deeper". Visible are running text, headings and cells
of tables, the captions of figures, the titles and guesses of listings, questions and predictions
with their options. Not counted are formulas, code and its output, reasons and hints, and what the
page puts around a step. Nor are the meanings of terms at the right of a screen: they repeat the
glossary, and only wide windows show them. Minutes are those of the lesson's page, without
exercises.
"""

import argparse
import os
import re
import sys
from collections.abc import Callable, Iterator, Mapping
from html import unescape
from pathlib import Path

import django

ROOT = Path(__file__).resolve().parents[1]
HOME = ROOT / "quizzes/content/positional-encodings"
if __name__ == "__main__":
    sys.path.insert(0, str(ROOT))
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "quizzes.config.settings")
    os.environ.setdefault("ORDINAL_ENV", "development")
    django.setup()  # the applications register their kinds of blocks

from quizzes.assessment.question_files import read_questions  # noqa: E402
from quizzes.assessment.sources import QuestionSource  # noqa: E402
from quizzes.content_files.files import DiskFiles  # noqa: E402
from quizzes.lessons.figures.address import compute  # noqa: E402
from quizzes.lessons.figures.figure_params import picture_of  # noqa: E402
from quizzes.lessons.lesson_files import LessonSource, StepSource, read_lessons  # noqa: E402
from quizzes.pages.blocks import Block, Prose, Screen  # noqa: E402
from quizzes.pages.markdown import render_inline, render_markdown  # noqa: E402

Questions = Mapping[str, QuestionSource]
HEADING = ("words", "screens", "largest", "minutes")
_HIDDEN = re.compile(r"<(math|pre)\b.*?</\1>", re.DOTALL)
_TAG = re.compile(r"<[^>]*>")


def count_visible(html: str) -> int:
    """Count the words of HTML that have a letter or digit, without formulas and code blocks."""
    text = unescape(_TAG.sub("", _HIDDEN.sub(" ", html)))
    return sum(any(map(str.isalnum, word)) for word in text.split())


def _count_lines(*lines: object) -> int:
    return sum(count_visible(render_inline(str(line))) for line in lines if line)


def _count_figure(block: Block, _: Questions) -> int:
    data = compute(picture_of(block))
    return _count_lines(data.title, data.subtitle, data.finding)


def _count_predict(block: Block, questions: Questions) -> int:
    options = [option["text"] for option in block.options.get("options") or ()]
    label = (block.options.get("drag") or {}).get("label", "")
    lines = (block.options["question"], *options, label)
    return _count_figure(block, questions) + _count_lines(*lines)


def _count_question(block: Block, questions: Questions) -> int:
    question = questions[str(block.options["slug"])]
    options = _count_lines(*(option.text for option in question.options))
    return count_visible(render_markdown(question.prompt)) + options


COUNTS: Mapping[str, Callable[[Block, Questions], int]] = {
    "check": lambda block, _: _count_lines(block.options["claim"]),
    "exercise": lambda *_: 0,  # a card with the title of another page
    "figure": _count_figure,
    "listing": lambda block, _: _count_lines(block.options["title"], block.options.get("guess")),
    "picture": lambda block, _: _count_lines(block.options.get("caption")),
    "plot": lambda *_: 0,  # its words are drawn by a program
    "predict": _count_predict,
    "question": _count_question,
    "sentence": lambda block, _: _count_lines(block.options.get("words")),
}


def count_screen(screen: Screen, questions: Questions) -> int:
    """Count the words on a screen; a kind of block that COUNTS does not name is a KeyError."""
    return sum(
        count_visible(part.html) if isinstance(part, Prose) else COUNTS[part.kind](part, questions)
        for part in screen.parts
    )


def path_of(lesson: LessonSource) -> list[StepSource]:
    """Return the steps of a lesson before "Going deeper"."""
    return [step for step in lesson.steps_read if not step.going_deeper]


def count_steps(steps: list[StepSource], questions: Questions) -> tuple[int, int, int, int]:
    """Return words, screens, words of the largest screen, and minutes of some steps."""
    screens = [count_screen(screen, questions) for step in steps for screen in step.page.screens]
    seconds = sum(step.reading_seconds - step.code_seconds for step in steps)
    return sum(screens), len(screens), max(screens, default=0), round(seconds / 60)


def lesson_rows(lessons: list[LessonSource], questions: Questions) -> Iterator[str]:
    """Yield a row for each lesson."""
    width = max(len(lesson.slug) for lesson in lessons)
    yield _row("lesson", width, HEADING)
    for lesson in lessons:
        yield _row(lesson.slug, width, count_steps(path_of(lesson), questions))


def step_rows(lesson: LessonSource, questions: Questions) -> Iterator[str]:
    """Yield a row for each step of a lesson, with the words of its screens, then for its path."""
    on_path = path_of(lesson)
    width = max(len(step.slug) for step in lesson.steps_read)
    yield _row("step", width, (*HEADING, "  each screen"))
    for step in lesson.steps_read:
        if on_path and step not in on_path:
            yield _row("path", width, count_steps(on_path, questions))
            yield "going deeper"
            on_path = []
        each = " ".join(str(count_screen(screen, questions)) for screen in step.page.screens)
        yield _row(step.slug, width, (*count_steps([step], questions), f"  {each}"))
    if on_path:
        yield _row("path", width, count_steps(on_path, questions))


def _row(name: str, width: int, cells: tuple[object, ...]) -> str:
    return f"{name:<{width}}" + "".join(f"{cell!s:>9}" for cell in cells)


def main() -> None:
    """Print the table that the arguments ask for."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--course", type=Path, default=HOME, help="the folder with course.yaml")
    parser.add_argument("--steps", metavar="LESSON", help="the slug of a lesson")
    arguments = parser.parse_args()
    if not (arguments.course / "course.yaml").is_file():
        parser.error(f"--course {arguments.course}: expected a folder with a course.yaml")
    lessons = {lesson.slug: lesson for lesson in read_lessons(DiskFiles(arguments.course))[0]}
    questions = {
        question.slug: question for question in read_questions(DiskFiles(arguments.course))[0]
    }
    rows = lesson_rows(list(lessons.values()), questions)
    if arguments.steps:
        if arguments.steps not in lessons:
            parser.error(f"--steps {arguments.steps}: expected one of {', '.join(lessons)}")
        rows = step_rows(lessons[arguments.steps], questions)
    print("\n".join(rows))


if __name__ == "__main__":
    main()
