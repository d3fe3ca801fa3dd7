"""Writing questions and quizzes back into a course folder, after they were edited in the browser.

A file that says the same already is left as it is, comments and layout too.
"""

import os
import tempfile
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from django.db.models import Prefetch

from quizzes.assessment.drafting import content_of
from quizzes.assessment.files import read_questions, read_quizzes
from quizzes.assessment.models import Option, Question, Quiz
from quizzes.assessment.quiz_drafting import content_of_quiz
from quizzes.assessment.reading_generator import GENERATOR_FILE
from quizzes.assessment.sources import QuestionSource
from quizzes.assessment.storing import stored_quiz_hash
from quizzes.authoring.canonical import question_files, quiz_file
from quizzes.authoring.course_files import CourseFiles

PROMPT = "prompt.md"


@dataclass(frozen=True)
class Item:
    """One question or quiz as files below the course folder; None for one that must go."""

    slug: str
    content_hash: str
    files: Mapping[str, str | None]


def export(root: Path) -> list[str]:
    """Write what the database has and the folder says otherwise; return the files written.

    Only what learners are asked: drafts and withdrawn quizzes stay where they are.
    """
    there = _hashes(root, read_questions) | _hashes(root, read_quizzes)
    written = []
    for item in (*_questions(), *_quizzes()):
        first = next(iter(item.files))
        if there.get(first) != item.content_hash:
            written += [name for name, text in item.files.items() if put(root, name, text)]
    return written


def canonical_files(files: CourseFiles) -> Iterator[tuple[str, str | None]]:
    """Yield every question's and quiz's file of a course with its canonical text."""
    for source in files.sources["question"]:
        yield from _of_question(source.slug, _content(source), source.generator).items()
    for quiz in files.sources["quiz"]:
        slugs = [slug for slug, _ in quiz.questions]
        content = {"title": quiz.title, "summary": quiz.summary, "questions": slugs}
        yield f"quizzes/{quiz.slug}.yaml", quiz_file(content)


def _questions() -> Iterator[Item]:
    rows = Question.objects.filter(current__isnull=False).order_by("slug")
    fixed = Prefetch("current__options", Option.objects.filter(instance=None))
    for question in rows.select_related("current").prefetch_related(fixed):
        version = question.current
        assert version is not None
        files = _of_question(question.slug, content_of(version), version.generator)
        yield Item(question.slug, version.content_hash, files)


def _quizzes() -> Iterator[Item]:
    for quiz in Quiz.objects.filter(is_published=True).order_by("slug"):
        files = {f"quizzes/{quiz.slug}.yaml": quiz_file(content_of_quiz(quiz))}
        yield Item(quiz.slug, stored_quiz_hash(quiz), files)


def _of_question(
    slug: str, content: Mapping[str, Any], generator: Mapping[str, str]
) -> dict[str, str | None]:
    exercise = {"exercise": generator["exercise"]} if "exercise" in generator else {}
    files: dict[str, str | None] = {**question_files({**content, **exercise})}
    if GENERATOR_FILE in generator:  # the rest lies with the exercise
        files[GENERATOR_FILE] = generator[GENERATOR_FILE]
    files.setdefault(PROMPT, None)
    return {f"questions/{slug}/{name}": text for name, text in files.items()}


def _content(source: QuestionSource) -> dict[str, Any]:
    """Return a question as read from files as the fields of question.yaml."""
    options = [
        {"text": one.text, "key": one.is_key, "mistake": one.mistake, "reason": one.reason}
        for one in source.options
    ]
    return {
        "kind": source.kind,
        "prompt": source.prompt,
        "step": source.step,
        "tags": list(source.tags),
        "keep_last": source.keep_last,
        "options": options,
        "answer": source.answer,
    }


def _hashes(root: Path, read: Callable[[Path], tuple[list[Any], list[Any]]]) -> dict[str, str]:
    """Return {path: content hash} of what stands in the folder, without what is faulty there."""
    sources, faults = read(root)
    faulty = {fault.path for fault in faults}
    return {one.path: one.content_hash for one in sources if one.path not in faulty}


def put(root: Path, name: str, text: str | None) -> bool:
    """Write a file whole or not at all, or delete it for None; say whether anything changed."""
    path = root / name
    if path.parent.exists() and not path.parent.resolve().is_relative_to(root.resolve()):
        raise ValueError(f"{name}: its folder leads out of {root}")
    if text is None:
        existed = path.exists() or path.is_symlink()
        path.unlink(missing_ok=True)
        return existed
    if path.is_file() and not path.is_symlink() and path.read_text(encoding="utf-8") == text:
        return False
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, unfinished = tempfile.mkstemp(dir=path.parent, prefix=".")
    with os.fdopen(handle, "w", encoding="utf-8") as file:
        file.write(text)
    Path(unfinished).chmod(0o644)
    Path(unfinished).replace(path)  # also over a link, which is not followed
    return True
