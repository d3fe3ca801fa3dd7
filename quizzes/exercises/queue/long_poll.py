"""Waiting a moment for a verdict, so that most answers carry it; never so long that pages suffer.

A request that waits holds one of its web process's threads and uses no processor. So in each
process some may wait, and the others answer pages meanwhile; a request that finds no place is
answered at once, and its page asks again.
"""

import time
from collections.abc import Callable
from functools import cache
from threading import BoundedSemaphore

from quizzes import statements
from quizzes.exercises.models import Submission
from quizzes.exercises.queue.verdict_notice import VerdictListener
from quizzes.statements import Param, Statement

PLACES = 3  # of the 4 threads of a web process
WAIT_SECONDS = 0.3
# A notice may be lost, behind a pooler each is, and rows that are closed in bulk send none. So the
# row is looked at too, after this time, and then after twice as long each time.
FIRST_LOOK_SECONDS = 0.02

_places = BoundedSemaphore(PLACES)


def wait_for_verdict(
    *, submission: Submission, meanwhile: Callable[[], object] = lambda: None
) -> bool:
    """Return whether the verdict came within 0.3 s; at once where no place to wait is free.

    `meanwhile` is called where there is something to wait for: what the answer needs anyway.
    """
    if not _places.acquire(blocking=False):
        return False
    try:
        return _wait(submission, meanwhile)
    finally:
        _places.release()


def _wait(submission: Submission, meanwhile: Callable[[], object]) -> bool:
    deadline, pause = time.monotonic() + WAIT_SECONDS, FIRST_LOOK_SECONDS
    with VerdictListener(submission.key) as listener:
        meanwhile()
        while (left := deadline - time.monotonic()) > 0:
            if _graded().rows(pk=submission.pk) or listener.wait(min(left, pause)):
                return True
            pause *= 2
    return False


@cache
def _graded() -> Statement:
    return statements.select(
        Submission.objects.graded().filter(pk=Param("pk")).order_by().values_list("pk")
    )
