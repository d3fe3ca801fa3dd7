"""Pauses of the worker that fills a demo class, so that others can write and be graded."""

import time
from collections.abc import Callable

from quizzes.exercises.case_pack_pool import can_be_graded
from quizzes.exercises.models import Submission

PAUSE_SECONDS = 0.01  # after each attempt: a writer that waits for SQLite tries ten times a second
LOOK_SECONDS = 0.05  # between two looks whether code still waits to be graded


def let_others_write() -> None:
    """Pause for a moment."""
    time.sleep(PAUSE_SECONDS)


def rest_while_code_waits(*, seconds: float) -> Callable[[], None]:
    """Return a pause between two pieces of work. All pauses wait for code these seconds in all.

    For quick code that workers can grade: an endless loop or a refused exercise holds up no class.
    """

    def rest() -> None:
        nonlocal seconds
        let_others_write()
        began = time.monotonic()
        while seconds > time.monotonic() - began and _is_code_waiting():
            time.sleep(LOOK_SECONDS)
        seconds -= time.monotonic() - began

    return rest


def _is_code_waiting() -> bool:
    rows = Submission.objects.ungraded().filter(can_be_graded(), slow=False).order_by()
    return rows.verified().exists()
