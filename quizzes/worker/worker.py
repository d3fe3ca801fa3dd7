"""One worker: leases submissions one after another, judges them, records the reports.

A class waits for this process, and everything that it uses can fail: the sandbox may break or not
be had at all, the database may be away, a submission may trip the judge, the operator may stop the
service in the middle of a run. So each failure ends only as much as it concerns. A row that trips
the judge is given back, and after three times it is closed as our failure. A sandbox that broke is
opened again; without one nothing is graded, and each heartbeat says why. A database that is away is
asked again: what was to be written is kept for a minute, since a learner must not pay for our
connection with one of three tries; rows that were leased then lapse by themselves. Asked to stop,
the worker has 4 s for the row in work and hands it over after that: the sandbox's answer is waited
for in one place, the only one that may be broken off (`_interruptible`), so no record is half
written.
"""

import logging
import os
import signal
import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack, closing, contextmanager
from functools import partial
from types import FrameType
from typing import TypeVar
from uuid import uuid4

from django.apps import apps
from django.conf import settings
from django.db import DatabaseError, InterfaceError, OperationalError, connection

from quizzes.exercises.case_pack_pool import read_own_pack, read_pack, retire_pack
from quizzes.exercises.models import Submission, WorkerHeartbeat
from quizzes.exercises.queue import lanes, leases
from quizzes.exercises.queue.batch_pictures import show_before_reference
from quizzes.exercises.queue.engine import engine
from quizzes.exercises.queue.notify import Listener
from quizzes.exercises.queue.port import Lease
from quizzes.grader.api import (
    BadFrame,
    MachineTooBusy,
    Sandbox,
    SandboxBroken,
    SandboxUnavailable,
    ServingSandbox,
)
from quizzes.grader.judge import CasePack, Report, grade_code
from quizzes.grader.sandbox import HARD_END_SECONDS, open_for_serving
from quizzes.regrades import trials
from quizzes.regrades.trials import TrialLease
from quizzes.worker.background import Preparer
from quizzes.worker.heartbeat import Heartbeat
from quizzes.worker.periodic_tasks import PeriodicThread
from quizzes.worker.reference_sandbox import ReferenceSandbox
from quizzes.worker.run_outcomes import (
    library_of,
    needs_slow_lane,
    outcome_of,
    own_sample,
    run_of,
)

ASIDE_SECONDS = 0.1  # between two looks whether torch has started
WAIT_SECONDS = 1.0  # a lapsed lease sends no notification
COPIES_SECONDS = 3.0  # between two looks for copies of a regrade while there are none
RETRY_SECONDS = 15.0
AFTER_FAILURE_SECONDS = 1.0
BACK_SECONDS = 10.0  # after the database was away, before others may seem dead
WRITE_SECONDS = 60.0  # how long a report is kept for a database that is away
TELL_SECONDS = 60.0  # between two lines about a database that cannot be used yet
FINISH_SECONDS = 4  # for the submission in work when the worker is asked to stop

T = TypeVar("T")
logger = logging.getLogger(__name__)


class StopRequested(BaseException):
    """The worker must end now, in the middle of a submission; it is handed over."""


def open_students(profile: str) -> AbstractContextManager[ServingSandbox]:
    """Open the sandbox for submissions as this site is set up."""
    return open_for_serving(profile, warm_torch=settings.WARM_TORCH)


class Worker:
    """`run` returns when `stop` was called. Runs in the main thread, where signals arrive."""

    def __init__(
        self, *, opener: Callable[[str], AbstractContextManager[ServingSandbox]] = open_students
    ) -> None:
        # Processes of two containers may share the host's name and the number of the process.
        self.process = uuid4()
        self.name = f"{socket.gethostname()}:{os.getpid()}:{self.process.hex[:8]}"
        self.stopping = threading.Event()
        self._opener = opener
        self._may_break_off = False
        self._heartbeat = Heartbeat(process=self.process, beat_also=self._beat)
        self._packs_used = threading.Event()
        self._swept_at = 0.0
        self._no_slow_before = 0.0
        self._no_copy_before = 0.0
        self._aside: list[tuple[Lease, ExitStack]] = []  # they wait for torch or references
        self._references = ReferenceSandbox()

    def run(self) -> None:
        """Grade until stopped, once there is a database to work with."""
        self._wait_for_tables()
        if not self.stopping.is_set():
            self._work()
        signal.alarm(0)  # or it ends the process while the interpreter takes its leave

    def _work(self) -> None:
        """Grade until stopped, with heartbeat, preparer and periodic tasks beside it."""
        keep = self._heartbeat.keep_lease
        preparer = Preparer(
            stopping=self.stopping,
            keep_lease=keep,
            process=self.process,
            packs_used=self._packs_used,
        )
        periodic = PeriodicThread(stopping=self.stopping, keep_lease=keep, process=self.process)
        with self._heartbeat, closing(Listener()) as self._listener:
            preparer.start()
            periodic.start()
            while not self.stopping.is_set():
                self._serve_with_a_new_sandbox()
            self._references.close()
            preparer.join(timeout=2)
            periodic.join(timeout=2)
            self._leave()

    def stop(self) -> None:
        """Ask for the end: the submission in work is finished, or handed over after 4 s."""
        self.stopping.set()

    def stop_on_signals(self) -> None:
        """Have SIGTERM and SIGINT call `stop`."""

        def stop(_number: int, _frame: FrameType | None) -> None:
            self.stop()
            signal.alarm(FINISH_SECONDS)

        def late(_number: int, _frame: FrameType | None) -> None:
            if self._may_break_off:
                raise StopRequested

        signal.signal(signal.SIGTERM, stop)
        signal.signal(signal.SIGINT, stop)
        signal.signal(signal.SIGALRM, late)

    def _wait_for_tables(self) -> None:
        """Wait for a database to work with; tell what it lacks at once, then every minute."""
        told_at = -TELL_SECONDS
        while not self.stopping.is_set() and (lacking := _lacking()):
            if time.monotonic() - told_at >= TELL_SECONDS:
                told_at = time.monotonic()
                logger.error("%s. The worker is waiting and will go on by itself", lacking)
            connection.close()  # another file may take the place of this one
            self.stopping.wait(AFTER_FAILURE_SECONDS)

    def _beat(self) -> None:
        engine().beat(self.name)

    def _leave(self) -> None:
        try:
            engine().leave(self.name)
        except DatabaseError:
            logger.exception("the queue will notice by itself that this worker has ended")

    def _serve_with_a_new_sandbox(self) -> None:
        try:
            with ExitStack() as stack:
                with self._interruptible():
                    sandbox = stack.enter_context(self._opener("student"))
                self._heartbeat.sandbox_works()
                logger.info("the sandbox passed its self-test; grading")
                self._serve(sandbox)
        except SandboxUnavailable as error:
            logger.error("code grading is off: %s", error)
            self._rest(str(error), RETRY_SECONDS)
        except SandboxBroken as error:
            logger.error("the sandbox broke and is opened again: %s", error)
        except StopRequested:
            logger.warning("broke off what was going on; a submission is handed over")
        except Exception as error:
            connection.close()  # should it have been the database
            logger.exception("the worker failed on its own side")
            self._rest(f"The worker failed: {type(error).__name__}.", AFTER_FAILURE_SECONDS)

    def _serve(self, sandbox: ServingSandbox) -> None:
        try:
            while not self.stopping.is_set():
                try:
                    self._serve_next(sandbox)
                except DatabaseError:  # a leased row is graded again when its lease has lapsed
                    logger.exception("the database failed")
                    connection.close()
                    self._let_others_come_back()
                    self.stopping.wait(AFTER_FAILURE_SECONDS)
        finally:
            self._hand_over_what_is_aside()

    def _serve_next(self, sandbox: ServingSandbox) -> None:
        lease = self._ready_aside(sandbox) or self._lease_next(sandbox)
        if lease is not None:
            try:
                self.grade(lease, sandbox)
            finally:  # not before: the preparer would look while this one is graded
                self._packs_used.set()
            sandbox.get_ready()
        self._sweep_now_and_then()
        if lease is None and not self._aside and self._try_copy(sandbox):
            return
        if lease is None:
            sandbox.renew()
            self._references.end_unused()
            seconds = ASIDE_SECONDS if self._aside else WAIT_SECONDS
            self._listener.wait(seconds, until=self.stopping.is_set)

    def _lease_next(self, sandbox: ServingSandbox) -> Lease | None:
        """Lease what is next; what would wait for torch to start is set aside."""
        while not self.stopping.is_set():
            slow_too = time.monotonic() >= self._no_slow_before
            lease = leases.lease_next(worker=self.name, slow_too=slow_too)
            if lease is None or self._can_run_soon(lease, sandbox):
                return lease
            if self._show_before_reference(lease, sandbox):
                self._set_aside(lease)
        return None

    def _can_run_soon(self, lease: Lease, sandbox: ServingSandbox) -> bool:
        if lease.submission.is_run:
            run = run_of(lease)
            library = library_of(run)
            # Both are asked, so that both start at once.
            is_ready = self._references.can_run_soon(run)
            return sandbox.can_run_soon(lease.submission.code + run.call, library) and is_ready
        try:
            library = _pack_of(lease).entry.library
        except BadFrame:
            return True  # `grade` says what is wrong with it
        return sandbox.can_run_soon(lease.submission.code, library)

    def _set_aside(self, lease: Lease) -> None:
        """Keep a row for later, and with it the turn of its learner."""
        logger.info("submission %s waits for a sandbox that is being started", lease.submission.pk)
        kept = ExitStack()
        kept.enter_context(self._heartbeat.keep_lease(partial(leases.renew, lease=lease)))
        engine().set_aside(lease)
        self._aside.append((lease, kept))

    def _show_before_reference(self, lease: Lease, sandbox: ServingSandbox) -> bool:
        """Show a learner's own numbers before their row waits for the author's sandbox.

        Return whether the row is still this worker's, so that it can be set aside.

        A hand waits for its first picture, and that sandbox takes 3 s to start with torch. Code
        that breaks the sandbox here would break it in each lease: so a failure frees the row as one
        of the judge does, and counts.
        """
        if not lease.submission.is_run or run_of(lease).sample is None:
            return True
        code, run = lease.submission.code, run_of(lease)
        if not run.with_reference or not sandbox.can_run_soon(code + run.call, library_of(run)):
            return True
        outcome = self._judge(lease, partial(own_sample, code, run, sandbox))
        return outcome is not None and show_before_reference(lease=lease, outcome=outcome)

    def _ready_aside(self, sandbox: ServingSandbox) -> Lease | None:
        """Take the first that need not wait any more, whatever those before it wait for."""
        for place, (lease, kept) in enumerate(self._aside):
            if self._can_run_soon(lease, sandbox):
                del self._aside[place]
                kept.close()
                return lease
        return None

    def _hand_over_what_is_aside(self) -> None:
        while self._aside:
            lease, kept = self._aside.pop()
            kept.close()
            try:
                leases.hand_over(lease=lease)
            except DatabaseError:  # it is free once this worker seems dead
                logger.exception("submission %s was not handed over", lease.submission.pk)
                connection.close()

    def grade(self, lease: Lease, sandbox: Sandbox) -> None:
        """Judge one leased submission and record the report; our failures free the row."""
        if lease.submission.is_run:
            self._run(lease, sandbox)
            return
        try:
            pack = _pack_of(lease)
        except BadFrame:
            logger.exception("pack %s cannot be read; another takes its place", lease.pack_id)
            retire_pack(pk=lease.pack_id)
            leases.hand_over(lease=lease)
            return
        quick = not lease.submission.slow and lanes.has_lanes(pack)
        pack = lanes.quick(pack) if quick else pack
        shown_only = lease.submission.kind == Submission.Kind.CHECK
        code = lease.submission.code
        judge = partial(grade_code, pack, code, sandbox, shown_only=shown_only)
        report = self._judge(lease, judge)
        if report is None:
            return
        if quick and lanes.was_cut_short(report):
            self._go_on_slowly(lease)
            return
        self._let_quick_code_go_first(lease, report.all_seconds)
        written = self._write(lease, partial(leases.record, lease=lease, report=report))
        _log_end(lease, report.verdict if written else None)

    def _run(self, lease: Lease, sandbox: Sandbox) -> None:
        """Run a learner's code for its own sake, in a Check's lanes, and record its outcome."""
        is_slow, code = lease.submission.slow, lease.submission.code
        work = partial(
            outcome_of,
            run_of(lease),
            code=code,
            is_slow=is_slow,
            sandbox=sandbox,
            references=self._references,
        )
        outcome = self._judge(lease, work)
        if outcome is None:
            return
        if not is_slow and needs_slow_lane(outcome):
            self._go_on_slowly(lease)
            return
        self._let_quick_code_go_first(lease, outcome.seconds)
        written = self._write(lease, partial(leases.record_run, lease=lease, outcome=outcome))
        _log_end(lease, "ran" if written else None)

    def _go_on_slowly(self, lease: Lease) -> None:
        self._write(lease, partial(leases.to_slow_lane, lease=lease))
        logger.info("submission %s goes on in the slow lane", lease.submission.pk)

    def _write(self, lease: Lease, change: Callable[[], T]) -> T:
        """Change the row of a lease; over a new connection where the old one was lost.

        If another worker took the row meanwhile, or the first change came through although its
        connection did not live to say so, the second changes nothing.
        """
        deadline = time.monotonic() + WRITE_SECONDS
        with self._heartbeat.keep_lease(partial(leases.renew, lease=lease)):
            while True:
                try:
                    return change()
                except (OperationalError, InterfaceError) as error:
                    if self.stopping.is_set() or time.monotonic() >= deadline:
                        raise
                    said = str(error).partition("\n")[0]
                    number = lease.submission.pk
                    logger.warning("submission %s is written again: %s", number, said)
                    connection.close()
                    self._let_others_come_back()
                    self.stopping.wait(AFTER_FAILURE_SECONDS)

    def _try_copy(self, sandbox: ServingSandbox) -> bool:
        """Grade one copy of a regrade, as nothing live waits; return whether there was one.

        After none it is not looked for again at once: each row that is stored wakes all workers of
        a host, and one that comes too late would take 3 ms of a processor from one that grades.
        """
        if time.monotonic() < self._no_copy_before:
            return False
        slow_too = engine().runs_slow_code()
        lease = trials.lease_trial(worker=self.name, slow_too=slow_too)
        if lease is None:
            self._no_copy_before = time.monotonic() + COPIES_SECONDS
            return False
        try:
            pack = read_pack(lease.pack_id)
        except BadFrame as error:
            logger.exception("pack %s of a regrade cannot be read", lease.pack_id)
            trials.give_back_trial(lease=lease, failure=f"Its cases are damaged: {error}")
            return True
        if not sandbox.can_run_soon(lease.code, pack.entry.library):
            trials.give_back_trial(lease=lease, counts=False)
            return False
        quick = not lease.trial.slow and lanes.has_lanes(pack)
        report = self._judge_copy(lanes.quick(pack) if quick else pack, lease, sandbox)
        if report is not None and quick and lanes.was_cut_short(report):
            trials.give_back_trial(lease=lease, counts=False, slow=True)
        elif report is not None:
            trials.record_trial(lease=lease, report=report)
        sandbox.get_ready()
        return True

    def _judge_copy(self, pack: CasePack, lease: TrialLease, sandbox: Sandbox) -> Report | None:
        try:
            with self._interruptible():
                return grade_code(pack, lease.code, sandbox, shown_only=False)
        except StopRequested:
            trials.give_back_trial(lease=lease, counts=False)
            raise
        except MachineTooBusy as error:
            trials.give_back_trial(lease=lease, failure=str(error))
        except SandboxBroken as error:
            trials.give_back_trial(lease=lease, failure=f"The sandbox broke: {error}")
            raise
        except Exception as error:
            logger.exception("the copy of submission %s failed", lease.trial.submission_id)
            failure = f"{type(error).__name__}: {error}"
            trials.give_back_trial(lease=lease, failure=failure)
        return None

    def _judge(self, lease: Lease, run: Callable[[], T]) -> T | None:
        """Return what `run` returns; None where our side failed, which frees the row."""
        renew = partial(leases.renew, lease=lease)
        try:
            with self._heartbeat.keep_lease(renew), self._interruptible():
                return run()
        except StopRequested:
            leases.hand_over(lease=lease)
            raise
        except MachineTooBusy as error:  # the sandbox is well, and starting another takes seconds
            logger.warning("submission %s: %s", lease.submission.pk, error)
            self._let_quick_code_go_first(lease, HARD_END_SECONDS)
            self._give_back(lease, str(error))
            return None
        except SandboxBroken as error:
            try:
                self._give_back(lease, f"The sandbox broke: {error}")
            except DatabaseError:  # whatever else fails, this sandbox must not be used again
                logger.exception("submission %s was not given back", lease.submission.pk)
                connection.close()
            raise
        except Exception as error:
            logger.exception("submission %s could not be judged", lease.submission.pk)
            self._give_back(lease, f"{type(error).__name__}: {error}")
            return None

    def _give_back(self, lease: Lease, failure: str) -> None:
        self._write(lease, partial(leases.give_back, lease=lease, failure=failure))

    def _let_quick_code_go_first(self, lease: Lease, seconds: float) -> None:
        """Let quick code go first after slow code, which took so many seconds of this worker."""
        if lease.submission.slow:
            self._no_slow_before = time.monotonic() + seconds * (1 / lanes.SLOW_SHARE - 1)

    @contextmanager
    def _interruptible(self) -> Iterator[None]:
        """Let a stop that has waited long enough break off the block."""
        self._may_break_off = True
        try:
            yield
        finally:
            self._may_break_off = False

    def _sweep_now_and_then(self) -> None:
        if time.monotonic() - self._swept_at > engine().sweep_seconds:
            leases.sweep()
            self._swept_at = time.monotonic()

    def _let_others_come_back(self) -> None:
        """Do not sweep soon after the database was away.

        Who grades was cut off as well, and has yet to say that it lives: swept at once, each
        row in work would lose a try and its report would be refused.
        """
        self._swept_at = time.monotonic() + BACK_SECONDS

    def _rest(self, why: str, seconds: float) -> None:
        self._heartbeat.sandbox_missing(why)
        self.stopping.wait(seconds)


def _lacking() -> str:
    """Say what keeps the database from being used, and the cure; "" when nothing does."""
    tables = {model._meta.db_table for model in apps.get_models() if model._meta.managed}
    try:
        missing = sorted(tables - set(connection.introspection.table_names()))
        if not missing:
            WorkerHeartbeat.objects.filter(pk=-1).update(detail="")  # refused where none may write
            return ""
    except (DatabaseError, InterfaceError) as error:
        said = str(error).partition("\n")[0]
        return (
            f"No database can be used: {said}. It must run, be what DATABASE_URL says, and let the"
            " worker's user write to it (an SQLite file, its -wal and -shm, and their folder)"
        )
    return (
        f"The database lacks {len(missing)} of {len(tables)} tables, such as {missing[0]}. Run"
        " `manage.py migrate`, or start the site, which does (`make run`)"
    )


def _log_end(lease: Lease, words: str | None) -> None:
    """Log how a submission ended; None: another worker or this one had written it before."""
    if words is not None:
        logger.info("submission %s: %s", lease.submission.pk, words)
    else:
        said = "submission %s was taken over, or written before its connection was lost"
        logger.warning(said, lease.submission.pk)


def _pack_of(lease: Lease) -> CasePack:
    return (read_own_pack if lease.submission.own_pack else read_pack)(lease.pack_id)
