"""What each worker last said of itself."""

from datetime import datetime, timedelta
from typing import Self

from django.db import models
from django.db.models import Q
from django.db.models.functions import Now

ALIVE_FOR = timedelta(seconds=12)  # a worker says something every 3 s
CLOCKS_APART = timedelta(minutes=1)  # later than that is the word of a clock since put back


def is_alive(seen_at: datetime, now: datetime) -> bool:
    """Return whether a worker that was last seen then said something a moment ago."""
    return now - ALIVE_FOR < seen_at < now + CLOCKS_APART


class Heartbeats(models.QuerySet["WorkerHeartbeat"]):
    """What workers last said."""

    def alive(self, now: datetime | Now) -> Self:
        """Return the workers that said something a moment ago, by the database's clock."""
        return self.filter(seen_at__gt=now - ALIVE_FOR, seen_at__lt=now + CLOCKS_APART)


class WorkerHeartbeat(models.Model):
    """One running worker process, and whether its sandbox passed its self-test."""

    process = models.UUIDField(
        null=True, unique=True, editable=False, help_text="Drawn at its start."
    )
    host = models.CharField(max_length=120, editable=False)
    pid = models.PositiveIntegerField(editable=False)
    started_at = models.DateTimeField(auto_now_add=True)
    seen_at = models.DateTimeField(editable=False)
    self_test_at = models.DateTimeField(null=True, editable=False)
    self_test_ok = models.BooleanField(default=False, editable=False)
    detail = models.TextField(blank=True, editable=False)

    objects = Heartbeats.as_manager()

    class Meta:
        ordering = ["-seen_at"]
        constraints = [
            models.CheckConstraint(
                name="self_test_ok_only_when_run",
                condition=Q(self_test_ok=False) | Q(self_test_at__isnull=False),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.host}:{self.pid}"


class PeriodicTask(models.Model):
    """When a task of the workers is due next, and which process is at it; `name` is in their code.

    `taken_until`: a process that ends or freezes loses the task then.
    """

    name = models.CharField(max_length=60, unique=True, editable=False)
    due_at = models.DateTimeField(editable=False)
    taken_by = models.UUIDField(null=True, editable=False)
    taken_until = models.DateTimeField(null=True, editable=False)
    done_at = models.DateTimeField(null=True, editable=False)
    failure = models.TextField(blank=True, editable=False, help_text="Of its last run.")

    class Meta:
        ordering = ["due_at"]
        constraints = [
            models.CheckConstraint(
                name="taken_by_a_process_until_a_time",
                condition=Q(taken_by=None, taken_until=None)
                | Q(taken_by__isnull=False, taken_until__isnull=False),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.name}, due {self.due_at:%Y-%m-%d %H:%M}"
