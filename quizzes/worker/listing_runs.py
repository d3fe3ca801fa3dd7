"""The programs of listings as a worker runs them: leased, run as their readers can, ended.

They run in the sandbox of students, under the limits that `check_content` has: what is imported
there must be what learners have, and a program that does not end is stopped and named.
"""

from collections.abc import Callable
from contextlib import AbstractContextManager
from datetime import timedelta
from functools import partial
from typing import Any

from django.db.models import F

from quizzes.exercises.models.submission import unleased
from quizzes.exercises.queue.clock import database_time
from quizzes.grader.api import AuthorError, SandboxBroken, SandboxUnavailable, storable
from quizzes.grader.definitions import PatientSandbox, printed_by
from quizzes.lessons.models import ListingRun
from quizzes.worker.check_course import can_run_code
from quizzes.worker.pool_keeper import AuthorSandboxes

MOST_TRIES = 3
LEASE_LASTS = timedelta(seconds=30)  # renewed while the program runs
RUNS_KEPT = timedelta(days=30)
PATH = "listing.py"
State = ListingRun.State
KeepLease = Callable[[Callable[[], object]], AbstractContextManager[None]]


def run_next_listing(sandboxes: AuthorSandboxes, keep_lease: KeepLease) -> bool:
    """Run the program that waits longest; False when none does. Raises our failures."""
    run = lease_run()
    if run is None:
        return False
    with keep_lease(partial(_renew, run)):
        _run(run, sandboxes)
    return True


def lease_run() -> ListingRun | None:
    """Take the program that waits longest, None when none waits."""
    now = database_time()
    free = ListingRun.objects.filter(unleased(now), state=State.WAITING)
    free.filter(tries_used__gte=MOST_TRIES).update(state=State.FAILED, leased_until=None)
    for run in free.order_by("asked_at", "pk")[:10]:
        same = ListingRun.objects.filter(
            unleased(now), pk=run.pk, state=State.WAITING, tries_used=run.tries_used
        )
        if same.update(leased_until=now + LEASE_LASTS, tries_used=F("tries_used") + 1):
            run.tries_used += 1
            return run
    return None


def _renew(run: ListingRun) -> bool:
    return _write(run, leased_until=database_time() + LEASE_LASTS)


def _run(run: ListingRun, sandboxes: AuthorSandboxes) -> None:
    if not can_run_code(run.code):
        _end(run, State.LEFT_OUT)
        return
    try:
        printed = printed_by(run.code, PatientSandbox.of(sandboxes.student), path=PATH)
    except AuthorError as error:
        _end(run, State.STOPPED, fault=error.message, line=error.line)
    except SandboxUnavailable:
        _write(run, leased_until=None, tries_used=F("tries_used") - 1)
        raise
    except SandboxBroken:
        _write(run, leased_until=None)
        raise
    else:
        _end(run, State.PRINTED, printed=printed)


def _end(
    run: ListingRun, state: State, *, printed: str = "", fault: str = "", line: int = 1
) -> None:
    facts = storable({"printed": printed, "fault": fault})
    _write(run, state=state, line=line, leased_until=None, **facts)


def _write(run: ListingRun, **facts: Any) -> bool:
    """Write facts of a run that is still this worker's."""
    own = ListingRun.objects.filter(
        pk=run.pk, state=State.WAITING, tries_used=run.tries_used, leased_until__isnull=False
    )
    return bool(own.update(**facts))


def forget_old_listing_runs() -> bool:
    """Delete the runs that are older than a month."""
    before = database_time() - RUNS_KEPT
    ListingRun.objects.exclude(state=State.WAITING).filter(asked_at__lt=before).delete()
    return False
