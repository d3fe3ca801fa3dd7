"""A sandbox for one profile: a self-tested fork server, spare children, recycling.

An interpreter with numpy takes 0.3 s to start and one with torch 3 s, so nothing is started for a
submission: a fork server has imported everything, and a child is a copy of it. Even the copy is
made ahead. Spare children wait, locked down, for the next job, whose limits are most likely those
of the last one. Each child does one job and ends, so nothing of a submission is left for the next.

Three things could go wrong with that, and shape this file. A fork server lives long, and whatever
is wrong in it is wrong in every child: it is tested before it serves, replaced after some hundred
jobs by a successor that was started beside it, and where the successor does not pass its test none
serves, since a sandbox that does not hold must not go on. A run that was interrupted half-way
leaves children and messages that nobody expects: after any exception the fork server is dropped
whole, rather than put right. And spare children that rehearse take the core from the job that is
running: they are stopped meanwhile, once they have had a moment to get ready.
"""

from __future__ import annotations

import logging
import threading
import time
from collections import deque
from contextlib import closing

from quizzes.grader.errors import MachineTooBusy, SandboxBroken, SandboxUnavailable
from quizzes.grader.protocol.job import Job, Limits, Run
from quizzes.grader.sandbox.conversation import Conversation, run_of
from quizzes.grader.sandbox.fork_server import Child, ForkServer
from quizzes.grader.sandbox.profiles import Profile
from quizzes.grader.sandbox.run_clock import RunClock
from quizzes.grader.sandbox.self_test import self_test

SPARES = 2
RENEW_AFTER_JOBS = 200  # then a fork server is replaced when nobody waits
USED_UP_AFTER = 2000  # jobs; then in any case, which takes a core for 3 s with torch
RENEW_AGAIN_SECONDS = 60.0
SETTLE_SECONDS = 0.05  # after that spare children are there, and only rehearse

logger = logging.getLogger(__name__)


class Supervisor:
    """Implements `Sandbox`. One job at a time; a second thread waits for the first.

    It ends with this process however that ends (`bubblewrap._LAUNCH`).
    """

    def __init__(self, profile: Profile) -> None:
        self.profile = profile
        self.restarts = -1
        self._stocks_later = False
        self._settled_at = float("inf")  # from then on a job is worth more than its spares' warmth
        self._lock = threading.Lock()
        self._server: ForkServer | None = None
        self._successor: ForkServer | None = None
        self._spares: deque[Child] = deque()
        self._jobs = 0
        self._tester: threading.Thread | None = None  # of a first fork server that got ready
        self._renew_after = 0.0  # as soon as it is due
        self._last_limits = Limits()  # which the next job has too, most likely

    @property
    def server_pid(self) -> int:
        """The fork server's process as this machine sees it, 0 when there is none."""
        return self._server.pid if self._server else 0

    def start(self) -> None:
        """Start and test a fork server; raises SandboxUnavailable and leaves nothing behind."""
        with self._lock:
            self._replace_server(self._successor)

    def start_soon(self) -> None:
        """Start a fork server and return at once; `start` or the first job waits for the rest."""
        with self._lock:
            if self._server is None and self._successor is None:
                self._successor = ForkServer(self.profile)

    def can_run_soon(self, source: str = "", library: str = "") -> bool:
        """Say whether a job need wait neither for imports of libraries nor for the self-test.

        This one serves any code. The self-test takes 0.1 s, on a busy machine a second, so it has a
        thread of its own. True also where it failed: the next job tries again and says why.
        """
        del source, library
        if self._tester is not None:
            if self._tester.is_alive():
                return False
            self._tester = None
            return True
        with self._lock:
            if self._server is not None:
                return True
            if self._successor is not None and self._successor.is_ready():
                self._tester = threading.Thread(target=self._test_first, daemon=True)
                self._tester.start()
            return False

    def _test_first(self) -> None:
        """Have the first fork server serve, unless a job or `close` came before."""
        with self._lock:
            if self._server is not None or self._successor is None:
                return
            try:
                self._replace_server(self._successor)
            except (OSError, SandboxBroken, SandboxUnavailable) as error:
                logger.warning("a fork server did not start: %s", error)

    def run(self, job: Job) -> Run:
        """Run one job; raises SandboxBroken, after which the next job gets a new fork server."""
        with self._lock:
            try:
                server = self._serving()
                run = self._run_on(server, job)
                self._last_limits = job.limits
                if not self._stocks_later:
                    self._stock_spares(server)
            except SandboxUnavailable as error:
                raise SandboxBroken(str(error)) from error
            except MachineTooBusy:  # starting a fork server would only make it busier
                raise
            except OSError as error:
                self._drop_server()
                raise SandboxBroken(f"{type(error).__name__}: {error}") from error
            except BaseException:  # interrupted half-way too: its state is not known any more
                self._drop_server()
                raise
        return run

    def stock_later(self) -> None:
        """Have spare children made by `get_ready` alone from now on: they take a core a moment."""
        self._stocks_later = True

    def get_ready(self) -> None:
        """Make spare children; what fails here costs no job."""
        with self._lock:
            if self._server is not None:
                try:
                    for child in self._spares:
                        child.go_on()
                    self._stock_spares(self._server)
                except (OSError, SandboxBroken):
                    self._drop_server()  # the next job gets a new one
            self._settled_at = time.monotonic() + SETTLE_SECONDS

    def renew(self) -> None:
        """Replace a fork server that is due, in two calls or more; for when nobody waits.

        Raises SandboxUnavailable when the new one does not pass its self-test: then none serves.
        """
        with self._lock:
            if self._server is not None and self._jobs >= RENEW_AFTER_JOBS:
                self._renew()

    def close(self) -> None:
        """End everything; safe to call twice."""
        with self._lock:
            self._drop_server()
            self._drop_successor()

    def _serving(self) -> ForkServer:
        """Return the fork server to use now."""
        if self._server is None:
            self._replace_server(self._successor)
        elif self._jobs >= USED_UP_AFTER:
            self._renew()
        assert self._server is not None
        return self._server

    def _renew(self) -> None:
        """Start a successor, or have it take over once it is ready.

        One that cannot start is our trouble alone: the old one serves on. But a sandbox that does
        not hold any more must not serve.
        """
        try:
            if self._successor is None and time.monotonic() >= self._renew_after:
                self._successor = ForkServer(self.profile)
            if self._successor is None or not self._successor.is_ready():
                return
            self._successor.wait_until_ready()
        except (OSError, SandboxUnavailable) as error:
            logger.warning("a fork server's successor did not start: %s", error)
            self._drop_successor()
            self._renew_after = time.monotonic() + RENEW_AGAIN_SECONDS
            return
        try:
            self._replace_server(self._successor)
        except SandboxUnavailable as error:
            if isinstance(error.__cause__, MachineTooBusy):  # nothing is wrong with either
                logger.warning("a fork server's successor waits: %s", error)
                self._renew_after = time.monotonic() + RENEW_AGAIN_SECONDS
                return
            self._drop_server()
            raise

    def _replace_server(self, successor: ForkServer | None) -> None:
        self._successor = None
        try:
            server = successor or ForkServer(self.profile)
        except OSError as error:
            raise SandboxUnavailable(
                f"The sandbox could not be started: {error.strerror or error}.",
                "Run `manage.py doctor` to see what this machine has run out of.",
            ) from error
        try:
            server.wait_until_ready()
            self_test(lambda job: self._run_once(server, job))
        except BaseException:
            server.close()
            raise
        self._drop_server()
        self._server, self._jobs = server, 0
        self.restarts += 1
        self._stock_spares(server)

    def _run_once(self, server: ForkServer, job: Job) -> Run:
        child = server.spawn(job.limits)
        return self._converse(server, child, job)

    def _run_on(self, server: ForkServer, job: Job) -> Run:
        self._jobs += 1
        while self._spares and self._spares[0].limits != job.limits:
            server.forget(self._spares.popleft())
        child = self._spares.popleft() if self._spares else server.spawn(job.limits)
        return self._converse(server, child, job)

    def _converse(self, server: ForkServer, child: Child, job: Job) -> Run:
        frames = job.to_frames()
        try:
            server.await_child(child)
            with closing(RunClock(child.pidfd)) as clock:
                conversation = Conversation(child, clock, frames, job.most_frames)
                conversation.begin()
                if server is self._server and time.monotonic() > self._settled_at:
                    server.hold(self._spares)
                conversation.converse()
                return run_of(server, child, conversation)
        finally:
            server.forget(child)

    def _stock_spares(self, server: ForkServer) -> None:
        while len(self._spares) < SPARES:
            self._spares.append(server.spawn(self._last_limits))

    def _drop_server(self) -> None:
        while self._spares:
            self._spares.popleft().close()
        if self._server is not None:
            self._server.close()
            self._server = None

    def _drop_successor(self) -> None:
        if self._successor is not None:
            self._successor.close()
            self._successor = None
