"""What a draft of a known mistake is at the moment, and what ends that.

Worked out from the draft, the version it was published as and the version that learners get:

=================  ===============================================  ============================
Status             The facts                                        Ends by
=================  ===============================================  ============================
OPEN               no proof of this text, or one with problems      Prove, Discard
WAITING            a worker is to prove it, or does                 its end, Stop, ten minutes
PROVED             the proof was of this text and this version      Publish, Save, Discard
OUTDATED           the proof was of this text and another version   Prove, Save, Discard
BLOCKED            not published; the exercise is withdrawn, or     Restore, a verified version,
                   none of its versions is verified                 Discard
IN_VERIFICATION    published; its version waits                     the worker's verdict
REPLACED           published; its version is refused, and another   that draft; a verification
                   draft of the group was begun meanwhile           of the version once more
TAKEN_OUT          published; learners get a version without the    Name it on This week: opens
                   file, since a load replaced it                   this draft again; such a load
NAMING             published; learners get the file, and the group  for good: regrade the group
                   reads its name
OTHER_RESULTS      published; learners get the file, and it gives   for good: name the group by
                   other results than the group's code              another draft
=================  ===============================================  ============================

A refused version opens its draft again (`publishing.refuse`), with the problems. Once learners get
a version with exactly the draft's file, the draft is published by it (`publishing.accept`): that
version may be the refused one, verified again, or a load of the course's folder. So no draft stays
open whose file the exercise has. A withdrawn exercise changes nothing about a published draft; the
page says that it is withdrawn.
"""

from enum import StrEnum, auto

from quizzes.exercises.models import ExerciseVersion, MistakeDraft, Submission
from quizzes.exercises.naming.drafts import current_problem, is_proved

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


def status_of(draft: MistakeDraft) -> DraftStatus:
    """Return the status of a draft, with its exercise and versions loaded. No query."""
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
    return DraftStatus.NAMING if draft.names_group else DraftStatus.OTHER_RESULTS


class GroupStatus(StrEnum):
    """How a draft's group of submissions was graded, compared with the version learners get.

    SAME_CASES: by its cases, or nobody knows. OLDER_CASES: by other cases, so that no code can
    give its results there; grading the group again tells. GRADED_AGAIN: it was, since the proof.
    GONE: by other cases, and no submission has these results any more.
    """

    SAME_CASES = auto()
    OLDER_CASES = auto()
    GRADED_AGAIN = auto()
    GONE = auto()


def group_status(draft: MistakeDraft) -> GroupStatus:
    """Return how a draft's group was graded. One query at most, with its sample loaded."""
    current, sample = draft.exercise.current, draft.sample
    identify = current.outline.get("identify", "") if current else ""
    if draft.fingerprint.startswith(identify):
        return GroupStatus.SAME_CASES
    if sample is not None and sample.fingerprint.startswith(identify):
        return GroupStatus.GRADED_AGAIN
    rows = Submission.objects.filter(
        exercise_version__exercise=draft.exercise_id, fingerprint=draft.fingerprint
    )
    return GroupStatus.OLDER_CASES if rows.exists() else GroupStatus.GONE
