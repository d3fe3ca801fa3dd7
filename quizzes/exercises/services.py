"""What pages do with exercises: hand code in, look a submission up, ask whether grading is on."""

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID, uuid4, uuid5

from django.core.exceptions import ValidationError
from django.db import transaction
from django.db.models import Max, QuerySet
from django.utils import timezone

from quizzes.exercises.doorbell import ring_after_commit
from quizzes.exercises.limits import refuse_too_many
from quizzes.exercises.models import Exercise, Submission, WorkerHeartbeat
from quizzes.exercises.models.turns import due
from quizzes.exercises.models.worker import ALIVE_FOR
from quizzes.learners.models import Learner

NO_WORKER = (
    "No worker is running, so nothing can be graded. `make run` starts one with the site; "
    "`manage.py worker` starts one alone."
)


@dataclass(frozen=True)
class GradingState:
    """Whether code is graded now, and if not, why. `verified_at`: the sandbox's last self-test."""

    on: bool
    why: str
    worker_age_seconds: float | None
    queue_length: int
    verified_at: datetime | None


class ExerciseClosed(Exception):  # noqa: N818 -- not an error, an answer
    """The exercise cannot take code: no version of it passed its verification."""


def grading_state() -> GradingState:
    """Say what the workers last said of themselves, and how much waits. At most three queries."""
    now = timezone.now()
    queue_length = Submission.objects.ungraded().count()
    alive = WorkerHeartbeat.objects.filter(seen_at__gt=now - ALIVE_FOR)
    best = alive.order_by("-self_test_ok", "-seen_at").first()
    if best is None:
        last = WorkerHeartbeat.objects.aggregate(at=Max("seen_at"))["at"]
        age = (now - last).total_seconds() if last else None
        return GradingState(False, NO_WORKER, age, queue_length, None)
    age = max(0.0, (now - best.seen_at).total_seconds())
    if not best.self_test_ok:
        return GradingState(False, best.detail, age, queue_length, None)
    return GradingState(True, "", age, queue_length, best.self_test_at)


def submit_code(
    *, exercise: Exercise, learner: Learner, kind: str, code: str, form_key: UUID | None = None
) -> Submission:
    """Store the code as a row that waits to be graded, then ring for a worker.

    The same code from the same form (a double click, a request sent again) is one row. Raises
    TooMany when the learner should wait, ValidationError for code that cannot be stored and
    ExerciseClosed when no version can grade it.
    """
    if exercise.current is None or exercise.current.verification == "refused":
        raise ExerciseClosed(exercise.slug)
    code = normalised(code)
    if not code.strip():
        raise ValidationError({"code": "There is no code here yet. Write some first."})
    key = uuid5(form_key, f"{exercise.slug}\n{kind}\n{code}") if form_key else uuid4()
    submission = Submission(
        exercise_version=exercise.current, learner=learner, kind=kind, key=key, code=code
    )
    # Before the transaction: on SQLite all writers wait for whoever is in one.
    submission.clean_fields(exclude=["exercise_version", "learner", "pack"])
    with transaction.atomic():
        # One learner's submissions are stored one after another: limits and keys hold.
        Learner.objects.select_for_update().get(pk=learner.pk)
        known = Submission.objects.filter(learner=learner, key=key).first()
        if known is not None:
            return known
        now = timezone.now()
        refuse_too_many(learner=learner, kind=kind, now=now)
        submission.submitted_at = now
        mine = Submission.objects.ungraded().filter(learner=learner).count()
        submission.due_at = due(
            submitted_at=now, is_check=kind == Submission.Kind.CHECK, waiting=mine
        )
        submission.save(force_insert=True)
        ring_after_commit()
    return submission


def normalised(code: str) -> str:
    """Return code with line ends as one newline each, however the browser sent them."""
    return code.replace("\r\n", "\n").replace("\r", "\n")


def published() -> QuerySet[Exercise]:
    """Return the exercises that learners meet, with their current version but for its files."""
    later = ("files", "problems", "outline", "proof")
    return (
        Exercise.objects.filter(current__isnull=False)
        .select_related("current")
        .defer(*(f"current__{name}" for name in later))
    )


def history(*, exercise: Exercise, learner: Learner | None) -> QuerySet[Submission]:
    """Return what the learner submitted to the exercise, newest first; Checks are not kept."""
    if learner is None:
        return Submission.objects.none()
    return Submission.objects.filter(
        exercise_version__exercise=exercise, learner=learner, kind=Submission.Kind.SUBMIT
    )


def place_in_queue(*, submission: Submission) -> int:
    """Return how many rows workers take before this one; 0 when it is next or being graded."""
    now = timezone.now()
    if submission.graded_at or (submission.leased_until and submission.leased_until >= now):
        return 0
    return Submission.objects.before(submission, now).count()
