"""The engine that is built in, for one machine: a lease is a time in the row, and lapses by itself.

SQLite has one writer at a time, so "one submission of a learner in work" holds without a lock: who
takes a row sees what all others took.
"""

from datetime import timedelta
from functools import cache
from typing import Any

from django.conf import settings
from django.db import transaction
from django.db.models import CharField, F
from django.utils import timezone

from quizzes import statements
from quizzes.exercises.case_pack_pool import can_be_graded, pack_for
from quizzes.exercises.models import Submission
from quizzes.exercises.queue.notify import database_file, notify_after_commit
from quizzes.exercises.queue.port import Lease, count_use, is_row_waiting
from quizzes.exercises.queue.slow_lane import SlowLane
from quizzes.statements import Param, Statement, TimeParam

LEASE_LASTS = timedelta(seconds=10)
CANDIDATES = 8  # rows looked at when other workers take the first ones


class SqliteEngine:
    """Takes rows by a conditional UPDATE; see `Engine`."""

    sweep_seconds = 1.0

    def __init__(self) -> None:
        self._slow_lane = SlowLane(settings.VAR, like=database_file())

    def put(self, row: Submission) -> None:  # noqa: ARG002 -- the row is the queue
        """Notify workers once the transaction is through: the row is the queue."""
        notify_after_commit()

    def take(self, *, worker: str, slow_too: bool) -> Lease | None:
        """Take the first row that no other worker was quicker to take."""
        lane = self._slow_lane
        slow = lane.is_ours()  # asked by an idle worker too, or its seat would seem stale
        if not is_row_waiting():
            return None
        waiting = _waiting(slow, slow_too, lane.visitors_are_next)
        for row in Submission.objects.raw(waiting.sql, waiting.bind(now=timezone.now())):
            pack_id = pack_for(row)
            if pack_id is not None and take_row(row, pack_id, worker):
                named: Any = row  # with what `_waiting` annotates
                is_visitor = named.user is None
                if row.slow:
                    lane.visitors_are_next = not is_visitor
                number = row.tries_used + 1
                exercise = named.slug or "", named.course or 0
                return Lease(row, *exercise, pack_id, number, worker, is_visitor)
        return None

    def is_ours(self, lease: Lease) -> bool:
        """Put the time off at which the lease lapses."""
        mine = Submission.objects.in_work_of(
            pk=lease.submission.pk, worker=lease.worker, number=lease.number
        )
        return bool(mine.update(leased_until=timezone.now() + LEASE_LASTS))

    def set_aside(self, lease: Lease) -> None:
        """Do nothing: a worker may have several leases."""

    def end(self, lease: Lease) -> None:
        """Do nothing: only the row says that it waits."""

    def put_back(self, lease: Lease, *, slow: bool) -> None:
        """Do nothing: only the row says that it waits; workers look four times a second."""

    def put_missing(self) -> int:
        """Do nothing and return 0: the row is the queue."""
        return 0

    def sweep(self) -> int:
        """Do nothing and return 0: leases lapse by themselves."""
        return 0

    def runs_slow_code(self) -> bool:
        """Ask the seats of this host."""
        return self._slow_lane.is_ours()

    def beat(self, worker: str) -> None:  # noqa: ARG002 -- each lease is renewed by itself
        """Note this host's time for its slow lane."""
        self._slow_lane.beat()

    def leave(self, worker: str) -> None:  # noqa: ARG002 -- without a lease it leaves no trace
        """Give up the seat among this host's workers."""
        self._slow_lane.close()


@transaction.atomic
def take_row(row: Submission, pack_id: int, worker: str) -> bool:
    """Lease this row if it still may be leased."""
    taken = _taking().change(
        now=timezone.now(),
        row=row.pk,
        tries_used=row.tries_used,
        worker=worker,
        pack=pack_id or None,
    )
    if taken:
        count_use(pack_id)
    return bool(taken)


@cache
def _waiting(slow: bool, slow_too: bool, visitors_first: bool) -> Statement:
    now = TimeParam("now")
    waiting = Submission.objects.waiting(now, slow_too=slow_too, visitors_first=visitors_first)
    if not slow:
        waiting = waiting.filter(slow=False)
    # Rows whose packs are to be made first must not take the places of others here.
    waiting = waiting.filter(can_be_graded())
    named = waiting.annotate(
        slug=F("exercise_version__exercise__slug"),
        course=F("exercise_version__exercise__course"),
        user=F("learner__user"),
    )
    return statements.select(named[:CANDIDATES])


@cache
def _taking() -> Statement:
    now = TimeParam("now")
    same = Submission.objects.may_be_leased(now).filter(
        pk=Param("row"), tries_used=Param("tries_used")
    )
    return statements.update(
        same,
        tries_used=Param("tries_used") + 1,
        leased_until=now + LEASE_LASTS,
        leased_by=Param("worker", CharField()),
        pack_id=Param("pack"),
    )
