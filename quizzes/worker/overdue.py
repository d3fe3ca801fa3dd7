"""Attempts whose time is up are written down as handed in, in a thread of its own.

The periodic tasks have their turn between two pieces of other work, and verifying an exercise takes
a minute; without a sandbox their thread rests. An attempt must be written down within a minute all
the same, so that its learner's progress and review cards follow. Marks do not wait for it: they
take the clock's word. Several workers may look at once: each attempt is locked and looked at again.
"""

import logging
import threading

from django.db import connection
from django.utils import timezone

from quizzes.assessment.models import Attempt
from quizzes.assessment.services import hand_in_overdue

LOOK_SECONDS = 15.0
AT_ONCE = 200  # attempts; the rest at the next look, so that stopping never waits long

logger = logging.getLogger(__name__)


class OverdueThread(threading.Thread):
    """Looks for overdue attempts until stopped; a look that fails is made again at its time."""

    def __init__(self, *, stopping: threading.Event, look_seconds: float = LOOK_SECONDS) -> None:
        super().__init__(name="overdue attempts", daemon=True)
        self._stopping = stopping
        self._look_seconds = look_seconds

    def run(self) -> None:
        while True:
            try:
                hand_in_all_overdue()
            except Exception:
                logger.exception("handing in overdue attempts failed, tried again later")
                connection.close()  # should it have been the database
            if self._stopping.wait(self._look_seconds):
                break
        connection.close()


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
