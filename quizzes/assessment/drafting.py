"""Writing questions in the browser: drafts, what is missing in them, publishing, duplicates."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any

from django.db import IntegrityError, transaction

from quizzes.assessment.models import Question, QuestionDraft, QuestionVersion
from quizzes.assessment.reading import question_from
from quizzes.assessment.sources import QuestionSource
from quizzes.assessment.storing import new_version
from quizzes.learners.models import User
from quizzes.pages.source import Fault, Node

EMPTY_OPTION = {"text": "", "key": False, "reason": ""}
BLANK: Mapping[str, Any] = {
    "kind": "single",
    "prompt": "",
    "step": "",
    "tags": [],
    "keep_last": False,
    "options": [EMPTY_OPTION] * 4,
}


class StaleDraftError(Exception):
    """Somebody else saved the draft since it was opened; nothing was changed."""

    def __init__(self, draft: QuestionDraft | None) -> None:
        super().__init__(f"{draft or 'the draft'} was saved by somebody else meanwhile")
        self.draft = draft


class NotReadyError(Exception):
    """The draft cannot be published; `faults` say what is missing, by field."""

    def __init__(self, faults: Collection[Fault]) -> None:
        super().__init__("; ".join(f"{fault.path}: {fault.message}" for fault in faults))
        self.faults = tuple(faults)


class SlugTakenError(Exception):
    """Another question has this name."""


@dataclass(frozen=True)
class Checked:
    """A draft as a question, and what is wrong with it; a fault's path is the field's name."""

    source: QuestionSource
    faults: tuple[Fault, ...]


def content_of(version: QuestionVersion) -> dict[str, Any]:
    """Return a version as the fields of question.yaml."""
    return {
        "kind": version.kind,
        "prompt": version.prompt,
        "step": version.step,
        "tags": list(version.tags),
        "keep_last": version.keep_last,
        "options": [
            {"text": option.text, "key": option.is_key, "reason": option.reason}
            for option in version.options.all()
        ],
    }


def editable_content(question: Question) -> tuple[dict[str, Any], int]:
    """Return what an editor shows and its revision: the draft, or the published version as 0."""
    draft = QuestionDraft.objects.filter(question=question).first()
    if draft is not None:
        return draft.content, draft.revision
    return (content_of(question.current) if question.current else dict(BLANK)), 0


def check(slug: str, content: Mapping[str, Any], *, steps: Collection[str]) -> Checked:
    """Read a draft by the rules of question files; `steps` are those that exist."""
    faults: list[Fault] = []
    source = question_from(slug, _node(dict(content), ""), None, faults)
    faults += [fault for step, fault in source.steps if step not in steps]
    return Checked(source, tuple(faults))


@transaction.atomic
def save_draft(
    *, question: Question, content: Mapping[str, Any], revision: int, editor: User
) -> QuestionDraft:
    """Save a draft over the revision it began from; 0 means that there was none.

    Raises StaleDraftError when the draft has another revision by now.
    """
    facts = {"content": dict(content), "edited_by": editor, "revision": revision + 1}
    found = QuestionDraft.objects.select_for_update().filter(question=question).first()
    if (found.revision if found else 0) != revision:
        raise StaleDraftError(found)
    if found is None:
        try:
            with transaction.atomic():
                return QuestionDraft.objects.create(question=question, **facts)
        except IntegrityError as error:
            raise StaleDraftError(QuestionDraft.objects.get(question=question)) from error
    for name, value in facts.items():
        setattr(found, name, value)
    found.save()
    return found


@transaction.atomic
def publish(*, question: Question, revision: int, steps: Collection[str]) -> QuestionVersion:
    """Make the draft the question's current version; content known from before is that version.

    Attempts that have begun keep what they asked. Raises NotReadyError or StaleDraftError.
    """
    draft = QuestionDraft.objects.select_for_update().filter(question=question).first()
    if draft is None or draft.revision != revision:
        raise StaleDraftError(draft)
    checked = check(question.slug, draft.content, steps=steps)
    if checked.faults:
        raise NotReadyError(checked.faults)
    known = question.versions.filter(content_hash=checked.source.content_hash).first()
    question.current = known or new_version(question, checked.source)
    question.save(update_fields=["current"])
    draft.delete()
    return question.current


def discard_draft(*, question: Question, revision: int) -> bool:
    """Delete the draft if it still has this revision."""
    drafts = QuestionDraft.objects.filter(question=question, revision=revision)
    return bool(drafts.delete()[0])


@transaction.atomic
def new_question(*, slug: str, content: Mapping[str, Any], editor: User) -> Question:
    """Begin a question, or a duplicate, as a draft. Raises SlugTakenError."""
    question, made = Question.objects.get_or_create(slug=slug)
    if not made:
        raise SlugTakenError(f"there is a question {slug} already")
    save_draft(question=question, content=content, revision=0, editor=editor)
    return question


def _node(value: Any, path: str) -> Node:
    """Return plain values as the reader of files sees them, with the field's name as its path."""
    items: list[tuple[Any, Any]] = []
    if isinstance(value, dict):
        items = list(value.items())
    elif isinstance(value, list):
        items = list(enumerate(value))
    inside = f"{path}." if path else ""
    children = {key: _node(item, f"{inside}{key}") for key, item in items}
    return Node(value, 1, path, True, children)
