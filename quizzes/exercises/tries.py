"""A learner's tries at one exercise: the list with what changed from each to the next."""

from dataclasses import dataclass
from typing import Any

from django.db.models import Exists, OuterRef
from django.http import Http404

from quizzes.exercises.differences import Difference, compare
from quizzes.exercises.models import EarlierVerdict, Exercise, Submission
from quizzes.exercises.services import history
from quizzes.learners.models import Learner

SHOWN = 20
OFFERED = 50  # tries to compare with


@dataclass(frozen=True)
class Try:
    """One submission of the list; `change` is None for the first and where the code is too long."""

    submission: Submission
    change: Difference | None
    is_first: bool
    graded_again: bool


def recent_tries(*, exercise: Exercise, learner: Learner | None) -> list[Try]:
    """Return the learner's last submissions, newest first, each with what changed. One query."""
    again = EarlierVerdict.objects.filter(submission=OuterRef("pk"))
    found = history(exercise=exercise, learner=learner).annotate(graded_again=Exists(again))
    rows: list[Any] = list(found.defer("report")[: SHOWN + 1])
    before = [*rows[1:], None][: len(rows)]
    tries = [
        Try(row, compare(old.code, row.code) if old else None, old is None, row.graded_again)
        for row, old in zip(rows, before, strict=True)
    ]
    return tries[:SHOWN]


def comparison(submission: Submission, wanted: str) -> dict[str, Any]:
    """Return what the section "What changed" shows; nothing for a Check and for the first try.

    `wanted`: the number of the try to compare with, "" for the one before. Http404 for others.
    """
    if submission.kind != Submission.Kind.SUBMIT:
        return {}
    rows = Submission.objects.filter(
        learner=submission.learner_id,
        exercise_version__exercise=submission.exercise_version.exercise_id,
        kind=Submission.Kind.SUBMIT,
        pk__lt=submission.pk,
    )
    tries = list(rows.defer("report", "code")[:OFFERED])
    if not tries:
        return {}
    against = next((one for one in tries if str(one.pk) == wanted), None if wanted else tries[0])
    if against is None:
        raise Http404(f"submission {wanted} cannot be compared with {submission.pk}")
    return {
        "tries": tries,
        "against": against,
        "difference": compare(against.code, submission.code),
    }
