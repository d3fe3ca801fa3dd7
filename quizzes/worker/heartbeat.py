"""Says every 3 s that the worker lives, and renews every lease that it holds.

A lease lapses by itself, so that a dead worker's submission is graded by another. But grading may
take as long as a lease, and verifying an exercise a minute: were the lease renewed by the thread
that works, another worker would take over work that goes well. So one thread does nothing else, for
submissions and for versions of exercises alike. It stops with the process, whether that is killed
or frozen, and so do the renewals of its leases. Three beats fit into a submission's lease of 10 s,
so a database that is away for a moment costs nothing. Work that hangs would be held for ever, but
all code in a sandbox has a time limit.
"""

import logging
import os
import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import timedelta
from types import TracebackType
from typing import Any, Self
from uuid import UUID

from django.db import connection
from django.utils import timezone

from quizzes.exercises.models import WorkerHeartbeat
from quizzes.exercises.queue.clock import database_time, time_of_update

BEAT_SECONDS = 3.0
LOG_PAGES = 1000  # of 4 kB, as SQLite itself has it
FORGOTTEN_AFTER = timedelta(days=1)

logger = logging.getLogger(__name__)


class Heartbeat:
    """A thread of its own with a database connection of its own, so that grading never stops it."""

    def __init__(
        self,
        *,
        process: UUID,
        beat_also: Callable[[], object] = lambda: None,
        beat_seconds: float = BEAT_SECONDS,
    ) -> None:
        self._process = process
        self._beat_also = beat_also
        self._renewals: list[Callable[[], object]] = []
        self._facts: dict[str, Any] = {"self_test_ok": False, "detail": "The worker is starting."}
        self._beat_seconds = beat_seconds
        self._stopped = threading.Event()
        self._thread = threading.Thread(target=self._run, name="heartbeat", daemon=True)

    def __enter__(self) -> Self:
        self.say(self._facts)
        self._thread.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self._stopped.set()
        self._thread.join(timeout=self._beat_seconds)
        try:
            WorkerHeartbeat.objects.filter(process=self._process).delete()
        except Exception:
            logger.exception("the heartbeat stays in the database until it has grown old")

    @contextmanager
    def keep_lease(self, renew: Callable[[], object]) -> Iterator[None]:
        """Renew a lease with every beat while the block runs; several threads may hold one each."""
        self._renewals.append(renew)
        try:
            yield
        finally:
            self._renewals.remove(renew)

    def sandbox_works(self) -> None:
        """Say that the sandbox has just passed its self-test."""
        self.say({"self_test_ok": True, "self_test_at": timezone.now(), "detail": ""})

    def sandbox_missing(self, why: str) -> None:
        """Say that nothing can be graded, and why."""
        self.say({"self_test_ok": False, "self_test_at": timezone.now(), "detail": why})

    def say(self, facts: dict[str, Any]) -> None:
        """Write new facts; where the database fails now, a later beat writes them."""
        self._facts = {**self._facts, **facts}
        try:
            self._beat()
        except Exception:
            logger.exception("what the worker says could not be written")
            connection.close()

    def _beat(self) -> None:
        mine = WorkerHeartbeat.objects.filter(process=self._process)
        # By the database's clock others see whether we live.
        if mine.update(seen_at=time_of_update(), **self._facts):
            return
        now = database_time()
        WorkerHeartbeat.objects.filter(seen_at__lt=now - FORGOTTEN_AFTER).delete()
        WorkerHeartbeat.objects.create(
            process=self._process,
            host=socket.gethostname(),
            pid=os.getpid(),
            seen_at=now,
            **self._facts,
        )

    def _run(self) -> None:
        while not self._stopped.wait(self._beat_seconds):
            for beat in (_copy_log_early, *self._renewals, self._beat_also, self._beat):
                try:
                    beat()
                except Exception:  # whatever it is: a worker whose thread ends here seems dead
                    logger.exception("a heartbeat was lost")
                    connection.close()
        connection.close()


def _copy_log_early() -> None:
    """Have commits of this thread copy SQLite's log into the file sooner than those of others.

    They wait for the disk then. Others do so only at ten times the length (`settings.py`).
    """
    if connection.vendor == "sqlite":
        with connection.cursor() as cursor:
            cursor.execute(f"PRAGMA wal_autocheckpoint={LOG_PAGES}")
