"""What a preparer asks while it has nothing to do, once a second: indexes, and no other table.

To ask each pool what it lacks takes 25 ms of a processor, which an idle site would pay for ever.
What they lack changes when content is written, which gives its course a new token
(`courses/content.py`), when a regrade wants numbers, when a submission takes a pack or waits for
one, and with the clock: assignments open. The clock's work may wait for half a minute.
"""

import time
from functools import cache
from typing import Any

from quizzes import statements
from quizzes.assessment.models import WantedInstance
from quizzes.courses.models import Course
from quizzes.exercises.models import ExerciseVersion, Submission
from quizzes.statements import Statement

LOOK_ANYWAY_SECONDS = 30.0


class WorkSigns:
    """Remembers what had been written when everything was last looked at."""

    def __init__(self) -> None:
        self._written: Any = None
        self._looked_at = float("-inf")

    def is_look_due(self) -> bool:
        """Say whether there may be work since this last said so, or half a minute has passed."""
        written = _tokens().rows(), _last_wanted().rows()
        now = time.monotonic()
        if written == self._written and now - self._looked_at < LOOK_ANYWAY_SECONDS:
            return False
        # Noted before anybody looks: what is written meanwhile is news the next time.
        self._written, self._looked_at = written, now
        return True


def is_version_waiting() -> bool:
    """Say whether a version is to be verified, or is being verified. One query."""
    return bool(_versions_waiting().rows())


def is_pack_waited_for() -> bool:
    """Say whether a submission that gets a pack of its own waits, perhaps for that. One query."""
    return bool(_counted_waiting().rows())


@cache
def _tokens() -> Statement:
    return statements.select(Course.objects.order_by("content_token").values_list("content_token"))


@cache
def _last_wanted() -> Statement:
    return statements.select(WantedInstance.objects.order_by("-pk").values_list("pk")[:1])


@cache
def _versions_waiting() -> Statement:
    waiting = ExerciseVersion.objects.filter(verification=ExerciseVersion.Verification.WAITING)
    return statements.select(waiting.order_by().values_list("pk")[:1])


@cache
def _counted_waiting() -> Statement:
    waiting = Submission.objects.ungraded().filter(own_pack=True, leased_until=None)
    return statements.select(waiting.order_by().values_list("pk")[:1])
