"""What a draft of a known mistake is at the moment, and what ends that.

Worked out from the draft, the version it was published as and the version that learners get:

=================  ===============================================  ============================
Status             The facts                                        Ends by
=================  ===============================================  ============================
OPEN               no proof of this text, or one with problems      Prove, Discard
WAITING            a worker is to prove it, or does                 its end, Stop
PROVED             the proof was of this text and this version      Publish, Save, Discard
OUTDATED           the proof was of this text and another version   Prove, Save, Discard
BLOCKED            not published; the exercise is withdrawn, or     Restore, a verified version,
                   none of its versions is verified                 Discard
IN_VERIFICATION    published; its version waits                     the worker's verdict
REPLACED           published; its version is refused, and another   Discard of that draft; a
                   draft of the group was begun meanwhile           verification once more
TAKEN_OUT          published; learners get a version without the    Name it on This week: opens
                   file, since a load replaced it                   this draft again; such a load
NAMING             published; learners get the file, and the group  for good: regrade the group
                   reads its name, or has it already
OTHER_RESULTS      published; learners get the file, and on the     for good: name the group by
                   same cases, or graded again with it, the         another draft
                   group's code gave other results
NOT_COMPARED       published; learners get the file; the group was  a regrade of the group: it has
                   graded with other cases, or nobody noted with    the name then (NAMING) or not
                   which                                            (OTHER_RESULTS)
=================  ===============================================  ============================

A refused version opens its draft again (`publishing.refuse`), with the problems. Once learners get
a version with exactly the draft's file, the draft is published by it (`publishing.accept`): that
version may be the refused one, verified again, or a load of the course's folder. So no draft stays
open whose file the exercise has. A withdrawn exercise changes nothing about a published draft; the
page says that it is withdrawn.
"""

from enum import StrEnum, auto
from pathlib import PurePosixPath

from quizzes.exercises.models import ExerciseVersion, MistakeDraft, Submission
from quizzes.exercises.naming.drafts import current_problem, is_proved
from quizzes.grader.judge import are_of_same_cases

Verification = ExerciseVersion.Verification
State = MistakeDraft.State


class DraftStatus(StrEnum):
    """What a draft is at the moment; see the table above."""

    OPEN = auto()
    WAITING = auto()
    PROVED = auto()
    OUTDATED = auto()
    BLOCKED = auto()
    IN_VERIFICATION = auto()
    REPLACED = auto()
    TAKEN_OUT = auto()
    NAMING = auto()
    OTHER_RESULTS = auto()
    NOT_COMPARED = auto()


def status_of(draft: MistakeDraft) -> DraftStatus:
    """Return the status of a draft, with its exercise, versions and sample loaded. No query."""
    if draft.published is not None:
        return _published_status(draft, draft.published)
    if draft.state == State.WAITING:
        return DraftStatus.WAITING
    if current_problem(draft.exercise):
        return DraftStatus.BLOCKED
    if draft.state == State.PROVED:
        return DraftStatus.PROVED if is_proved(draft) else DraftStatus.OUTDATED
    return DraftStatus.OPEN


def _published_status(draft: MistakeDraft, version: ExerciseVersion) -> DraftStatus:
    current = draft.exercise.current
    if version.verification == Verification.WAITING:
        return DraftStatus.IN_VERIFICATION
    if version.verification == Verification.REFUSED:
        return DraftStatus.REPLACED
    if current is None or draft.path not in current.files:
        return DraftStatus.TAKEN_OUT
    if draft.names_group or _has_name(draft):
        return DraftStatus.NAMING
    is_compared = draft.proved_hash and _is_graded_by(draft, current)
    return DraftStatus.OTHER_RESULTS if is_compared else DraftStatus.NOT_COMPARED


def _has_name(draft: MistakeDraft) -> bool:
    """Say whether the code that a draft began with was graded again, and got its name."""
    name = PurePosixPath(draft.path).stem
    return draft.sample is not None and draft.sample.known_mistake == name


def _is_graded_by(draft: MistakeDraft, version: ExerciseVersion) -> bool:
    """Say whether a draft's group was graded with a version or with the same cases."""
    sample, identify = draft.sample, _digest_in(version)
    if sample is not None and sample.exercise_version_id == version.pk:
        return True
    prints = [draft.fingerprint, sample.fingerprint if sample else ""]
    return bool(identify) and any(known.startswith(identify) for known in prints)


def _digest_in(version: ExerciseVersion | None) -> str:
    """Return the digest of a version's cases, "" where its verification did not note it."""
    return str(version.outline.get("identify", "")) if version else ""


class GroupStatus(StrEnum):
    """How a draft's group of submissions was graded, compared with the version learners get.

    SAME_CASES: by its cases. OLDER_CASES: by other cases, so that no code can give its results
    there; grading the group again tells. GRADED_AGAIN: it was, since the proof. GONE: by other
    cases, and no submission has these results any more. UNKNOWN: nobody noted by which cases.
    """

    SAME_CASES = auto()
    OLDER_CASES = auto()
    GRADED_AGAIN = auto()
    GONE = auto()
    UNKNOWN = auto()


def group_status(draft: MistakeDraft) -> GroupStatus:
    """Return how a draft's group was graded. One query at most, with its sample loaded."""
    identify = _digest_in(draft.exercise.current)
    if identify and draft.fingerprint.startswith(identify):
        return GroupStatus.SAME_CASES
    graded = draft.sample.fingerprint if draft.sample else ""
    is_other = bool(graded) and not are_of_same_cases(graded, draft.fingerprint)
    if is_other and graded.startswith(identify):
        return GroupStatus.GRADED_AGAIN
    if not identify:
        return GroupStatus.UNKNOWN
    rows = Submission.objects.filter(
        exercise_version__exercise=draft.exercise_id, fingerprint=draft.fingerprint
    )
    newest = rows.select_related("exercise_version").order_by("-pk").first()
    if newest is None:
        return GroupStatus.GONE
    noted = _digest_in(newest.exercise_version)
    is_noted = bool(noted) and draft.fingerprint.startswith(noted)
    return GroupStatus.OLDER_CASES if is_noted else GroupStatus.UNKNOWN
