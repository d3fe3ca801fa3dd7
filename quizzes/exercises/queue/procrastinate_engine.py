"""The engine on PostgreSQL, for as many hosts as there are: jobs of Procrastinate.

Procrastinate has the jobs, their order, locks, notifications and the heartbeats of workers, all
by the database's clock. Its statements run on Django's own connection, so a row and its job change
in one transaction: a job is there exactly when its row was stored, and gone exactly when the row
was graded. Its own worker would fetch a job, have it graded and finish it in three transactions,
between which a process may die, and would grade in a thread that bubblewrap does not outlive.

A job names a row and is no more than its turn: what the row says decides. A job whose row is gone,
graded, in the other lane or cannot be graded yet is ended; `put_missing` makes jobs for rows that
wait without one, such as those that an older version of this program stored, or of an exercise that
was being verified.

The locks. "One submission of a learner in work" is Procrastinate's `lock`, one name for each
learner and lane: under one name a waiting slow job would hold up the learner's quick ones. A job
with a higher priority than a waiting one of the same lock can race with it for the lock: then the
unique index of jobs in work refuses the second, which is no failure (`_RACES`). It is rare, since
the rows of a learner are due in the order in which they came (`due` in `models/submission.py`).
"""

import json
import logging
from collections import Counter
from collections.abc import Iterable
from datetime import UTC, datetime, timedelta
from functools import cache, cached_property
from typing import Any

from django.conf import settings
from django.db import DatabaseError, IntegrityError, connection, transaction
from django.db.models import CharField, DateTimeField, F, Q
from procrastinate.sql import queries
from psycopg.types.json import Jsonb

from quizzes import statements
from quizzes.exercises import reserved_packs
from quizzes.exercises.case_pack_pool import can_be_graded, pack_for
from quizzes.exercises.models import Submission
from quizzes.exercises.models.submission import HELD, MAX_LEASES, SLOW_WAITS
from quizzes.exercises.models.worker import CLOCKS_APART
from quizzes.exercises.queue.notify import CHANNEL
from quizzes.exercises.queue.port import Lease, count_use, is_row_waiting
from quizzes.exercises.queue.slow_lane import SlowLane
from quizzes.learners.models import Learner
from quizzes.statements import Param, Statement

QUICK = "quick"
SLOW, SLOW_VISITORS = "slow", "slow-visitors"  # two lines of one lane
TASK = "grade"
EPOCH = datetime(2026, 1, 1, tzinfo=UTC)  # priorities are seconds: enough until 2094
DEAD_SECONDS = 10  # without a heartbeat, of which there is one every 3 s
FORGOTTEN_SECONDS = 86_400
_KEY = 0x5475726E  # of an advisory lock, which other programs on this database must not use
# PostgreSQL makes a hash of such a list. For NOT EXISTS it compared each row with each job wherever
# it did not know yet how many there are: 6 s for 4 000 that wait. A NULL in the list matches all.
_WITHOUT_JOB = (
    "to_jsonb(exercises_submission.id) NOT IN (SELECT args->'submission' FROM procrastinate_jobs"
    " WHERE task_name = %s AND status IN ('todo', 'doing') AND args->'submission' IS NOT NULL)"
)
_RACES = 3  # fetches that lost a race for a lock before the worker has a rest

Row = dict[str, Any]
logger = logging.getLogger(__name__)


class ProcrastinateEngine:
    """Takes jobs and their rows in one transaction; see `Engine`."""

    sweep_seconds = 3.0

    def __init__(self) -> None:
        self._workers: dict[str, int] = {}  # our name to Procrastinate's number
        self._in_work: dict[str, int] = {}  # the job that each of them has
        self._is_idle = False

    def put(self, row: Submission) -> None:
        """Defer a job in the transaction that stores the row; its trigger notifies workers."""
        _defer(row)

    def take(self, *, worker: str, slow_too: bool) -> Lease | None:
        """Take the next job that still has something to do."""
        if worker in self._in_work:  # it broke off: the job is another worker's once we seem dead
            self._forget(worker)
        queues_in_turn = self._asked_for(slow_too)
        if self._is_idle and not is_row_waiting():  # each queue is a transaction of its own
            return None
        for queues in queues_in_turn:
            while (found := self._take_safely(queues, worker)) is not None:
                if isinstance(found, Lease):
                    self._note_turn(found)
                    self._in_work[worker] = found.job
                    self._is_idle = False
                    return found
        self._is_idle = True
        return None

    def is_ours(self, lease: Lease) -> bool:
        """Ask the row: the worker's heartbeat is all that holds it."""
        return Submission.objects.in_work_of(
            pk=lease.submission.pk, worker=lease.worker, number=lease.number
        ).exists()

    def set_aside(self, lease: Lease) -> None:
        """Do not think that it broke off with the next `take`."""
        self._in_work.pop(lease.worker, None)

    def end(self, lease: Lease) -> None:
        """Delete the job with the transaction that grades its row."""
        _end(lease.job)
        self._let_go(lease)

    def put_back(self, lease: Lease, *, slow: bool) -> None:
        """Have the job wait again, in the lane that its row now has."""
        _put_back(lease.job, lease.submission, slow=slow)
        self._let_go(lease)

    def put_missing(self) -> int:
        """Defer jobs for rows without one."""
        return put_missing()

    def sweep(self) -> int:
        """Put back the jobs of workers without a heartbeat; return how many there were."""
        _reset_future_heartbeats()
        stalled = _ask(
            "select_stalled_jobs_by_heartbeat",
            queue=None,
            task_name=None,
            seconds_since_heartbeat=DEAD_SECONDS,
        )
        found = sum(_set_free(job) for job in stalled)
        if found:
            logger.warning("%s jobs of dead workers are put back", found)
        return found

    def runs_slow_code(self) -> bool:
        """Ask the seats of this host."""
        return self._slow_lane.is_ours()

    def beat(self, worker: str) -> None:
        """Note the database's time for this worker, and this host's for its slow lane."""
        if "_slow_lane" in vars(self):
            self._slow_lane.beat()
        if worker in self._workers:
            _ask("update_heartbeat", worker_id=self._workers[worker])

    def leave(self, worker: str) -> None:
        """Give up the number, and the lane of slow code."""
        if worker in self._workers:
            _ask("unregister_worker", worker_id=self._workers[worker])
            self._forget(worker)
        self._slow_lane.close()
        del self._slow_lane

    def _note_turn(self, lease: Lease) -> None:
        """Have the other line's turn come; after quick code too, among which one line is looked at.

        Whether that line is empty would be one more statement for each submission.
        """
        lane = self._slow_lane
        slow = lease.submission.slow
        lane.visitors_are_next = not (lease.is_visitor if slow else lane.visitors_are_next)

    def _asked_for(self, slow_too: bool) -> list[list[str]]:
        if not self.runs_slow_code():
            return [[QUICK]]
        lines = [SLOW, SLOW_VISITORS]
        first, second = reversed(lines) if self._slow_lane.visitors_are_next else lines
        return [[QUICK, first], [second]] if slow_too else [[QUICK], [first], [second]]

    @cached_property
    def _slow_lane(self) -> SlowLane:
        return SlowLane(settings.VAR)

    def _take_safely(self, queues: list[str], worker: str) -> Lease | bool | None:
        """Return a lease, True for a job that had nothing to do, None when none waits."""
        for _ in range(_RACES):
            try:
                return self._take(queues, worker)
            except IntegrityError as error:
                constraint = getattr(getattr(error.__cause__, "diag", None), "constraint_name", "")
                if constraint == "procrastinate_jobs_worker_id_fkey":  # we were thought long dead
                    self._forget(worker)
                elif constraint != "procrastinate_jobs_lock_idx_v1":
                    raise
        return None

    def _take(self, queues: list[str], worker: str) -> Lease | bool | None:
        number = self._number(worker)
        with transaction.atomic():
            (job,) = _ask("fetch_job", queues=queues, worker_id=number)
            if job["id"] is None:
                return None
            lease = take_row(job, worker)
            if lease is None:
                _end(job["id"])
                return True
        return lease

    def _number(self, worker: str) -> int:
        if worker not in self._workers:
            _ask("prune_stalled_workers", seconds_since_heartbeat=FORGOTTEN_SECONDS)
            (new,) = _ask("register_worker")
            self._workers[worker] = new["worker_id"]
        return self._workers[worker]

    def _forget(self, worker: str) -> None:
        self._workers.pop(worker, None)
        self._in_work.pop(worker, None)

    def _let_go(self, lease: Lease) -> None:
        """Let the job go once the transaction is through: if it fails, it is still in our hands."""
        transaction.on_commit(lambda: self._ended(lease))

    def _ended(self, lease: Lease) -> None:
        if self._in_work.get(lease.worker) == lease.job:
            del self._in_work[lease.worker]
        try:  # apart, or workers that met one pack would wait for each other
            count_use(lease.pack_id)
        except DatabaseError:  # the row is written: a number that is off by one is no failure of it
            logger.warning("one use of pack %s is not counted", lease.pack_id)


def _turn(row: Submission, *, slow: bool) -> Row:
    """Return a job's queue, its priority there, and its lock."""
    due = row.scheduled_for + SLOW_WAITS if slow else row.scheduled_for
    return {
        "queue": _slow_line(row) if slow else QUICK,
        "priority": -((due - EPOCH) // timedelta(seconds=1)),
        "lock": f"learner-{row.learner_id}" + ("-slow" if slow else ""),
    }


def _slow_line(row: Submission) -> str:
    """Return the line of its learner, who may have signed in since the row was stored."""
    is_visitor = Learner.objects.filter(pk=row.learner_id, user=None).exists()
    return SLOW_VISITORS if is_visitor else SLOW


def _defer(row: Submission) -> None:
    turn = _turn(row, slow=row.slow)
    arguments = Jsonb({"submission": row.pk})
    job = (turn["queue"], TASK, turn["priority"], turn["lock"], None, arguments, None)
    _ask("defer_jobs", jobs=[job])


def _end(job: int) -> None:
    _ask("finish_job", job_id=job, status="succeeded", delete_job=True)


def _put_back(job: int, row: Submission, *, slow: bool) -> None:
    turn = _turn(row, slow=slow)
    _ask(
        "retry_job",
        job_id=job,
        retry_at=None,  # a later time would hold up all jobs of the same lock
        new_priority=turn["priority"],
        new_queue_name=turn["queue"],
        new_lock=turn["lock"],
    )
    # Procrastinate's trigger notifies of jobs that are stored, not of those that wait again.
    _rows("SELECT pg_notify(%s, '')", [CHANNEL])


def take_row(job: Row, worker: str) -> Lease | None:
    """Lease the row of a job in work; None when there is nothing to grade, or not yet."""
    row = _row_of(job)
    if row is None or not _may_be_graded(row, slow=job["queue_name"] != QUICK):
        return None
    pack_id = pack_for(row)
    if pack_id is None:
        return None
    taken = _taking().change(
        row=row.pk, tries_used=row.tries_used, worker=worker, pack=pack_id or None, until=HELD
    )
    if not taken:
        return None
    named: Any = row  # with what `_reading` annotates
    number, is_visitor = row.tries_used + 1, named.user is None
    exercise = named.slug or "", named.course or 0
    return Lease(row, *exercise, pack_id, number, worker, is_visitor, job["id"])


def _row_of(job: Row) -> Submission | None:
    reading = _reading()
    found = Submission.objects.raw(reading.sql, reading.bind(row=_number_of_row(job)))
    return next(iter(found), None)


def _may_be_graded(row: Submission, *, slow: bool) -> bool:
    """Say whether this job is the row's turn; a row in work has another job."""
    named: Any = row
    free = row.graded_at is None and row.leased_until is None and row.tries_used < MAX_LEASES
    return free and row.slow == slow and (row.is_run or named.verification == "ok")


def _reset_future_heartbeats() -> None:
    """Take heartbeats that are still to come for heartbeats of now.

    The database's clock was put back since. A worker that lives writes its next one in a moment;
    one that died would keep its job, and its learner's lock, for as long as the clock was wrong.
    """
    reset = "UPDATE procrastinate_workers SET last_heartbeat = NOW()"
    _rows(f"{reset} WHERE last_heartbeat > NOW() + %s", [CLOCKS_APART])


@transaction.atomic
def _set_free(job: Row) -> bool:
    """Put back a job and its row, unless another worker was quicker to do so."""
    same = "SELECT id FROM procrastinate_jobs WHERE id = %s AND status = 'doing'"
    if not _rows(
        f"{same} AND worker_id IS NOT DISTINCT FROM %s FOR UPDATE SKIP LOCKED",
        [job["id"], job["worker_id"]],
    ):
        return False
    row = Submission.objects.filter(pk=_number_of_row(job), graded_at=None)
    row.update(leased_until=None, leased_by="")
    submission = row.first()
    if submission is None:
        _end(job["id"])
    else:
        _put_back(job["id"], submission, slow=submission.slow)
    return True


@transaction.atomic
def put_missing() -> int:
    """Defer a job for every row that can be graded and has none; return how many there were."""
    if not is_row_waiting():
        return 0
    with connection.cursor() as cursor:  # two workers at once would make two jobs for each row
        cursor.execute("SELECT pg_advisory_xact_lock(%s)", [_KEY])
    lost = (
        Submission.objects.ungraded()
        .verified()
        .filter(can_be_graded(), tries_used__lt=MAX_LEASES)
        .extra(where=[_WITHOUT_JOB], params=[TASK])  # noqa: S610 -- a constant
    )
    lost = lost.annotate(is_stuck=~Q(exercise_version__problems=[]))
    names = ["scheduled_for", "slow", "learner_id", "exercise_version_id", "own_pack", "pack_id"]
    rows = _with_a_pack(lost.only(*names).order_by("scheduled_for", "pk"))
    Submission.objects.filter(pk__in=[row.pk for row in rows]).update(
        leased_until=None, leased_by=""
    )
    for row in rows:
        _defer(row)
    return len(rows)


def _with_a_pack(rows: Iterable[Submission]) -> list[Submission]:
    """Return the rows that the reserve has a pack for, the first ones first.

    A job for each row that waits, for one pack that came, was a hundred jobs at a deadline, of
    which all but one were taken and ended: verdicts took twice as long as on SQLite.
    """
    left: Counter[int] | None = None
    ready = []
    for row in rows:
        named: Any = row
        if row.own_pack and row.pack_id is None and not named.is_stuck:
            left = reserved_packs.count_in_reserve() if left is None else left
            version = row.exercise_version_id or 0
            if not left[version]:
                continue
            left[version] -= 1
        ready.append(row)
    return ready


def _number_of_row(job: Row) -> int:
    """Return the key of the job's row; 0, which no row has, for a job that we did not make.

    It is ended like others with nothing to do: raised here, it would stop every worker, again and
    again.
    """
    arguments = job["args"]
    try:
        named = json.loads(arguments) if isinstance(arguments, str) else arguments
        number = named["submission"]
    except (ValueError, TypeError, KeyError):
        number = None
    if isinstance(number, int) and 0 < number < 2**63:
        return number
    logger.error("job %s is not ours and is ended: it names no submission", job["id"])
    return 0


def _ask(query: str, **arguments: Any) -> list[Row]:
    """Run a statement of Procrastinate's; return its rows by the names of columns."""
    return _rows(queries[query], arguments)


def _rows(sql: str, arguments: Any) -> list[Row]:
    with connection.cursor() as cursor:
        cursor.execute(sql, arguments)
        if cursor.description is None:
            return []
        names = [column[0] for column in cursor.description]
        return [dict(zip(names, row, strict=True)) for row in cursor.fetchall()]


@cache
def _reading() -> Statement:
    named = Submission.objects.filter(pk=Param("row")).annotate(
        slug=F("exercise_version__exercise__slug"),
        course=F("exercise_version__exercise__course"),
        verification=F("exercise_version__verification"),
        user=F("learner__user"),
    )
    return statements.select(named)


@cache
def _taking() -> Statement:
    same = Submission.objects.ungraded().filter(
        pk=Param("row"), tries_used=Param("tries_used"), leased_until=None
    )
    return statements.update(
        same,
        tries_used=Param("tries_used") + 1,
        leased_until=Param("until", DateTimeField()),
        leased_by=Param("worker", CharField()),
        pack_id=Param("pack"),
    )
