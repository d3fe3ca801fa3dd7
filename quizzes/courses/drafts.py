"""What is written in the browser: drafts, two editors at once, publishing now and later.

There is one way for all kinds of things: a room makes a kind editable by a class of the protocol
`Editable`. A form carries the revision that it was made from, which is a hash of what stood there.
So the second of two editors learns of the first, and overwrites nothing.

A change of a draft holds the row of its course, as every change of content does.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from django.db import transaction
from django.db.models import Exists, F, Max, OuterRef, QuerySet
from django.utils import timezone

from quizzes.content_files.problems import ContentProblem
from quizzes.content_files.stored_hashes import hash_of
from quizzes.courses.audit import record
from quizzes.courses.editions import PastText
from quizzes.courses.log_subjects import Subject
from quizzes.courses.models import UNPLANNED, ContentDraft, Course, Edition
from quizzes.learners.models import User

MOST_DRAFTS = 200  # of a course


@dataclass(frozen=True)
class CheckedText:
    """A text read by the rules of course files, and what is wrong with it.

    `source` is what the kind publishes. The path of a fault is the name of its field.
    """

    source: Any
    problems: tuple[ContentProblem, ...]


class Editable(Protocol):
    """A thing of a course as the mechanism of drafts sees it. Contents are fields of its form."""

    @property
    def kind(self) -> ContentDraft.Kind:
        """Return the kind under which drafts are stored."""

    @property
    def row(self) -> Any:
        """Return the row, which exists before anything is published, with course and slug."""

    def refresh(self) -> None:
        """Read the row again. Raises DoesNotExist."""

    def published(self) -> Mapping[str, Any] | None:
        """Return the content that learners get, None for nothing."""

    def published_hash(self) -> str:
        """Return the content hash of the same, "" for nothing."""

    def blank(self) -> Mapping[str, Any]:
        """Return what an editor begins with where there is no draft and nothing published."""

    def files(self, content: Mapping[str, Any]) -> dict[str, str]:
        """Return any content of a form, also an incomplete one, as the thing's files."""

    def content(self, files: Mapping[str, str]) -> dict[str, Any]:
        """Return the same content again."""

    def check(self, content: Mapping[str, Any]) -> CheckedText:
        """Read a content; faults of rules that are younger than what is published do not count."""

    def store_published(self, source: Any, editor: User | None) -> str:
        """Store what was checked as published; return more words for the log, or ""."""

    def versions(self) -> list[PastText]:
        """Return what was published in the course of time, newest first."""

    def drop_unused(self) -> bool:
        """Delete a thing without a draft that nobody ever met; return whether it was one."""


@dataclass(frozen=True)
class CurrentText:
    """What an editor opens: the draft, else what is published, else a blank form."""

    content: Mapping[str, Any]
    revision: str
    draft: ContentDraft | None


class StaleRevisionError(Exception):
    """Somebody changed the thing since the form was opened; nothing was changed now.

    `now` is what stands there: its draft is None when it was published or discarded, and a form
    needs its revision to change it.
    """

    def __init__(self, name: str, now: CurrentText) -> None:
        super().__init__(f"{name} was changed by somebody else in the meantime")
        self.now = now
        self.revision = now.revision
        self.draft = now.draft


class NotReadyError(Exception):
    """The draft cannot be published; `problems` say what is missing, by field."""

    def __init__(self, problems: Sequence[ContentProblem]) -> None:
        super().__init__("; ".join(f"{problem.path}: {problem.message}" for problem in problems))
        self.problems = tuple(problems)


class OutdatedDraftError(Exception):
    """Since the draft was planned, its thing was withdrawn, or something else was published."""


class TooManyDraftsError(Exception):
    """The course has as many drafts as it may have; the text says how many."""


class SlugTakenError(Exception):
    """Another thing of the kind has this name."""


def draft_of(thing: Editable) -> ContentDraft | None:
    """Return the draft of a thing, with the account that saved it. One query."""
    return _drafts(thing).select_related("edited_by").first()


def _drafts(thing: Editable) -> QuerySet[ContentDraft]:
    return ContentDraft.objects.filter(
        course_id=thing.row.course_id, kind=thing.kind, slug=thing.row.slug
    )


def has_draft(kind: ContentDraft.Kind) -> Exists:
    """Return an expression for rows of a kind: whether there is a draft of it."""
    same = ContentDraft.objects.filter(course=OuterRef("course"), kind=kind, slug=OuterRef("slug"))
    return Exists(same)


def current_text(thing: Editable) -> CurrentText:
    """Read a thing again; return the content to edit, with the revision that a change must name.

    Raises DoesNotExist where it was discarded meanwhile.
    """
    thing.refresh()
    draft = draft_of(thing)
    if draft is not None:
        content: Mapping[str, Any] = thing.content(draft.files)
    else:
        content = thing.published() or thing.blank()
    return CurrentText(content, _revision(thing, content, draft), draft)


def _revision(thing: Editable, content: Mapping[str, Any], draft: ContentDraft | None) -> str:
    # A plan that a worker gave up changed nothing that an editor could overwrite.
    is_planned = draft and (draft.publish_when_closed or bool(draft.not_published_at))
    return hash_of([thing.published_hash(), is_planned, draft and draft.base, content])


def lock_revision(thing: Editable, revision: str) -> CurrentText:
    """Lock the thing until the transaction ends. Raises StaleRevisionError for another revision."""
    lock_course(thing.row.course_id)
    now = current_text(thing)
    if now.revision != revision:
        raise StaleRevisionError(str(thing.row), now)
    return now


def lock_course(course: int) -> None:
    """Let nobody else write content or drafts of a course until the transaction ends."""
    Course.objects.select_for_update(no_key=True).filter(pk=course).values("pk").get()


@transaction.atomic
def save_draft(
    thing: Editable, *, content: Mapping[str, Any], revision: str, editor: User | None
) -> str:
    """Save a draft over the revision it was made from; return the new revision.

    Raises StaleRevisionError, TooManyDraftsError.
    """
    files = thing.files(content)  # takes a while for long texts: nobody waits meanwhile
    now = lock_revision(thing, revision)
    if now.draft is None and thing.row.course.drafts.count() >= MOST_DRAFTS:
        raise TooManyDraftsError(
            f"the course has {MOST_DRAFTS} drafts, which is the most: publish or discard one"
        )
    facts = {"files": files, "edited_by": editor, **UNPLANNED}
    ContentDraft.objects.update_or_create(
        course_id=thing.row.course_id,
        kind=thing.kind,
        slug=thing.row.slug,
        defaults=facts,
        create_defaults={**facts, "base": thing.published_hash()},
    )
    return current_text(thing).revision


@transaction.atomic
def begin(
    rows: QuerySet[Any],
    editable: Callable[[Any], Editable],
    *,
    content: Mapping[str, Any],
    editor: User,
    **named: Any,
) -> Any:
    """Begin a thing as a draft; return its row. Raises SlugTakenError, TooManyDraftsError.

    `named` are course and slug, and under `defaults` what hides a new row from learners.
    """
    row, is_new = rows.get_or_create(**named)
    if not is_new:
        raise SlugTakenError(f"there is already a {row._meta.model_name} {row.slug}")
    thing = editable(row)
    save_draft(thing, content=content, revision=current_text(thing).revision, editor=editor)
    return row


@transaction.atomic
def publish(thing: Editable, *, revision: str, editor: User | None) -> Any:
    """Give learners the draft; return what was published, as `check` read it.

    Attempts that have begun keep what they asked. Raises NotReadyError or StaleRevisionError.
    """
    draft, checked = _ready_draft(thing, revision)
    about = thing.store_published(checked.source, editor)
    draft.delete()
    _note(thing, "published", about, editor)
    return checked.source


@transaction.atomic
def publish_later(thing: Editable, *, revision: str, editor: User) -> None:
    """Have the draft published when no class has it to do any more; saving it undoes that.

    The plan is based on what is published now, which the editor of this revision has seen.
    Raises NotReadyError or StaleRevisionError.
    """
    _ready_draft(thing, revision)
    _drafts(thing).update(publish_when_closed=True, base=thing.published_hash())
    _note(thing, "will publish", "when no class has it to do", editor)


@transaction.atomic
def publish_planned(thing: Editable, draft: ContentDraft) -> None:
    """Publish a draft that waited, as it was when it was read.

    Raises NotReadyError; OutdatedDraftError where the thing is withdrawn, or something else was
    published since the plan; and StaleRevisionError where somebody has saved it in the meantime, or
    has taken the plan back.
    """
    lock_course(draft.course_id)
    now = current_text(thing)
    if now.draft is None or now.draft.edited_at != draft.edited_at:
        raise StaleRevisionError(str(thing.row), now)
    if not now.draft.publish_when_closed:
        raise StaleRevisionError(str(thing.row), now)
    if thing.row.withdrawn_at is not None:
        raise OutdatedDraftError(f"the {thing.kind} is withdrawn")
    if thing.published_hash() not in {"", now.draft.base}:
        raise OutdatedDraftError(f"the published {thing.kind} was changed after this was planned")
    publish(thing, revision=now.revision, editor=draft.edited_by)


def _ready_draft(thing: Editable, revision: str) -> tuple[ContentDraft, CheckedText]:
    """Lock the revision, and return the draft with its content, which can be published."""
    now = lock_revision(thing, revision)
    if now.draft is None:
        raise StaleRevisionError(str(thing.row), now)
    checked = thing.check(now.content)
    if checked.problems:
        raise NotReadyError(checked.problems)
    return now.draft, checked


def cancel_plan(course: int, *, kind: str, slug: str) -> None:
    """Have the draft of a thing that is withdrawn wait no longer: publishing would bring it back.

    Call this with the row of the course locked.
    """
    drafts = ContentDraft.objects.filter(course=course, kind=kind, slug=slug)
    drafts.update(publish_when_closed=False)


@transaction.atomic
def give_up(draft: ContentDraft, subject: Subject, why: str) -> bool:
    """Have a draft wait no longer, and say why; not if it was saved or planned again meanwhile."""
    waits = ContentDraft.objects.filter(
        pk=draft.pk, publish_when_closed=True, edited_at=draft.edited_at
    )
    facts = {"not_published_at": timezone.now(), "not_published_why": why[:300]}
    if not waits.update(publish_when_closed=False, **facts):
        return False
    record(
        by=draft.edited_by,
        act="could not publish",
        subjects=[subject],
        about=f"when it had closed: {why}",
        course=draft.course,
    )
    return True


@transaction.atomic
def discard(thing: Editable, *, revision: str) -> bool:
    """Delete the draft; return whether the thing is still there, as one that was published is.

    Raises StaleRevisionError.
    """
    lock_revision(thing, revision)
    _drafts(thing).delete()
    return not thing.drop_unused()


def rename_texts(course: Course, *, kind: str, old: str, new: str) -> None:
    """Give the draft and the editions of a thing the name that it has now.

    Where a draft has the name already, both stay as they are. Editions that have it are of a thing
    that is gone; those of the renamed thing are newer, and are numbered behind them.
    """
    drafts = ContentDraft.objects.filter(course=course, kind=kind)
    if not drafts.filter(slug=new).exists():
        drafts.filter(slug=old).update(slug=new)
    editions = Edition.objects.filter(course=course, kind=kind)
    last = editions.filter(slug=new).aggregate(last=Max("number"))["last"] or 0
    editions.filter(slug=old).update(slug=new, number=F("number") + last)


def _note(thing: Editable, act: str, about: str, editor: User | None) -> None:
    subject, course = thing.row.as_subject(), thing.row.course
    record(by=editor, act=act, subjects=[subject], about=about, course=course)
