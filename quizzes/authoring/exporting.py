"""Write questions and quizzes back into a course folder, byte for byte in one canonical form.

A file that has the same content already stays as it is, with its comments and layout.
"""

import os
import re
import tempfile
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml
from django.db.models import Prefetch

from quizzes.assessment.generator.generator_files import GENERATOR_FILE
from quizzes.assessment.models import Option, Question, Quiz
from quizzes.assessment.question_drafts import content_of
from quizzes.assessment.question_files import read_questions, read_quizzes
from quizzes.assessment.quiz_drafts import content_of_quiz
from quizzes.assessment.sources import QuestionSource
from quizzes.assessment.store import stored_quiz_hash
from quizzes.authoring.course_files import CourseFiles
from quizzes.content_files.yaml_nodes import PlainLoader

PROMPT = "prompt.md"


@dataclass(frozen=True)
class Item:
    """One question or quiz as files below the course folder; None for a file to delete."""

    slug: str
    content_hash: str
    files: Mapping[str, str | None]


def export(root: Path) -> list[str]:
    """Write the content in which database and folder differ; return the files written.

    Only content that learners are asked is written: drafts and withdrawn quizzes stay in the
    database.
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
    """Return a question that was read from files as the fields of question.yaml."""
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
    """Return {path: content hash} of the folder's files, without those that have faults."""
    sources, problems = read(root)
    faulty = {problem.path for problem in problems}
    return {one.path: one.content_hash for one in sources if one.path not in faulty}


def put(root: Path, name: str, text: str | None) -> bool:
    """Write a file whole or not at all, or delete it for None; return whether it changed."""
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


# The canonical form: fields stand in a fixed order, empty fields are left out, prose is folded at
# 100 columns. A file in this form that is loaded and written again is the same file.
WIDTH = 100
QUESTION_FIELDS = (
    "kind",
    "step",
    "tags",
    "keep_last",
    "exercise",
    "prompt",
    "answer",
    "options",
)
OPTION_FIELDS = ("text", "key", "mistake", "reason")
ANSWER_FIELDS = ("value", "within", "plus_minus", "unit", "reason", "near")
NEAR_FIELDS = ("value", "mistake", "reason")
QUIZ_FIELDS = ("title", "summary", "questions")
FOLDS = re.compile(r"[^\s#-](?:[^\s]| (?=[^\s]))*")  # one line, single spaces, no list or comment
PROSE_FROM = 60  # characters; shorter texts stay beside their key


class _Canonical(yaml.SafeDumper):
    """Quotes text that our own reader would take for a number or another value."""

    def increase_indent(self, flow: bool = False, indentless: bool = False) -> None:
        del indentless  # items of a list stand two columns in, as the course has them
        super().increase_indent(flow, False)


_Canonical.yaml_implicit_resolvers = PlainLoader.yaml_implicit_resolvers


class _Row(list[Any]):
    """A list that stands on one line."""


def _text(dumper: _Canonical, text: str) -> yaml.Node:
    style = None
    if "\n" in text:
        style = "|"
    elif len(text) > PROSE_FROM and FOLDS.fullmatch(text):
        style = ">"
    return dumper.represent_scalar("tag:yaml.org,2002:str", text, style=style)


def _row(dumper: _Canonical, items: _Row) -> yaml.Node:
    return dumper.represent_sequence("tag:yaml.org,2002:seq", items, flow_style=True)


_Canonical.add_representer(str, _text)
_Canonical.add_representer(_Row, _row)


def question_files(content: Mapping[str, Any]) -> dict[str, str]:
    """Return the files of a question by name; a prompt of several lines has a file of its own."""
    fields = _ordered(content, QUESTION_FIELDS)
    files = {}
    if "\n" in fields.get("prompt", ""):
        files["prompt.md"] = f"{fields.pop('prompt')}\n"
    if "tags" in fields:
        fields["tags"] = _Row(fields["tags"])
    if "options" in fields:
        fields["options"] = [_ordered(option, OPTION_FIELDS) for option in fields["options"]]
    if "answer" in fields:
        fields["answer"] = _answer(fields["answer"])
    return {"question.yaml": _yaml(fields), **files}


def quiz_file(content: Mapping[str, Any]) -> str:
    """Return the file of a quiz."""
    return _yaml(_ordered(content, QUIZ_FIELDS))


def _answer(answer: Mapping[str, Any]) -> dict[str, Any]:
    fields = _ordered(answer, ANSWER_FIELDS)
    if "near" in fields:
        fields["near"] = [_ordered(miss, NEAR_FIELDS) for miss in fields["near"]]
    return fields


def _ordered(content: Mapping[str, Any], names: tuple[str, ...]) -> dict[str, Any]:
    """Return the fields that have a value, in their order; an unknown field is an error."""
    unknown = sorted(content.keys() - set(names))
    if unknown:
        raise ValueError(f"{unknown}: has no place in the canonical form ({', '.join(names)})")
    return {name: content[name] for name in names if content.get(name) not in (None, "", [], False)}


def _yaml(fields: Mapping[str, Any]) -> str:
    return yaml.dump(
        dict(fields),
        Dumper=_Canonical,
        sort_keys=False,
        allow_unicode=True,
        default_flow_style=False,
        width=WIDTH,
    )
