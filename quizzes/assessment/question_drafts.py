"""Writing questions in the browser: drafts, what is missing in them, publishing, duplicates."""

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from django.db import transaction
from django.utils import timezone

from quizzes.assessment.models import Question, QuestionDraft, QuestionVersion
from quizzes.assessment.models.drafts import UNPLANNED
from quizzes.assessment.question_files import question_from
from quizzes.assessment.revisions import (
    NotReadyError,
    SlugTakenError,
    StaleRevisionError,
    take_revision,
)
from quizzes.assessment.sources import QuestionSource
from quizzes.assessment.store import new_version
from quizzes.content_files.characters import describe_refused
from quizzes.content_files.problems import ContentProblem, refused
from quizzes.content_files.yaml_nodes import Node
from quizzes.courses.audit import record
from quizzes.courses.models import Course
from quizzes.learners.models import ReviewCard, User
from quizzes.learners.review import set_cards_aside

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
class CheckedContent:
    """A draft as a question, and what is wrong with it; a fault's path is the field's name."""

    source: QuestionSource
    problems: tuple[ContentProblem, ...]

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


@dataclass(frozen=True)
class Editable:
    """What an editor opens: the draft, else the published version, else a blank question."""

    content: Mapping[str, Any]
    revision: int
    draft: QuestionDraft | None


def editable(question: Question) -> Editable:
    """Return the content to edit, with the revision that a change must name."""
    current = Question.objects.select_related("draft__edited_by", "current").get(pk=question.pk)
    draft = getattr(current, "draft", None)
    if draft is not None:
        return Editable(draft.content, current.revision, draft)
    published = content_of(current.current) if current.current else dict(BLANK)
    return Editable(published, current.revision, None)


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


@transaction.atomic
def save_draft(
    *, question: Question, content: Mapping[str, Any], revision: int, editor: User
) -> int:
    """Save a draft over the revision it was made from; return the new revision.

    Raises StaleRevisionError.
    """
    taken = take_revision(question, revision)
    facts = {"content": dict(content), "edited_by": editor, **UNPLANNED}
    QuestionDraft.objects.update_or_create(
        question=question, defaults=facts, create_defaults={**facts, "base": _base_of(question)}
    )
    return taken


def _base_of(question: Question) -> str:
    """Return the hash of what is published now, "" for nothing."""
    published = Question.objects.filter(pk=question.pk).values_list("current__content_hash")
    return published.get()[0] or ""


@transaction.atomic
def publish(
    *,
    question: Question,
    revision: int,
    steps: Collection[str],
    mistakes: Collection[str],
    editor: User | None,
) -> QuestionVersion:
    """Make the draft the question's current version; content known from before is that version.

    Attempts that have begun keep what they asked. Raises NotReadyError or StaleRevisionError.
    """
    draft, checked = _ready_draft(question, revision, steps, mistakes)
    known = question.versions.filter(content_hash=checked.source.content_hash).first()
    question.current = known or new_version(question, checked.source, writer=editor)
    question.save(update_fields=["current"])
    draft.delete()
    record(
        by=editor,
        act="published",
        subjects=[question.as_subject()],
        about=f"version {question.current.number}",
        course=question.course,
    )
    return question.current


@transaction.atomic
def publish_later(
    *,
    question: Question,
    revision: int,
    steps: Collection[str],
    mistakes: Collection[str],
    editor: User,
) -> None:
    """Have the draft published when no class has a quiz with it to do; saving it undoes that.

    The plan is based on what is published now, which the editor of this revision has seen.
    Raises NotReadyError or StaleRevisionError.
    """
    draft, _ = _ready_draft(question, revision, steps, mistakes)
    QuestionDraft.objects.filter(pk=draft.pk).update(
        publish_when_closed=True, base=_base_of(question)
    )
    record(
        by=editor,
        act="will publish",
        subjects=[question.as_subject()],
        about="when no class has it to do",
        course=question.course,
    )


def _ready_draft(
    question: Question, revision: int, steps: Collection[str], mistakes: Collection[str]
) -> tuple[QuestionDraft, CheckedContent]:
    """Take the revision, and return the draft with its content, which can be published."""
    take_revision(question, revision)
    draft = QuestionDraft.objects.filter(question=question).first()
    if draft is None:
        raise StaleRevisionError(str(question), question.revision, None)
    checked = check(question.slug, draft.content, steps=steps, mistakes=mistakes)
    if checked.problems and (checked := checked.beside(question.current)).problems:
        raise NotReadyError(checked.problems)
    return draft, checked


@transaction.atomic
def discard_draft(*, question: Question, revision: int) -> None:
    """Delete the draft. Raises StaleRevisionError."""
    take_revision(question, revision)
    QuestionDraft.objects.filter(question=question).delete()


@transaction.atomic
def new_question(
    course: Course, *, slug: str, content: Mapping[str, Any], editor: User
) -> Question:
    """Begin a question, or a duplicate, as a draft. Raises SlugTakenError."""
    question, made = Question.objects.get_or_create(course=course, slug=slug)
    if not made:
        raise SlugTakenError(f"there is already a question {slug}")
    save_draft(question=question, content=content, revision=0, editor=editor)
    return question


@transaction.atomic
def withdraw_question(*, question: Question, by: User | None = None) -> bool:
    """Withdraw a question; False where it was withdrawn already. Existing answers are kept.

    It belongs to the browser from now on: no load brings it back, nor does a draft that waits for
    a class.
    """
    there = Question.objects.filter(pk=question.pk, withdrawn_at=None)
    done = there.update(withdrawn_at=timezone.now(), loaded_hash="")
    QuestionDraft.objects.filter(question=question).update(publish_when_closed=False)
    if done:
        record(by=by, act="withdrew", subjects=[question.as_subject()], course=question.course)
    _set_cards_aside(question.course_id)
    return bool(done)


@transaction.atomic
def bring_back_question(*, question: Question, by: User | None = None) -> bool:
    """Let a withdrawn question be asked again; False where it was not withdrawn.

    It belongs to the browser until a load names it again, so that none takes it away.
    """
    gone = Question.objects.filter(pk=question.pk, withdrawn_at__isnull=False)
    done = gone.update(withdrawn_at=None, loaded_hash="")
    if done:
        subjects = [question.as_subject()]
        record(by=by, act="restored", subjects=subjects, course=question.course)
    _set_cards_aside(question.course_id)
    return bool(done)


def _set_cards_aside(course: int) -> None:
    """Have the review cards of withdrawn questions wait, and all others be due again."""
    gone = Question.objects.filter(course=course, withdrawn_at__isnull=False)
    slugs = list(gone.values_list("slug", flat=True))
    set_cards_aside(course, kind=ReviewCard.Kind.QUESTION, slugs=slugs)


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
