"""What has to be done now and then and needs no sandbox, in a thread of its own.

It must not wait for anything: while an exercise is verified, or while no sandbox can be had, an
attempt whose time is up is still written down within a minute, so that its learner's progress and
review cards follow. Marks do not wait for it: they take the clock's word.
"""

import logging
import threading
from collections.abc import Callable

from django.db import connection
from django.utils import timezone

from quizzes.assessment.models import Attempt
from quizzes.assessment.services import hand_in_overdue
from quizzes.classes.assignments import settle_lesson_steps

LOOK_SECONDS = 15.0
AT_ONCE = 200  # attempts; the rest at the next look, so that one look stays short

logger = logging.getLogger(__name__)


class PeriodicTasks(threading.Thread):
    """Does every task at each look; one that fails is tried again at the next one."""

    def __init__(self, *, stopping: threading.Event, look_seconds: float = LOOK_SECONDS) -> None:
        super().__init__(name="periodic tasks", daemon=True)
        self._stopping = stopping
        self._look_seconds = look_seconds

    def run(self) -> None:
        while True:
            do_all()
            if self._stopping.wait(self._look_seconds):
                break
        connection.close()


def do_all() -> None:
    """Do every periodic task once; a failure of one is logged and keeps no other from its turn."""
    for name, task in TASKS.items():
        try:
            task()
        except Exception:
            logger.exception("%s failed, tried again later", name)
            connection.close()  # should it have been the database


def hand_in_all_overdue() -> int:
    """Write down what the clock has handed in, the oldest first; return how many."""
    overdue = Attempt.objects.overdue(timezone.now()).order_by("deadline_at", "pk")
    handed_in = 0
    for attempt in overdue[:AT_ONCE]:
        try:
            handed_in += hand_in_overdue(attempt)
        except Attempt.DoesNotExist:  # its learner has just gone
            continue
    return handed_in


def settle_steps() -> int:
    """Write down the steps of assigned lessons that have not opened yet."""
    return settle_lesson_steps(timezone.now())


TASKS: dict[str, Callable[[], object]] = {
    "handing in overdue attempts": hand_in_all_overdue,
    "settling the steps of assigned lessons": settle_steps,
}
