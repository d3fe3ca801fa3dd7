"""Copies of submissions, graded by a newer version of their exercise beside them.

Learners see nothing of a copy (`TrialVerdict`); workers grade one when nobody waits. What belongs
to a regrade is changed in chunks of 100.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import timedelta
from functools import cache
from typing import Any

from django.db import IntegrityError, transaction
from django.db.models import F, QuerySet
from django.utils import timezone

from quizzes import statements
from quizzes.assessment.corrections.keys import pieces
from quizzes.exercises.case_pack_pool import any_pack
from quizzes.exercises.models import CodeRegrade, Exercise, TrialVerdict
from quizzes.exercises.models.submission import MAX_LEASES, unleased
from quizzes.exercises.queue.clock import database_time
from quizzes.grader.api import Verdict, storable_text
from quizzes.grader.judge import Report
from quizzes.learners.models import User
from quizzes.regrades.code import NOT_GRADED
from quizzes.regrades.offers import older_submissions
from quizzes.regrades.plan import RegradeRefusedError
from quizzes.regrades.scope import WHOLE_COURSE, Scope, write_log
from quizzes.statements import Statement

CHUNK = 100
TRIAL_LEASE = timedelta(minutes=2)  # longer than any run that the sandbox allows
DIED = "The workers that were grading it died or froze without sending a report."
State = CodeRegrade.State


@transaction.atomic
def begin(exercise: Exercise, *, by: User, scope: Scope = WHOLE_COURSE) -> CodeRegrade:
    """Have older submissions graded beside by the current version.

    Raises RegradeRefusedError.
    """
    version = exercise.current
    if version is None or version.verification != "ok":
        raise RegradeRefusedError("The newest version of the exercise has not been verified yet.")
    pack = any_pack(version=version)
    if pack is None:
        raise RegradeRefusedError("The cases of the new version have not been drawn yet.")
    rows = scope.narrow(older_submissions(exercise)).order_by("pk")
    graded = list(rows.values_list("pk", "graded_at"))
    if not graded:
        raise RegradeRefusedError("No submission has been graded with an older version.")
    try:
        with transaction.atomic():
            regrade = CodeRegrade.objects.create(
                exercise=exercise,
                to_version=version,
                pack_id=pack,
                cohort_id=scope.cohort_id,
                by=by,
            )
    except IntegrityError as error:
        words = "Somebody has already started grading these submissions: see below."
        raise RegradeRefusedError(words) from error
    TrialVerdict.objects.bulk_create(
        (
            TrialVerdict(regrade=regrade, submission_id=pk, seen_graded_at=at)
            for pk, at in graded
            if at is not None  # they are graded
        ),
        batch_size=CHUNK,
    )
    what = f"grading {len(graded)} submissions beside"
    write_code_log(regrade, by, scope, "regrade of code begun", what)
    return regrade


def cancel(regrade: CodeRegrade, *, by: User, scope: Scope = WHOLE_COURSE) -> None:
    """Stop grading copies and delete their verdicts. Raises RegradeRefusedError."""
    with transaction.atomic():
        if not change_state(regrade, State.TRYING, State.CANCELLED):
            raise RegradeRefusedError("This regrade is no longer in progress.")
        write_code_log(regrade, by, scope, "regrade of code cancelled", "nothing was changed")
    for keys in chunks(regrade.trials.all()):
        TrialVerdict.objects.filter(pk__in=keys).delete()


def chunks(trials: QuerySet[TrialVerdict]) -> Iterable[Sequence[int]]:
    """Yield the keys of trials in chunks, each for a transaction of its own."""
    return pieces(list(trials.order_by("pk").values_list("pk", flat=True)), CHUNK)


def change_state(regrade: CodeRegrade, before: str, after: str, **more: Any) -> bool:
    """Change the state if it is still `before`: of two at once, one does."""
    rows = CodeRegrade.objects.filter(pk=regrade.pk, state=before)
    return bool(rows.update(state=after, **more))


def write_code_log(regrade: CodeRegrade, by: User, scope: Scope, act: str, what: str) -> None:
    write_log(regrade.exercise, by, scope, act, f"by version {regrade.to_version.number}: {what}")


@dataclass(frozen=True)
class TrialLease:
    """The right to grade one copy, until another worker takes it over."""

    trial: TrialVerdict
    code: str
    pack_id: int
    worker: str
    number: int


def lease_trial(*, worker: str, slow_too: bool = True) -> TrialLease | None:
    """Take the copy that is next, quick ones first; None when none waits.

    Workers ask when no live submission waits for them. Without `slow_too` those that ran too long
    for the quick lane are left to others.
    """
    if not _ungraded().rows():
        return None
    now = database_time()
    free = unleased(now)
    waiting = TrialVerdict.objects.filter(free, graded_at=None).order_by("slow", "pk")
    _close_used_up(waiting)
    free_trials = waiting.filter(regrade__state=State.TRYING, tries_used__lt=MAX_LEASES)
    if not slow_too:
        free_trials = free_trials.filter(slow=False)
    trial = free_trials.select_related("submission", "regrade").defer("submission__report").first()
    if trial is None:
        return None
    taken = TrialVerdict.objects.filter(
        free, pk=trial.pk, graded_at=None, tries_used=trial.tries_used
    ).update(leased_until=now + TRIAL_LEASE, leased_by=worker, tries_used=F("tries_used") + 1)
    if not taken:
        return None
    code, pack = trial.submission.code, trial.regrade.pack_id
    return TrialLease(trial, code, pack, worker, trial.tries_used + 1)


@cache
def _ungraded() -> Statement:
    """Return a statement that selects a copy without a verdict, should there be any."""
    copies = TrialVerdict.objects.filter(graded_at=None).order_by()
    return statements.select(copies.values_list("pk")[:1])


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
            fingerprint=report.fingerprint,
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
