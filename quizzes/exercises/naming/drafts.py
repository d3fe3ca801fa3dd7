"""Drafts of known mistakes: begin, save, have proved, publish, discard.

A draft belongs to a group of submissions that give the same wrong results. Publishing adds its file
to the files of the version that learners meet, as a new version: loading the changed files of the
course is then a conflict, as with everything that was edited in the browser, and an export writes
the file into the course's folder.
"""

from collections.abc import Collection
from datetime import datetime, timedelta

from django.db import IntegrityError, transaction
from django.db.models import Q, QuerySet
from django.utils import timezone

from quizzes.courses.audit import record
from quizzes.exercises.models import Exercise, ExerciseVersion, MistakeDraft
from quizzes.exercises.naming.variant_file import VariantFields, fields_of, name_of, text_of
from quizzes.exercises.publishing import add_version
from quizzes.grader.definitions import (
    Clause,
    ExerciseDefinition,
    hash_files,
    read_definition,
    read_requirements,
)
from quizzes.learners.models import User

State = MistakeDraft.State
Verification = ExerciseVersion.Verification
PROOF_ENDS = timedelta(minutes=10)  # after it was asked for, by the clock


class DraftRefusedError(Exception):
    """Nothing was changed; the message says why, and what to do."""


class DraftChangedError(Exception):
    """Somebody else saved the draft after this text was opened. `draft`: as it is now."""

    def __init__(self, draft: MistakeDraft) -> None:
        super().__init__("the draft was saved by somebody else")
        self.draft = draft


def current_definition(exercise: Exercise) -> ExerciseDefinition:
    """Return what the version says that learners meet; raises DraftRefusedError without one."""
    version = exercise.current
    if version is None or version.verification != Verification.OK:
        raise DraftRefusedError("No version of this exercise is verified yet. Try again later.")
    return version.definition


def clauses_of(definition: ExerciseDefinition) -> tuple[Clause, ...]:
    """Return the requirements that a mistake may break."""
    return read_requirements(definition.statement).clauses


def begin_draft(
    *, exercise: Exercise, fingerprint: str, fields: VariantFields, by: User
) -> MistakeDraft:
    """Return the draft for a group of submissions, begun with these fields if there is none."""
    drafts = MistakeDraft.objects.filter(exercise=exercise, fingerprint=fingerprint, published=None)
    if (draft := drafts.first()) is not None:
        return draft
    definition = current_definition(exercise)
    path = f"wrong/unnamed_{fingerprint[:8]}.py"
    text = text_of(fields, clauses_of(definition))
    try:
        with transaction.atomic():
            return MistakeDraft.objects.create(
                exercise=exercise, fingerprint=fingerprint, files={path: text}, edited_by=by
            )
    except IntegrityError:  # somebody else pressed the same button
        return drafts.get()


@transaction.atomic
def save_draft(*, draft: MistakeDraft, fields: VariantFields, mark: str, by: User) -> MistakeDraft:
    """Save the fields over the text with this mark. A proof that is wanted ends unproved.

    Raises DraftChangedError, DraftRefusedError for one that was published.
    """
    held = _hold(draft)
    if held.published_id is not None:
        raise DraftRefusedError("This draft has been published, and can no longer be changed.")
    definition = current_definition(held.exercise)
    text = text_of(fields, clauses_of(definition))
    taken = {slug for slug in definition.wrong if f"wrong/{slug}.py" != held.path}
    files = {f"wrong/{name_of(fields.does, taken)}.py": text}
    if files == held.files:
        return held
    if held.mark != mark:
        raise DraftChangedError(held)
    held.files, held.edited_by, held.edited_at = files, by, timezone.now()
    _forget_proof(held)
    held.save()
    return held


@transaction.atomic
def ask_for_proof(*, draft: MistakeDraft, by: User) -> None:
    """Have a worker prove a draft. Raises DraftRefusedError while another one of theirs waits."""
    User.objects.select_for_update(no_key=True).get(pk=by.pk)
    held = _hold(draft)
    if held.state == State.WAITING:
        return
    theirs = MistakeDraft.objects.filter(asked_by=by, state=State.WAITING)
    if theirs.exclude(pk=held.pk).exists():
        raise DraftRefusedError("Another draft of yours is being proved. Wait until it is done.")
    current_definition(held.exercise)
    _forget_proof(held)
    held.state, held.asked_at, held.asked_by = State.WAITING, timezone.now(), by
    held.save()


@transaction.atomic
def stop_proof(*, draft: MistakeDraft) -> None:
    """Let a draft be edited again whose proof is wanted."""
    held = _hold(draft)
    if held.state == State.WAITING:
        _forget_proof(held)
        held.save()


@transaction.atomic
def discard_draft(*, draft: MistakeDraft, mark: str) -> None:
    """Delete a draft that is not published. Raises DraftChangedError."""
    held = _hold(draft)
    if held.published_id is not None:
        raise DraftRefusedError("This draft has been published, and can no longer be discarded.")
    if held.mark != mark:
        raise DraftChangedError(held)
    held.delete()


@transaction.atomic
def publish_draft(*, draft: MistakeDraft, mark: str, by: User) -> ExerciseVersion:
    """Make the version that a proof was of; a worker verifies it as it does every version.

    Raises DraftRefusedError where this is not what was proved, DraftChangedError.
    """
    exercise = Exercise.objects.select_for_update(of=("self",)).get(pk=draft.exercise_id)
    held = _hold(draft)
    if held.published_id is not None:
        raise DraftRefusedError("Somebody has published this draft already.")
    if held.mark != mark:
        raise DraftChangedError(held)
    if not is_proved(held):
        raise DraftRefusedError(
            "The exercise or the draft has changed since it was proved. Prove it again."
        )
    files = files_with(held)
    version = add_version(
        exercise=exercise, definition=read_definition(exercise.slug, files), files=files
    )
    held.published, held.edited_by, held.edited_at = version, by, timezone.now()
    held.save()
    record(
        by=by,
        act="published",
        subjects=[exercise.as_subject()],
        about=f"version {version.number}, with {held.path}",
        course=exercise.course,
    )
    return version


def files_with(draft: MistakeDraft) -> dict[str, str]:
    """Return the files of the version that learners meet, with those of a draft."""
    assert draft.exercise.current is not None
    return {**draft.exercise.current.files, **draft.files}


def is_proved(draft: MistakeDraft) -> bool:
    """Say whether the last proof was of these files and this version, and found no problem."""
    if draft.state != State.PROVED or draft.exercise.current is None:
        return False
    return draft.proved_hash == hash_files(files_with(draft))


def number_before(draft: MistakeDraft) -> int:
    """Count what a worker verifies before it proves this draft."""
    versions = ExerciseVersion.objects.filter(verification=Verification.WAITING)
    earlier = MistakeDraft.objects.filter(state=State.WAITING).filter(
        Q(asked_at__lt=draft.asked_at) | Q(asked_at=draft.asked_at, pk__lt=draft.pk)
    )
    return versions.count() + earlier.count()


def open_drafts(exercises: Collection[str], course: int) -> QuerySet[MistakeDraft]:
    """Return the drafts of these exercises of a course, the newest first."""
    rows = MistakeDraft.objects.filter(exercise__course=course, exercise__slug__in=exercises)
    return rows.select_related("exercise", "edited_by", "published").defer(
        "files", "published__files", "published__proof", "published__outline"
    )


def is_late(draft: MistakeDraft, now: datetime) -> bool:
    """Say whether a proof that is wanted has used up its time by the clock."""
    return draft.asked_at is not None and now > draft.asked_at + PROOF_ENDS


def fields_in(draft: MistakeDraft) -> VariantFields:
    """Return the fields of a draft's file."""
    return fields_of(draft.text)


def _forget_proof(draft: MistakeDraft) -> None:
    draft.state, draft.stage, draft.problems = State.EDITED, "", []
    draft.leased_until, draft.tries_used, draft.names_group = None, 0, False
    draft.proved_hash = ""


def _hold(draft: MistakeDraft) -> MistakeDraft:
    """Lock a draft, and return it as it is now. Raises DraftRefusedError for one that is gone."""
    rows = MistakeDraft.objects.select_for_update(of=("self",)).filter(pk=draft.pk)
    held = rows.select_related("exercise__course", "exercise__current").first()
    if held is None:
        raise DraftRefusedError("Somebody has discarded this draft.")
    return held
