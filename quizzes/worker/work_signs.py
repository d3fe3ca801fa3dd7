"""What a preparer asks while it has nothing to do, once a second: one query, of indexes alone.

To ask each pool what it lacks takes 25 ms of a processor, which an idle site would pay for ever.
What they lack changes when content is written, which gives its course a new token
(`courses/content.py`), when a regrade wants numbers, when a submission takes a pack or waits for
one, and with the clock: assignments open. The clock's work may wait for half a minute.
"""

import time
from functools import cache
from typing import Any

from django.db.models import Exists, Subquery

from quizzes import statements
from quizzes.assessment.models import WantedInstance
from quizzes.courses.models import Course
from quizzes.exercises.models import ExerciseVersion, MistakeDraft, Submission
from quizzes.lessons.models import PlotDrawing
from quizzes.statements import Statement

LOOK_ANYWAY_SECONDS = 30.0


class WorkSigns:
    """What the last `read` saw, and what had been written when everything was last looked at.

    `is_version_waiting`: a version is to be verified, or is being verified. `is_pack_waited_for`: a
    submission that gets a pack of its own waits, perhaps for that. `is_proof_waiting`: a draft of a
    known mistake is to be proved. `is_plot_waiting`: a plot is to be drawn.
    """

    def __init__(self) -> None:
        self.is_version_waiting = False
        self.is_pack_waited_for = False
        self.is_proof_waiting = False
        self.is_plot_waiting = False
        self._written: Any = None
        self._handled: Any = None
        self._looked_at = float("-inf")

    def read(self) -> bool:
        """Ask the database, in one query; return True. A database without a course has no work."""
        rows = _signs().rows()
        self._written = [(token, number) for token, number, *_ in rows]
        self.is_version_waiting = any(version for _, _, version, *_ in rows)
        self.is_pack_waited_for = any(pack for _, _, _, pack, *_ in rows)
        self.is_proof_waiting = any(proof for *_, proof, _ in rows)
        self.is_plot_waiting = any(plot for *_, plot in rows)
        return True

    def is_look_due(self) -> bool:
        """Say whether there may be work since this last said so, or half a minute has passed."""
        now = time.monotonic()
        if self._written == self._handled and now - self._looked_at < LOOK_ANYWAY_SECONDS:
            return False
        # Noted before anybody looks: what is written meanwhile is news the next time.
        self._handled, self._looked_at = self._written, now
        return True


@cache
def _signs() -> Statement:
    """Select the tokens, each with the rest, which a database looks up once for all of them."""
    numbers = WantedInstance.objects.order_by("-pk").values("pk")[:1]
    versions = ExerciseVersion.objects.filter(verification=ExerciseVersion.Verification.WAITING)
    packless = Submission.objects.ungraded().filter(own_pack=True, leased_until=None)
    proofs = MistakeDraft.objects.filter(state=MistakeDraft.State.WAITING)
    plots = PlotDrawing.objects.filter(state=PlotDrawing.State.WAITING)
    facts = {
        "number": Subquery(numbers),
        "version": Exists(versions.order_by()),
        "pack": Exists(packless.order_by()),
        "proof": Exists(proofs.order_by()),
        "plot": Exists(plots.order_by()),
    }
    courses = Course.objects.order_by("content_token").annotate(**facts)
    return statements.select(courses.values_list("content_token", *facts))
