"""What workers do now and then, whatever database there is: no operator's cron is needed.

Add a task to `tasks`, or to the hook `tasks_of_pages` where its room stands above this one. Its
`run` does one piece, in transactions that are short, and says whether there is more to do: then it
is due again after its pause, mostly at once, and other tasks may come between. A piece takes
seconds; only the demo class of a new development site takes a minute in one. They have a thread
of their own in each worker: verifying an exercise takes a minute, and an attempt whose time is up
must be written down sooner, sandbox or not.

Rows hold when a task is due and which process is at it (`PeriodicTask`), by the database's clock,
so one process of all hosts runs it, a task that fell due while no worker ran is run by the first
that starts, and one whose process died is taken over. Procrastinate's own periodic tasks would
leave out what fell due while no worker ran, and are not there on SQLite.

What a task does goes by the database's clock as well. The host that runs it may be hours ahead,
and would submit attempts whose learners have time left, or publish into a class that is at work.
So nothing here asks the host for the time, and functions of other rooms are given `now`. A few
tasks ask the host in their own rooms and may: idle visitors, visitors that never came back, old
marks and old numbers of questions go after a day at the earliest, to which an hour hardly matters;
times of the demo class are made up.
The same holds for times that are written beside something else: when progress was made, when a
card is due the next day, when something was counted.
"""

import logging
import threading
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, suppress
from datetime import datetime, timedelta
from functools import cached_property, partial
from pathlib import Path
from typing import Any
from uuid import UUID

from allauth.usersessions.models import UserSession
from axes.models import AccessAttempt, AccessFailureLog, AccessLog
from django.conf import settings
from django.contrib.sessions.models import Session
from django.db import DatabaseError, connection
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.models import Exists, Model, OuterRef, Q, QuerySet

from quizzes import statements
from quizzes.assessment.models import Attempt
from quizzes.assessment.services import hand_in_overdue
from quizzes.classes.demo.creation import fill_waiting_class
from quizzes.classes.link_mails.sending import send_next_link
from quizzes.classes.marks.frozen_marks import forget_old_marks
from quizzes.classes.marks.lesson_steps import settle_lesson_steps
from quizzes.classes.models import Cohort
from quizzes.classes.publishing.later import publish_closed_drafts
from quizzes.courses.models import PendingZip
from quizzes.exercises import reserved_packs
from quizzes.exercises.case_pack_pool import forget_packs
from quizzes.exercises.models import PeriodicTask, Submission
from quizzes.exercises.models.worker import CLOCKS_APART
from quizzes.exercises.queue.clock import (
    database_time,
    own_time,
    time_in_statement,
    time_of_update,
)
from quizzes.exercises.queue.engine import engine
from quizzes.learners.idle_learners import (
    forget_some_idle_learners,
    forget_some_unclaimed_learners,
)
from quizzes.limits.bucket import forget_full
from quizzes.statements import Statement
from quizzes.worker.listing_runs import forget_old_listing_runs
from quizzes.worker.plot_drawing import forget_unused_drawings
from quizzes.worker.question_pool import forget_old_instances
from quizzes.worker.tasks import Task, tasks_of_pages

BATCH = 500  # rows a transaction: others do not wait long for the database
CHECKS_KEPT = timedelta(days=7)
RUNS_KEPT = timedelta(hours=1)
DATA_KEPT = timedelta(days=30)  # of packs of a class's work, once it has closed
ZIPS_KEPT = timedelta(days=1)  # of courses that somebody looked at
SIGN_INS_KEPT = timedelta(days=30)  # of those who signed in, or failed to: addresses and names
TAKEN_FOR = timedelta(seconds=30)  # renewed while the task is run
AFTER_FAILURE = timedelta(minutes=1)  # or sooner, if the task is due sooner anyway
ANYWAY = timedelta(minutes=5)  # by which a task without anything to do may be late
LOOK_SECONDS = 4.0  # between two looks for a task that is due: it is late by no more
SOON_SECONDS = 1.0  # the same just after a task, which may be due again after its pause
ATTEMPTS = 200  # submitted by the clock, in one piece
LONG_LOG_BYTES = 6 * 2**20  # half as much again as SQLite aims at
LOG_WAITS_MS = 500  # for readers, while writers wait
SECOND, MINUTE, HOUR, DAY = (
    timedelta(seconds=1),
    timedelta(minutes=1),
    timedelta(hours=1),
    timedelta(days=1),
)

KeepLease = Callable[[Callable[[], object]], AbstractContextManager[None]]
logger = logging.getLogger(__name__)


def tasks() -> list[Task]:
    """Return every task of this site's workers."""
    found = [
        Task("forget idle visitors", DAY, forget_some_idle_learners),
        Task("forget visitors that never came back", HOUR, forget_some_unclaimed_learners),
        Task("forget full budgets", HOUR, _forget_full_buckets),
        Task("forget old marks of deleted people", DAY, _forget_old_marks),
        Task("forget ended sessions", DAY, forget_ended_sessions),
        Task("forget old sign-ins", DAY, forget_old_sign_ins),
        Task("forget expired values of the cache", HOUR, forget_expired_values),
        Task("forget old Checks", HOUR, forget_old_checks),
        Task("forget old Runs", MINUTE, forget_old_runs, rows=_old_runs),
        Task("forget zips that nobody applied", HOUR, forget_pending_zips),
        Task("forget old listing runs", DAY, forget_old_listing_runs),
        Task("forget old case packs", HOUR, forget_old_packs),
        Task("forget old numbers of questions", HOUR, _forget_old_numbers),
        Task("forget unused drawings of plots", HOUR, _forget_unused_plots),
        Task(
            "hand in attempts whose time is up",
            15 * SECOND,
            hand_in_some_overdue,
            rows=Attempt.objects.overdue,
        ),
        Task("settle the steps of assigned lessons", 5 * MINUTE, _settle_lesson_steps),
        Task("publish drafts whose classes are done", MINUTE, _publish_closed_drafts),
        *tasks_of_pages(),
    ]
    if settings.DEMO_CLASS:  # half a minute at a time, on a new development site
        unfinished = Cohort.objects.filter(is_being_filled=True)
        found.append(
            Task("fill the demo class", 5 * SECOND, fill_waiting_class, rows=lambda _: unfinished)
        )
    if settings.CLASS_MAIL:
        found.append(Task("send personal links", 15 * SECOND, send_next_link, pause=SECOND))
    if connection.vendor == "postgresql":
        waiting = Submission.objects.ungraded()
        found.append(
            Task(
                "put waiting rows into the queue",
                5 * SECOND,
                _put_missing,
                rows=lambda _: waiting,
            )
        )
    else:
        found.append(Task("shorten the log of the database", 15 * SECOND, _shorten_log))
    return found


class PeriodicWork:
    """Runs what is due for one process; `run_next` returns whether there was anything."""

    def __init__(self, *, process: UUID, keep_lease: KeepLease) -> None:
        self._process = process
        self._keep_lease = keep_lease
        self._tasks = {task.name: task for task in tasks()}
        self._are_stored = False

    def run_next(self) -> bool:
        """Run a piece of the task that is due longest; False when none is."""
        self._store()
        if not self._may_be_due.rows(now=own_time()):
            return False
        now = database_time()
        for row in PeriodicTask.objects.filter(name__in=self._tasks).order_by("due_at"):
            task = self._tasks[row.name]
            if is_free(row, now, every=task.every) and take(row, self._process):
                self._run(task)
                return True
        return False

    @cached_property
    def _may_be_due(self) -> Statement:
        """Select a task that is due, or due later than it was ever made (`is_free`).

        An idle worker asks this every 4 s, in one exchange with the database, by whose clock it
        goes. Django takes ten times as long to say the same; and to take a task, find nothing to do
        and release it took half of an idle worker's time.
        """
        now = time_in_statement()
        late = [name for name, task in self._tasks.items() if task.rows]
        due = Q(name__in=self._tasks.keys() - late, due_at__lte=now)
        due |= Q(name__in=late, due_at__lte=now - ANYWAY)
        for name, task in self._tasks.items():
            due |= Q(name=name, due_at__gt=now + CLOCKS_APART + task.every)
            if task.rows:
                due |= Q(Exists(task.rows(now).order_by()), name=name, due_at__lte=now)
        rows = PeriodicTask.objects.filter(due).order_by()
        return statements.select(rows.values_list("pk")[:1])

    @contextmanager
    def alone(self, name: str) -> Iterator[bool]:
        """Give True where no other process is at the work of this name, and keep it to us."""
        now = database_time()
        row, _ = PeriodicTask.objects.get_or_create(name=name, defaults={"due_at": now})
        if not (is_free(row, now, every=timedelta(0)) and take(row, self._process)):
            yield False
            return
        try:
            with self._keep_lease(partial(renew, name, self._process)):
                yield True
        finally:
            release(name, self._process, due_in=timedelta(0))

    def _store(self) -> None:
        if not self._are_stored:
            now = database_time()
            rows = [PeriodicTask(name=name, due_at=now) for name in self._tasks]
            PeriodicTask.objects.bulk_create(rows, ignore_conflicts=True)
            self._are_stored = True

    def _run(self, task: Task) -> None:
        failure, more = "", False
        try:
            with self._keep_lease(partial(renew, task.name, self._process)):
                more = task.run()
        except Exception as error:
            logger.exception(
                "the periodic task \u201c%s\u201d failed, tried again later", task.name
            )
            if isinstance(error, DatabaseError):
                connection.close()
            failure = f"{type(error).__name__}: {error}"
        again = min(AFTER_FAILURE, task.every)
        due_in = again if failure else task.pause if more else task.every
        release(task.name, self._process, due_in=due_in, failure=failure)


class PeriodicThread(threading.Thread):
    """Runs what is due until stopped; a look that fails is made again. A daemon, as all beside."""

    def __init__(self, *, stopping: threading.Event, process: UUID, keep_lease: KeepLease) -> None:
        super().__init__(name="periodic tasks", daemon=True)
        self._stopping = stopping
        self._work = PeriodicWork(process=process, keep_lease=keep_lease)

    def run(self) -> None:
        pauses = [LOOK_SECONDS]  # the next one last
        while not self._stopping.wait(pauses.pop()):
            worked = self._look_safely()
            pauses = [SOON_SECONDS, 0] if worked else pauses or [LOOK_SECONDS]
        connection.close()

    def _look_safely(self) -> bool:
        try:
            return self._work.run_next()
        except Exception:
            logger.exception("looking for a periodic task failed, tried again later")
            connection.close()  # should it have been the database
            self._stopping.wait(AFTER_FAILURE.total_seconds())
            return False


def is_free(row: PeriodicTask, now: datetime, *, every: timedelta) -> bool:
    """Say whether a task that is done `every` so often is due and no living process is at it.

    A time that lies further ahead than one is ever written was written before a clock was put back,
    and would hold the task up for as long as the clock was wrong.
    """
    until, longest = row.taken_until, now + CLOCKS_APART
    is_taken = until is not None and now <= until <= longest + TAKEN_FOR
    return not is_taken and not now < row.due_at <= longest + every


def take(row: PeriodicTask, process: UUID) -> bool:
    """Take a task that is still as it was read; False where another process was quicker."""
    same = PeriodicTask.objects.filter(
        pk=row.pk, due_at=row.due_at, taken_by=row.taken_by, taken_until=row.taken_until
    )
    return bool(same.update(taken_by=process, taken_until=time_of_update() + TAKEN_FOR))


def renew(name: str, process: UUID) -> bool:
    """Keep the task for another while; False when it is ours no longer."""
    mine = PeriodicTask.objects.filter(name=name, taken_by=process)
    return bool(mine.update(taken_until=time_of_update() + TAKEN_FOR))


def release(name: str, process: UUID, *, due_in: timedelta, failure: str = "") -> None:
    """Note that this run has ended and when the next is due, unless another took it over."""
    now = time_of_update()
    done = {} if failure else {"done_at": now}
    PeriodicTask.objects.filter(name=name, taken_by=process).update(
        taken_by=None, taken_until=None, due_at=now + due_in, failure=failure, **done
    )


def _delete_some(rows: QuerySet[Model], *, order: str = "pk") -> bool:
    """Delete a batch with what hangs on it; return whether there may be more.

    `order`: of the index by which the rows are found, or a database walks all rows in the other.
    """
    some = list(rows.order_by(order).values_list("pk", flat=True)[:BATCH])
    rows.model._default_manager.filter(pk__in=some).only("pk").delete()
    return len(some) == BATCH


def hand_in_some_overdue() -> bool:
    """Write down attempts that the clock has submitted, so that progress and cards follow.

    Marks do not wait for it: they take the clock's word.
    """
    now = database_time()
    overdue = Attempt.objects.overdue(now).order_by("deadline_at", "pk")
    some = list(overdue[:ATTEMPTS])
    for attempt in some:
        with suppress(Attempt.DoesNotExist):  # its learner has just gone
            hand_in_overdue(attempt, now=now)
    return len(some) == ATTEMPTS


def forget_ended_sessions() -> bool:
    """Delete a batch of sessions that have ended, and the addresses and browsers of those gone.

    allauth deletes these only when their owner looks at the list.
    """
    more = _delete_some(Session.objects.filter(expire_date__lt=database_time()))
    there = Session.objects.filter(session_key=OuterRef("session_key"))
    return _delete_some(UserSession.objects.filter(~Exists(there))) or more


def forget_old_sign_ins() -> bool:
    """Delete a batch of sign-ins and failed ones, with their addresses, older than 30 days."""
    before = database_time() - SIGN_INS_KEPT
    logs = (AccessLog, AccessFailureLog, AccessAttempt)
    more = [_delete_some(log.objects.filter(attempt_time__lt=before)) for log in logs]
    return any(more)


def forget_pending_zips() -> bool:
    """Delete a batch of zips that were looked at a day ago, and never applied."""
    return _delete_some(PendingZip.objects.filter(at__lt=database_time() - ZIPS_KEPT))


def forget_expired_values() -> bool:
    """Delete what the cache keeps beyond its time: allauth counts there by addresses.

    Django deletes such a row only when its key is asked for again, or of 100 000 rows.
    """
    table = connection.ops.quote_name(str(settings.CACHES["default"]["LOCATION"]))
    now = connection.ops.adapt_datetimefield_value(database_time().replace(microsecond=0))
    some = f"SELECT cache_key FROM {table} WHERE expires < %s LIMIT {BATCH}"  # noqa: S608 -- ours
    with connection.cursor() as cursor:
        cursor.execute(f"DELETE FROM {table} WHERE cache_key IN ({some})", [now])  # noqa: S608
        return bool(cursor.rowcount == BATCH)


def forget_old_checks() -> bool:
    """Delete a batch of graded Checks older than a week: they are in no history."""
    before = database_time() - CHECKS_KEPT
    checks = Submission.objects.graded().filter(kind=Submission.Kind.CHECK)
    return _delete_some(checks.filter(submitted_at__lt=before), order="submitted_at")


def forget_old_runs() -> bool:
    """Delete a batch of Runs older than an hour, with what came of them; those that wait too."""
    return _delete_some(_old_runs(database_time()), order="submitted_at")


def _old_runs(now: Any) -> QuerySet[Submission]:
    runs = Submission.objects.filter(kind=Submission.Kind.RUN)
    return runs.filter(submitted_at__lt=now - RUNS_KEPT)


def forget_old_packs() -> bool:
    """Delete packs that left their pool a week ago and that no submission names any more.

    Of packs of a class's work the data goes before, some time after the work closed.
    """
    now = database_time()
    reserved_packs.forget(now=now, closed_before=now - DATA_KEPT)
    forget_packs(retired_before=now - CHECKS_KEPT)
    return False


def shorten_log(database: BaseDatabaseWrapper) -> None:
    """Have SQLite begin its write-ahead log again once that has grown long.

    By itself SQLite does so only in a moment in which nobody reads. In a flood there is none, and
    the log grew by 90 MB in five minutes. Asked to, it lets the readers of that moment end, which
    takes milliseconds, and has writers wait meanwhile: so it is not asked to wait for long.
    """
    log = Path(f"{database.settings_dict['NAME']}-wal")
    if not log.exists() or log.stat().st_size <= LONG_LOG_BYTES:
        return
    usual = database.settings_dict["OPTIONS"]["timeout"]
    with database.cursor() as cursor:
        cursor.execute(f"PRAGMA busy_timeout = {LOG_WAITS_MS}")
        try:
            cursor.execute("PRAGMA wal_checkpoint(TRUNCATE)")
            (busy, *_) = cursor.fetchone()
        finally:
            cursor.execute(f"PRAGMA busy_timeout = {int(1000 * usual)}")
    if busy:
        logger.info("the log of the database stays long: somebody reads it all the time")


def _forget_full_buckets() -> bool:
    forget_full(now=database_time().timestamp())
    return False


def _forget_old_marks() -> bool:
    forget_old_marks(after=timedelta(days=settings.RETENTION_DAYS))
    return False


def _publish_closed_drafts() -> bool:
    publish_closed_drafts(now=database_time())
    return False


def _settle_lesson_steps() -> bool:
    settle_lesson_steps(database_time())
    return False


def _forget_old_numbers() -> bool:
    forget_old_instances()
    return False


def _forget_unused_plots() -> bool:
    forget_unused_drawings()
    return False


def _shorten_log() -> bool:
    shorten_log(connection)
    return False


def _put_missing() -> bool:
    engine().put_missing()
    return False
