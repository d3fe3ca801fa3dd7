"""A right solution beside the learner's own: the reference, once it takes nothing from them.

It opens when the exercise is solved, or after three Submits that were graded and that Python could
read, unless `may_show`
says that answers are hidden for a while. Looking at it counts as nothing and is written nowhere.
This page is the only way in which a reference reaches a learner.
"""

from dataclasses import dataclass
from typing import Any

from quizzes.exercises.models import Exercise, ExerciseVersion
from quizzes.exercises.models.submission import SubmissionQuerySet
from quizzes.exercises.services import history
from quizzes.exercises.submission_history import (
    SOLVING,
    Tries,
    number_of,
    side_by_side,
    tries_of,
)
from quizzes.learners.models import Learner
from quizzes.learners.services import hidden_slugs, may_show

ENOUGH_TRIES = 3


@dataclass(frozen=True)
class SolutionState:
    """Whether a learner may see the reference. `tries`: graded Submits that Python could read."""

    solved: bool
    tries: int
    withheld: bool = False

    @property
    def may_be_seen(self) -> bool:
        return not self.withheld and (self.solved or self.tries >= ENOUGH_TRIES)

    @property
    def tries_left(self) -> int:
        return max(0, ENOUGH_TRIES - self.tries)


def solution_state(
    *, exercise: Exercise, learner: Learner | None, tries: Tries | None = None
) -> SolutionState:
    """Say whether the learner may see the reference now. One query, none with their `tries`."""
    version = exercise.current
    verified = version is not None and version.verification == ExerciseVersion.Verification.OK
    if not verified or not may_show(learner, exercise) or _is_hidden(exercise, learner):
        return SolutionState(solved=False, tries=0, withheld=True)
    tries = tries or tries_of(exercise=exercise.pk, learner=learner.pk if learner else None)
    return SolutionState(tries.solved, tries.graded)


def _is_hidden(exercise: Exercise, learner: Learner | None) -> bool:
    """Return whether the solution alone is hidden: what the learner reached is shown."""
    return exercise.slug in hidden_slugs(learner, exercise.course_id, "solution")


def beside_yours(*, exercise: Exercise, learner: Learner | None) -> dict[str, Any]:
    """Return the reference beside the learner's newest right Submit, else their newest."""
    assert exercise.current is not None
    graded = _graded(exercise, learner).select_related("exercise_version__exercise__course")
    yours = graded.filter(verdict__in=SOLVING).first() or graded.first()
    assert yours is not None, "a solution is shown after a Submit"
    reference = exercise.current.definition.reference
    return {
        "yours": yours,
        "number": number_of(yours),
        "reference": reference,
        "pairs": side_by_side(yours.code, reference),
    }


def _graded(exercise: Exercise, learner: Learner | None) -> SubmissionQuerySet:
    """Return the submissions that were graded and used up an attempt.

    Code that Python cannot read is no try: three such lines would show the solution, and an attempt
    of a class's work would be left to hand it in.
    """
    rows = history(exercise=exercise, learner=learner).filter(graded_at__isnull=False)
    return rows.using_attempts()
