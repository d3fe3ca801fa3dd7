"""Questions that are written in the browser: what is missing, how they are published."""

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from django.db.models import Prefetch, prefetch_related_objects

from quizzes.assessment.canonical_files import question_content, question_files
from quizzes.assessment.models import Option, Question, QuestionVersion
from quizzes.assessment.question_files import question_from
from quizzes.assessment.sources import QuestionSource
from quizzes.assessment.store import new_version
from quizzes.content_files.characters import describe_refused
from quizzes.content_files.problems import ContentProblem, refused
from quizzes.content_files.yaml_nodes import Node
from quizzes.courses.drafts import CheckedText
from quizzes.courses.editions import PastText
from quizzes.courses.models import ContentDraft
from quizzes.learners.models import User

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
    """Return a version as the fields of question.yaml; a generated one's prompt, step and tags."""
    content = {
        "kind": version.kind,
        "prompt": version.prompt,
        "step": version.step,
        "tags": list(version.tags),
        "keep_last": version.keep_last,
        "options": [
            _without_blank(
                text=option.text, key=option.is_key, reason=option.reason, mistake=option.mistake
            )
            for option in version.options.all()
            if option.instance_id is None
        ],
    }
    if version.kind == QuestionVersion.Kind.MULTIPLE:
        content["scoring"] = version.scoring
    if version.kind in {QuestionVersion.Kind.NUMERIC, QuestionVersion.Kind.TEXT}:
        del content["options"]
        content["answer"] = version.answer
    return content


def _without_blank(*, mistake: str, **option: Any) -> dict[str, Any]:
    return {**option, "mistake": mistake} if mistake else option


def check(
    slug: str, content: Mapping[str, Any], *, steps: Collection[str], mistakes: Collection[str]
) -> CheckedContent:
    """Read a draft by the rules of question files; `steps` and `mistakes` are those that exist."""
    problems = list(unseen_problems(content))
    source = question_from(slug, node_of(dict(content)), None, problems)
    problems += [problem for step, problem in source.steps if step not in steps]
    problems += [
        ContentProblem(path, 1, f"mistake: there is no known mistake {name}", key="mistake")
        for path, name in named_mistakes(content)
        if name and name not in mistakes
    ]
    return CheckedContent(source, tuple(problems))


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
        checked = check(self.row.slug, content, steps=self.steps, mistakes=self.mistakes)
        return checked.beside(self.row.current)

    def store_published(self, source: QuestionSource, editor: User | None) -> str:
        """Make content the current version; what is known from before is that version."""
        known = self.row.versions.filter(content_hash=source.content_hash).first()
        self.row.current = known or new_version(self.row, source, writer=editor)
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
