"""Drafts of known mistakes: begin, save, have proved, publish, discard.

A draft belongs to a group of submissions that give the same wrong results. Publishing adds its file
to the files of the version that learners meet, as a new version: loading the changed files of the
course is then a conflict, as with everything that was edited in the browser, and an export writes
the file into the course's folder.
"""

from collections.abc import Collection
from pathlib import PurePosixPath

from django.db import IntegrityError, transaction
from django.db.models import QuerySet
from django.utils import timezone

from quizzes.courses.audit import record
from quizzes.exercises.models import Exercise, ExerciseVersion, MistakeDraft, Submission
from quizzes.exercises.models.submission import ERASED_CODES
from quizzes.exercises.naming.variant_file import VariantFields, fields_of, name_of, text_of
from quizzes.exercises.proofs.proof_queue import has_other_proof, want_proof
from quizzes.exercises.publishing import add_version, reopen_drafts
from quizzes.grader.api import DefinitionError
from quizzes.grader.definitions import (
    Clause,
    ExerciseDefinition,
    hash_files,
    read_definition,
    read_requirements,
)
from quizzes.grader.judge import are_of_same_cases
from quizzes.learners.models import User

State = MistakeDraft.State
Verification = ExerciseVersion.Verification


class DraftRefusedError(Exception):
    """Nothing was changed; the message says why, and what to do."""


class DraftChangedError(Exception):
    """Somebody else saved the draft after this text was opened. `draft`: as it is now."""

    def __init__(self, draft: MistakeDraft) -> None:
        super().__init__("the draft was saved by somebody else")
        self.draft = draft


def current_definition(exercise: Exercise) -> ExerciseDefinition:
    """Return what the version says that learners meet; raises DraftRefusedError without one."""
    if problem := current_problem(exercise):
        raise DraftRefusedError(problem)
    assert exercise.current is not None
    return exercise.current.definition


def current_problem(exercise: Exercise) -> str:
    """Return why no draft of an exercise can be published at the moment; "" if one can."""
    if exercise.withdrawn_at is not None:
        return "The exercise is withdrawn. Restore it first."
    version = exercise.current
    if version is None or version.verification != Verification.OK:
        return "No version of this exercise is verified yet. Try again later."
    return ""


def readable_definition(exercise: Exercise) -> ExerciseDefinition | None:
    """Return what the current version says, withdrawn or refused as well; None if unreadable."""
    try:
        return exercise.current.definition if exercise.current else None
    except DefinitionError:
        return None


def clauses_of(definition: ExerciseDefinition) -> tuple[Clause, ...]:
    """Return the requirements that a mistake may break."""
    return read_requirements(definition.statement).clauses


def vocabulary_of(definition: ExerciseDefinition) -> str:
    """Return the exercise's own files, whose names and texts are nobody's."""
    sources = (wrong.source for wrong in definition.wrong.values())
    files = (definition.statement, definition.starter, definition.reference, definition.cases)
    return "\n".join((*files, definition.below, definition.signature, *sources))


@transaction.atomic
def begin_draft(
    *,
    exercise: Exercise,
    fingerprint: str,
    fields: VariantFields,
    by: User,
    sample: Submission | None = None,
) -> MistakeDraft:
    """Return the draft for a group of submissions, begun with these fields if there is none.

    A draft whose group was graded again is that of the new group. One whose file a load has taken
    out is opened again. `sample`: the submission whose code is in the fields. Raises
    DraftRefusedError.
    """
    of_exercise = MistakeDraft.objects.filter(exercise=exercise)
    drafts = of_exercise.filter(fingerprint=fingerprint, published=None)
    if (draft := drafts.first()) is not None:
        return draft
    followers = of_exercise.filter(sample__fingerprint=fingerprint, published=None)
    if (draft := followers.first()) is not None:
        draft = _locked(draft)
        if _follow_group(draft):
            draft.save()
            return draft
    definition = current_definition(exercise)
    if (draft := _taken_out(exercise, fingerprint)) is not None:
        draft.published = None
        _forget_proof(draft)
    else:
        path = f"wrong/unnamed_{fingerprint[-8:]}.py"  # it begins with the digest of the cases
        draft = MistakeDraft(
            exercise=exercise,
            fingerprint=fingerprint,
            files={path: text_of(fields, clauses_of(definition))},
            sample=sample,
            edited_by=by,
        )
    try:
        with transaction.atomic():
            draft.save()
    except IntegrityError:  # somebody else pressed the same button
        return drafts.get()
    _log(draft, by, "began to name a mistake of")
    return draft


@transaction.atomic
def save_draft(
    *, draft: MistakeDraft, fields: VariantFields, mark: str, by: User, prove: bool = False
) -> MistakeDraft:
    """Save the fields over the text with this mark, and have a worker `prove` exactly them.

    A proof that waits or runs ends unproved if the text changes. Raises DraftChangedError;
    DraftRefusedError for one that was published, or while another draft of theirs is proved.
    """
    User.objects.select_for_update(no_key=True).get(pk=by.pk)
    row = _locked(draft)
    if row.published_id is not None:
        raise DraftRefusedError("This draft has been published, and can no longer be changed.")
    definition = current_definition(row.exercise)
    files = {_free_path(row, definition, fields): text_of(fields, clauses_of(definition))}
    if files != row.files:
        if row.mark != mark:
            raise DraftChangedError(row)
        row.files, row.edited_by, row.edited_at = files, by, timezone.now()
        _forget_proof(row)
    _follow_group(row)
    if prove and row.state != State.WAITING:
        _ask_for_proof(row, by)
    row.save()
    return row


def _taken_out(exercise: Exercise, fingerprint: str) -> MistakeDraft | None:
    """Return the newest draft of a group whose file learners no longer get; lock it.

    None where its author has deleted the code that it began with.
    """
    rows = MistakeDraft.objects.select_for_update(of=("self",)).filter(
        exercise=exercise, fingerprint=fingerprint, published__verification=Verification.OK
    )
    files = exercise.current.files if exercise.current else {}
    rows = rows.exclude(sample__code__in=ERASED_CODES)
    return next((draft for draft in rows if draft.path not in files), None)


def _follow_group(draft: MistakeDraft) -> bool:
    """Give a draft the results of its group where that was graded again, by other cases.

    False where it was not, or where the new group has a draft already.
    """
    fingerprint = draft.sample.fingerprint if draft.sample else ""
    if not fingerprint or are_of_same_cases(fingerprint, draft.fingerprint):
        return False
    try:
        with transaction.atomic():
            MistakeDraft.objects.filter(pk=draft.pk).update(fingerprint=fingerprint)
    except IntegrityError:  # perhaps somebody began it at this moment
        return False
    draft.fingerprint = fingerprint
    if draft.state in {State.PROVED, State.WAITING}:
        _forget_proof(draft)
    return True


def _free_path(draft: MistakeDraft, definition: ExerciseDefinition, fields: VariantFields) -> str:
    """Return a name for the draft's file that neither the exercise nor another draft has."""
    others = MistakeDraft.objects.filter(exercise=draft.exercise)
    paths = {
        path for files in others.exclude(pk=draft.pk).values_list("files") for path in files[0]
    }
    taken = {*definition.wrong, *(PurePosixPath(path).stem for path in paths)}
    return f"wrong/{name_of(fields.does, taken)}.py"


def _ask_for_proof(draft: MistakeDraft, by: User) -> None:
    if has_other_proof(draft, by):
        raise DraftRefusedError("Another draft of yours is being proved. Wait until it is done.")
    draft.names_group = False
    want_proof(draft, by)


@transaction.atomic
def stop_proof(*, draft: MistakeDraft) -> None:
    """Let a draft be edited again whose proof is wanted."""
    row = _locked(draft)
    if row.state == State.WAITING:
        _forget_proof(row)
        row.save()


@transaction.atomic
def discard_draft(*, draft: MistakeDraft, mark: str, by: User) -> None:
    """Delete a draft that is not published. Raises DraftChangedError, DraftRefusedError.

    One of the same group that it had replaced is opened again.
    """
    row = _locked(draft)
    if row.published_id is not None:
        raise DraftRefusedError("This draft has been published, and can no longer be discarded.")
    if row.mark != mark:
        raise DraftChangedError(row)
    _log(row, by, "discarded the draft of a known mistake of")
    row.delete()
    if (replaced := _replaced_by(row)) is not None and replaced.published is not None:
        reopen_drafts([replaced.published.pk], replaced.published.problems)


def replacement_of(draft: MistakeDraft) -> MistakeDraft | None:
    """Return the draft that was begun for a group while a version of this one was verified."""
    return _drafts_of_group(draft).exclude(pk=draft.pk).first()


def _replaced_by(draft: MistakeDraft) -> MistakeDraft | None:
    rows = _drafts_of_group(draft).select_related("published")
    return rows.filter(published__verification=Verification.REFUSED).first()


def _drafts_of_group(draft: MistakeDraft) -> QuerySet[MistakeDraft]:
    return MistakeDraft.objects.filter(exercise=draft.exercise_id, fingerprint=draft.fingerprint)


@transaction.atomic
def publish_draft(*, draft: MistakeDraft, mark: str, by: User) -> ExerciseVersion:
    """Make the version that a proof was of; a worker verifies it as it does every version.

    Raises DraftRefusedError where this is not what was proved, DraftChangedError.
    """
    exercise = Exercise.objects.select_for_update(of=("self",)).get(pk=draft.exercise_id)
    row = _locked(draft)
    if row.published_id is not None:
        raise DraftRefusedError("Somebody has published this draft already.")
    if row.mark != mark:
        raise DraftChangedError(row)
    current_definition(row.exercise)
    if newer_version(row.exercise) is not None:
        raise DraftRefusedError(
            "A newer version is being verified. Prove the draft again after it."
        )
    if not is_proved(row):
        raise DraftRefusedError(
            "The exercise or the draft has changed since it was proved. Prove it again."
        )
    files = files_with(row)
    version = add_version(
        exercise=exercise, definition=read_definition(exercise.slug, files), files=files
    )
    row.published, row.edited_by, row.edited_at = version, by, timezone.now()
    row.save()
    record(
        by=by,
        act="published",
        subjects=[exercise.as_subject()],
        about=f"version {version.number}, with {row.path}",
        course=exercise.course,
    )
    return version


def files_with(draft: MistakeDraft) -> dict[str, str]:
    """Return the files of the version that learners meet, with those of a draft.

    Raises DraftRefusedError where that version has a file of this name: none is replaced.
    """
    assert draft.exercise.current is not None
    files = draft.exercise.current.files
    if draft.path in files:
        raise DraftRefusedError(
            f"The exercise has a file {draft.path} by now. Save the draft: it gets another name."
        )
    return {**files, **draft.files}


def is_proved(draft: MistakeDraft) -> bool:
    """Say whether the last proof was of these files and this version, and found no problem."""
    if draft.state != State.PROVED or draft.exercise.current is None:
        return False
    if draft.path in draft.exercise.current.files:
        return False
    return draft.proved_hash == hash_files(files_with(draft))


def newer_version(exercise: Exercise) -> ExerciseVersion | None:
    """Return a version that learners will meet next, None where they meet the newest."""
    versions = exercise.versions.exclude(verification=Verification.REFUSED)
    newest = versions.only("number").order_by("-number").first()
    return newest if newest and newest.pk != exercise.current_id else None


def open_drafts(exercises: Collection[str], course: int) -> QuerySet[MistakeDraft]:
    """Return the drafts of these exercises of a course, the newest first."""
    rows = MistakeDraft.objects.filter(exercise__course=course, exercise__slug__in=exercises)
    rows = rows.select_related("exercise__current", "edited_by", "published", "sample")
    return rows.defer(
        *("sample__code", "sample__report"),
        *("published__files", "published__proof", "published__outline"),
        *("exercise__current__proof", "exercise__current__outline"),
    )


def fields_in(draft: MistakeDraft) -> VariantFields:
    """Return the fields of a draft's file."""
    return fields_of(draft.text)


def _forget_proof(draft: MistakeDraft) -> None:
    draft.forget_proof()
    draft.names_group = False


def _log(draft: MistakeDraft, by: User, act: str) -> None:
    exercise = draft.exercise
    record(by=by, act=act, subjects=[exercise.as_subject()], course=exercise.course)


def _locked(draft: MistakeDraft) -> MistakeDraft:
    """Lock a draft, and return it as it is now. Raises DraftRefusedError for one that is gone."""
    rows = MistakeDraft.objects.select_for_update(of=("self",)).filter(pk=draft.pk)
    row = rows.select_related("exercise__course", "exercise__current", "sample").first()
    if row is None:
        raise DraftRefusedError("Somebody has discarded this draft.")
    return row
