"""Questions that are written in the browser: what is missing, how they are published."""

from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from django.db.models import Prefetch, prefetch_related_objects

from quizzes.assessment.canonical_files import (
    program_content,
    question_content,
    question_files,
)
from quizzes.assessment.drawing.draws import is_drawn, take_drawn
from quizzes.assessment.generator.generator_files import GENERATOR_FILE, read_generator
from quizzes.assessment.models import Option, Question, QuestionVersion
from quizzes.assessment.question_files import question_from
from quizzes.assessment.sources import QuestionSource
from quizzes.assessment.store import new_version
from quizzes.content_files.characters import describe_refused
from quizzes.content_files.files import MemoryFiles
from quizzes.content_files.problems import ContentProblem, refused
from quizzes.content_files.yaml_nodes import Node
from quizzes.courses.drafts import CheckedText
from quizzes.courses.editions import PastText
from quizzes.courses.models import ContentDraft
from quizzes.learners.models import User

UNDRAWN = "draw it first: what you write has not been drawn without a fault yet"
EMPTY_OPTION = {"text": "", "key": False, "reason": ""}
BLANK: Mapping[str, Any] = {
    "kind": "single",
    "prompt": "",
    "step": "",
    "tags": [],
    "keep_last": False,
    "options": [EMPTY_OPTION] * 4,
}


@dataclass(frozen=True)
class CheckedContent(CheckedText):
    """A draft as a question, and what is wrong with it."""

    source: QuestionSource

    def beside(self, published: QuestionVersion | None) -> "CheckedContent":
        """Return the same without the faults that rules since then find in what is published."""
        same = published is not None and published.content_hash == self.source.content_hash
        return CheckedContent(self.source, refused(self.problems, is_published=same))


def content_of(version: QuestionVersion) -> dict[str, Any]:
    """Return a version as the fields of question.yaml; of a generated one with its program."""
    content = {
        "kind": version.kind,
        "prompt": version.prompt,
        "step": version.step,
        "tags": list(version.tags),
        "keep_last": version.keep_last,
    }
    if version.is_generated:  # the options that it has are drawn, and many
        return {**content, **program_content(version.generator)}
    if version.kind in {QuestionVersion.Kind.NUMERIC, QuestionVersion.Kind.TEXT}:
        return {**content, "answer": version.answer}
    content["options"] = [
        _without_blank(
            text=option.text, key=option.is_key, reason=option.reason, mistake=option.mistake
        )
        for option in version.options.all()
        if option.instance_id is None
    ]
    if version.kind == QuestionVersion.Kind.MULTIPLE:
        content["scoring"] = version.scoring
    return content


def _without_blank(*, mistake: str, **option: Any) -> dict[str, Any]:
    return {**option, "mistake": mistake} if mistake else option


ExerciseFiles = Callable[[str], Mapping[str, str]]


def no_exercise(_slug: str) -> Mapping[str, str]:
    """Return the files of no exercise, where none is at hand."""
    return {}


def check(
    slug: str,
    content: Mapping[str, Any],
    *,
    steps: Collection[str],
    mistakes: Collection[str],
    exercise_files: ExerciseFiles = no_exercise,
) -> CheckedContent:
    """Read a draft by the rules of question files; `steps` and `mistakes` are those that exist.

    `exercise_files` returns the files of an exercise from which a generator may draw.
    """
    problems = list(unseen_problems(content))
    fields = {name: value for name, value in content.items() if name != "generator"}
    node, generator = node_of(fields), None
    if "generator" in content:
        generator = _read_program(slug, content, node, exercise_files, problems)
    source = question_from(slug, node, None, problems, generator)
    problems += [problem for step, problem in source.steps if step not in steps]
    problems += [
        ContentProblem(path, 1, f"mistake: there is no known mistake {name}", key="mistake")
        for path, name in named_mistakes(content)
        if name and name not in mistakes
    ]
    return CheckedContent(source, tuple(problems))


def _read_program(
    slug: str,
    content: Mapping[str, Any],
    node: Node,
    exercise_files: ExerciseFiles,
    problems: list[ContentProblem],
) -> Mapping[str, str] | None:
    """Return a generator as a version stores it; a fault of its text has its field and line."""
    folder = f"questions/{slug}"
    texts = {f"{folder}/{GENERATOR_FILE}": content["generator"]}
    if exercise := content.get("exercise", ""):
        files = exercise_files(exercise)
        texts |= {f"exercises/{exercise}/{name}": text for name, text in files.items()}
    else:
        node = Node(None, 1, "", False, {})
    faults: list[ContentProblem] = []
    generator = read_generator(MemoryFiles("", texts), folder, node, faults)
    for fault in faults:
        is_program = fault.path == f"{folder}/{GENERATOR_FILE}"
        path = "generator" if is_program else "exercise"
        words = fault.message if is_program or fault.path == path else str(fault)
        problems.append(
            replace(fault, path=path, message=words, line=fault.line if is_program else 1)
        )
    return generator


def named_mistakes(content: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """Yield the known mistake of each option and wrong number, "" for none, with its field."""
    for number, option in enumerate(content.get("options", ())):
        yield f"options.{number}.mistake", option.get("mistake", "")
    for number, miss in enumerate((content.get("answer") or {}).get("near", ())):
        yield f"answer.near.{number}.mistake", miss.get("mistake", "")


@dataclass
class EditableQuestion:
    """A question for the mechanism of drafts; steps and known mistakes of its course by name."""

    row: Question
    steps: Mapping[str, str] = field(default_factory=dict)
    mistakes: Mapping[str, Any] = field(default_factory=dict)
    exercise_files: ExerciseFiles = no_exercise
    kind = ContentDraft.Kind.QUESTION

    def refresh(self) -> None:
        self.row.refresh_from_db(from_queryset=Question.objects.select_related("course", "current"))

    def published(self) -> dict[str, Any] | None:
        if self.row.current is None:
            return None
        fixed = Prefetch("options", Option.objects.filter(instance=None))
        prefetch_related_objects([self.row.current], fixed)  # drawn options are many
        return content_of(self.row.current)

    def published_hash(self) -> str:
        return self.row.current.content_hash if self.row.current else ""

    def blank(self) -> Mapping[str, Any]:
        return BLANK

    def files(self, content: Mapping[str, Any]) -> dict[str, str]:
        return question_files(content)

    def content(self, files: Mapping[str, str]) -> dict[str, Any]:
        return question_content(files)

    def check(self, content: Mapping[str, Any]) -> CheckedContent:
        checked = check(
            self.row.slug,
            content,
            steps=self.steps,
            mistakes=self.mistakes,
            exercise_files=self.exercise_files,
        ).beside(self.row.current)
        if checked.problems or is_drawn(self.row, checked.source):
            return checked
        return CheckedContent(checked.source, (ContentProblem("draw", 1, UNDRAWN),))

    def store_published(self, source: QuestionSource, editor: User | None) -> str:
        """Make content the current version; what is known from before is that version."""
        known = self.row.versions.filter(content_hash=source.content_hash).first()
        version = known or new_version(self.row, source, writer=editor)
        if version.is_generated:
            take_drawn(version, self.row.current if known is None else None)
        self.row.current = version
        self.row.save(update_fields=["current"])
        return f"version {self.row.current.number}"

    def versions(self) -> list[PastText]:
        """Return its versions. Two queries."""
        fixed = Prefetch("options", Option.objects.filter(instance=None))
        rows = self.row.versions.select_related("written_by").prefetch_related(fixed)
        return [
            PastText(
                version.number,
                content_of(version),
                version.created_at,
                version.written_by,
                from_files=version.written_by is None,
                is_current=version.pk == self.row.current_id,
                row=version,
            )
            for version in rows.order_by("-number")
        ]

    def drop_unused(self) -> bool:
        """Keep the question: a new one without a draft can be written again."""
        return False


def unseen_problems(content: Mapping[str, Any]) -> Iterator[ContentProblem]:
    """Yield a fault for each field with a character that no file of a course may hold."""
    for node, text in _texts(content):
        if wrong := describe_refused(text):
            yield node.problem(wrong)


def is_storable(content: Mapping[str, Any]) -> bool:
    """Say whether a database keeps this draft: PostgreSQL has no NUL."""
    return not any("\0" in text for _, text in _texts(content))


def _texts(content: Mapping[str, Any]) -> Iterator[tuple[Node, str]]:
    waiting = [node_of(dict(content))]
    while waiting:
        node = waiting.pop(0)
        waiting[:0] = node.items()
        if isinstance(node.value, str):
            yield node, node.value


def node_of(value: Any, path: str = "") -> Node:
    """Return plain values as the reader of files sees them, with the field's name as its path."""
    items: list[tuple[Any, Any]] = []
    if isinstance(value, dict):
        items = list(value.items())
    elif isinstance(value, list):
        items = list(enumerate(value))
    inside = f"{path}." if path else ""
    children = {key: node_of(item, f"{inside}{key}") for key, item in items}
    return Node(value, 1, path, True, children)
