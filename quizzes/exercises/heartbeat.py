"""Says every 3 s that the worker lives, what its sandbox said, and keeps hold of its submission."""

import logging
import os
import socket
import threading
from collections.abc import Callable
from datetime import timedelta
from types import TracebackType
from typing import Any, Self

from django.db import DatabaseError, connection
from django.utils import timezone

from quizzes.exercises.models import WorkerHeartbeat

BEAT_SECONDS = 3.0
FORGOTTEN_AFTER = timedelta(days=1)

logger = logging.getLogger(__name__)


class Heartbeat:
    """A thread of its own with a database connection of its own, so that grading never stops it.

    `holding`: called with every beat while something is leased; it renews the lease.
    """

    def __init__(self, *, beat_seconds: float = BEAT_SECONDS) -> None:
        self.holding: Callable[[], object] | None = None
        self._facts: dict[str, Any] = {"self_test_ok": False, "detail": "The worker is starting."}
        self._beat_seconds = beat_seconds
        self._pk = 0  # of the row, once there is one
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
            WorkerHeartbeat.objects.filter(pk=self._pk).delete()
        except DatabaseError:
            logger.exception("the heartbeat stays in the database until it has grown old")

    def sandbox_works(self) -> None:
        """Say that the sandbox has just passed its self-test."""
        self.say({"self_test_ok": True, "self_test_at": timezone.now(), "detail": ""})

    def sandbox_missing(self, why: str) -> None:
        """Say that nothing can be graded, and why."""
        self.say({"self_test_ok": False, "self_test_at": timezone.now(), "detail": why})

    def say(self, facts: dict[str, Any]) -> None:
        """Write what is new; a database that fails now hears it with a later beat."""
        self._facts = {**self._facts, **facts}
        try:
            self._beat()
        except DatabaseError:
            logger.exception("what the worker says could not be written")
            connection.close()

    def _beat(self) -> None:
        now = timezone.now()
        mine = WorkerHeartbeat.objects.filter(pk=self._pk)
        if self._pk and mine.update(seen_at=now, **self._facts):
            return
        host, pid = socket.gethostname(), os.getpid()
        WorkerHeartbeat.objects.filter(host=host, pid=pid).delete()
        WorkerHeartbeat.objects.filter(seen_at__lt=now - FORGOTTEN_AFTER).delete()
        row = WorkerHeartbeat.objects.create(host=host, pid=pid, seen_at=now, **self._facts)
        self._pk = row.pk

    def _run(self) -> None:
        while not self._stopped.wait(self._beat_seconds):
            try:
                holding = self.holding
                if holding is not None:
                    holding()
                self._beat()
            except DatabaseError:
                logger.exception("a heartbeat was lost")
                connection.close()
        connection.close()
