"""Grading a submission once more, and what failed on our side and may need it."""

from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone

from quizzes.exercises.doorbell import ring_after_commit
from quizzes.exercises.models import CasePicture, EarlierVerdict, Submission
from quizzes.exercises.stored_reports import copy_of
from quizzes.grader.report import Verdict
from quizzes.learners.models import User


def grade_again(*, submission: Submission, by: User | None = None) -> bool:
    """Put a graded submission back into the queue; False when it waits already, nothing changed.

    What it was told stays with it as an earlier verdict. It meets the same cases again, unless
    our side failed with them; and its own version of the exercise, unless that was refused.
    """
    with transaction.atomic():
        graded = Submission.objects.graded().filter(pk=submission.pk)
        # `of`: without it PostgreSQL would lock the exercise and its version too.
        row = (
            graded.select_for_update(of=("self",))
            .select_related("exercise_version__exercise__current")
            .first()
        )
        if row is None or row.graded_at is None:
            return False
        EarlierVerdict.objects.create(
            submission=row,
            exercise_version=row.exercise_version,
            verdict=row.verdict,
            report=copy_of(row.report),
            our_failure=row.our_failure,
            graded_at=row.graded_at,
            asked_by=by,
        )
        CasePicture.objects.filter(submission=row).delete()
        _set_free(row)
        ring_after_commit()
    return True


def our_failures() -> QuerySet[Submission]:
    """Return what was not graded because something failed on our side, newest first."""
    failed = Submission.objects.graded().filter(verdict=Verdict.NOT_GRADED.value)
    return failed.select_related("learner__user", "exercise_version__exercise").defer(
        "report", "exercise_version__files", "exercise_version__proof"
    )


def _set_free(row: Submission) -> None:
    """Write the row as it was when it was handed in."""
    version = row.exercise_version
    if version.verification == "refused" and version.exercise.current is not None:
        version = version.exercise.current
    same_cases = version == row.exercise_version and row.verdict != Verdict.NOT_GRADED.value
    Submission.objects.filter(pk=row.pk).update(
        exercise_version=version,
        pack=row.pack if same_cases else None,
        graded_at=None,
        verdict="",
        known_mistake="",
        report=None,
        our_failure="",
        attempts=0,
        due_at=timezone.now(),
        slow=False,
    )
