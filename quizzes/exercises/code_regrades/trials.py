"""Copies of submissions, graded by a newer version of their exercise beside them.

Learners see nothing of a copy (`TrialVerdict`); workers grade one when nobody waits. What belongs
to a regrade is changed in chunks of 100.
"""

from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from django.db import IntegrityError, transaction
from django.db.models import F, QuerySet
from django.utils import timezone

from quizzes.courses.audit import record
from quizzes.exercises.case_pack_pool import any_pack
from quizzes.exercises.models import CodeRegrade, Exercise, Submission, TrialVerdict
from quizzes.exercises.models.submission import ERASED_CODE, MAX_LEASES, unleased
from quizzes.exercises.queue.clock import database_time
from quizzes.grader.api import Verdict, storable_text
from quizzes.grader.judge import Report
from quizzes.learners.models import User

CHUNK = 100
TRIAL_LEASE = timedelta(minutes=2)  # longer than any run that the sandbox allows
DIED = "Its workers ended or froze while they had it, without a word."
State = CodeRegrade.State
NOT_GRADED = Verdict.NOT_GRADED.value


class CodeRegradeRefusedError(Exception):
    """It cannot be begun, applied or undone; the message says why, for staff."""


def older_submissions(exercise: Exercise) -> QuerySet[Submission]:
    """Return the submissions that an older version graded, but for code that was deleted."""
    rows = Submission.objects.graded().filter(
        exercise_version__exercise=exercise, kind=Submission.Kind.SUBMIT
    )
    return rows.exclude(exercise_version=exercise.current_id).exclude(code=ERASED_CODE)


@dataclass(frozen=True)
class CodeScope:
    """Whose submissions are graded anew: all of a course, or those that a class shows its staff."""

    cohort: str = ""
    submissions: QuerySet[Submission] | None = None

    def of(self, rows: QuerySet[Submission]) -> QuerySet[Submission]:
        """Return those of some submissions that are in this scope."""
        if self.submissions is None:
            return rows
        return rows.filter(pk__in=self.submissions.order_by().values("pk"))


ALL = CodeScope()


@transaction.atomic
def begin(exercise: Exercise, *, by: User, scope: CodeScope = ALL) -> CodeRegrade:
    """Have older submissions graded beside by the current version.

    Raises CodeRegradeRefusedError.
    """
    version = exercise.current
    if version is None or version.verification != "ok":
        raise CodeRegradeRefusedError("The newest version of the exercise is not verified yet.")
    pack = any_pack(version=version)
    if pack is None:
        raise CodeRegradeRefusedError("No cases are drawn for the new version yet.")
    rows = scope.of(older_submissions(exercise)).order_by("pk")
    found = list(rows.values_list("pk", "graded_at"))
    if not found:
        raise CodeRegradeRefusedError("No submission was graded by an older version.")
    try:
        with transaction.atomic():
            made = CodeRegrade.objects.create(
                exercise=exercise, to_version=version, pack_id=pack, cohort=scope.cohort, by=by
            )
    except IntegrityError as error:
        words = "Somebody has begun to grade these submissions already: see below."
        raise CodeRegradeRefusedError(words) from error
    TrialVerdict.objects.bulk_create(
        (
            TrialVerdict(regrade=made, submission_id=pk, seen_graded_at=at)
            for pk, at in found
            if at is not None  # they are graded
        ),
        batch_size=CHUNK,
    )
    write_log(made, by, f"grading {len(found)} submissions beside", "regrade of code begun")
    return made


def cancel(made: CodeRegrade, *, by: User) -> bool:
    """Stop grading beside and forget what was graded; False where it is not under way any more."""
    with transaction.atomic():
        if not change_state(made, State.TRYING, State.CANCELLED):
            return False
        write_log(made, by, "nothing was changed", "regrade of code cancelled")
    while keys := list(made.trials.values_list("pk", flat=True)[:CHUNK]):
        TrialVerdict.objects.filter(pk__in=keys).delete()
    return True


def change_state(made: CodeRegrade, before: str, after: str, **more: Any) -> bool:
    """Change the state if it is still `before`: of two at once, one does."""
    rows = CodeRegrade.objects.filter(pk=made.pk, state=before)
    return bool(rows.update(state=after, **more))


def write_log(made: CodeRegrade, by: User, what: str, act: str, cohort: str = "") -> None:
    record(
        by=by,
        act=act,
        subjects=[made.exercise.as_subject()],
        about=f"by version {made.to_version.number}: {what}",
        course=made.exercise.course,
        cohort=cohort or made.cohort,
    )


@dataclass(frozen=True)
class TrialLease:
    """The right to grade one copy, until another worker takes it over."""

    trial: TrialVerdict
    code: str
    pack_id: int
    worker: str
    number: int


def lease_trial(*, worker: str) -> TrialLease | None:
    """Take the copy that is next, quick ones first; None when none waits.

    Workers ask when no live submission waits for them.
    """
    now = database_time()
    free = unleased(now)
    waiting = TrialVerdict.objects.filter(free, graded_at=None).order_by("slow", "pk")
    _close_used_up(waiting)
    found = waiting.filter(regrade__state=State.TRYING, tries_used__lt=MAX_LEASES)
    trial = found.select_related("submission", "regrade").defer("submission__report").first()
    if trial is None:
        return None
    taken = TrialVerdict.objects.filter(
        free, pk=trial.pk, graded_at=None, tries_used=trial.tries_used
    ).update(leased_until=now + TRIAL_LEASE, leased_by=worker, tries_used=F("tries_used") + 1)
    if not taken:
        return None
    code, pack = trial.submission.code, trial.regrade.pack_id
    return TrialLease(trial, code, pack, worker, trial.tries_used + 1)


def _close_used_up(waiting: QuerySet[TrialVerdict]) -> None:
    used_up = waiting.filter(tries_used=MAX_LEASES).values("pk")[:CHUNK]
    keys = list(used_up.values_list("pk", flat=True))
    if keys:
        rows = TrialVerdict.objects.filter(pk__in=keys, graded_at=None)
        rows.filter(our_failure="").update(our_failure=DIED)
        rows.update(verdict=NOT_GRADED, graded_at=timezone.now(), leased_until=None, leased_by="")


def _held(lease: TrialLease) -> QuerySet[TrialVerdict]:
    return TrialVerdict.objects.filter(
        pk=lease.trial.pk, leased_by=lease.worker, tries_used=lease.number, graded_at=None
    )


def record_trial(*, lease: TrialLease, report: Report) -> bool:
    """Write what the judge said of a copy; False when another worker took it over."""
    measured = report.verdict != Verdict.NOT_GRADED
    return bool(
        _held(lease).update(
            verdict=report.verdict.value,
            report=report.as_json(),
            known_mistake=report.known_mistake.slug if report.known_mistake else "",
            cases_passed=report.cases_passed if measured else None,
            cases_total=report.cases_total if measured else None,
            arrays=report.picture.to_bytes() if report.picture else None,
            graded_at=timezone.now(),
            leased_until=None,
            leased_by="",
        )
    )


def give_back_trial(
    *, lease: TrialLease, failure: str = "", counts: bool = True, slow: bool | None = None
) -> None:
    """Free a copy that was not graded; without `counts` the try is not one of three."""
    _held(lease).update(
        leased_until=None,
        leased_by="",
        our_failure=storable_text(failure),
        slow=lease.trial.slow if slow is None else slow,
        tries_used=lease.number if counts else lease.number - 1,
    )
