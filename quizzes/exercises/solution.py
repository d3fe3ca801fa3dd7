"""A right solution beside the learner's own: the reference, once it takes nothing from them.

It opens when the exercise is solved, or after three Submits that were graded and that Python could
read, unless `may_show` says that answers are hidden for a while. Looking at it counts as nothing
and is written nowhere. The text of a reference reaches a learner on this page alone. Its numbers
reach them in graded cases, and on the figure of an exercise (`code_figures`), which asks for a
graded try first: else they would be there to copy before any own thought.
"""

from dataclasses import dataclass
from functools import cache
from typing import Any

from django.db.models import Case, Value, When

from quizzes.exercises.models import Exercise, ExerciseVersion, Submission
from quizzes.exercises.models.submission import SOLVING, SubmissionQuerySet
from quizzes.exercises.services import history
from quizzes.exercises.submission_history import (
    Tries,
    side_by_side,
    tries_of,
)
from quizzes.learners.models import Learner
from quizzes.learners.services import hidden_slugs, may_show
from quizzes.statements import Param, Reader

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
    if is_withheld(exercise=exercise, learner=learner):
        return SolutionState(solved=False, tries=0, withheld=True)
    tries = tries or tries_of(exercise=exercise.pk, learner=learner.pk if learner else None)
    return SolutionState(tries.solved, tries.graded)


def may_compare(*, exercise: Exercise, learner: Learner | None, is_typed: bool) -> bool:
    """Say whether the learner may see which of their values a right solution has as well.

    On a shown case, whose results Checks show, unless the solution is hidden. A typed call would
    say what the solution returns anywhere, bit by bit: so only where it may be seen itself.
    """
    if not is_typed:
        return not is_withheld(exercise=exercise, learner=learner)
    return solution_state(exercise=exercise, learner=learner).may_be_seen


def is_withheld(*, exercise: Exercise, learner: Learner | None) -> bool:
    """Say whether nothing of the reference may reach the learner now, whatever they submitted."""
    version = exercise.current
    verified = version is not None and version.verification == ExerciseVersion.Verification.OK
    return not verified or not may_show(learner, exercise) or _is_hidden(exercise, learner)


def shows_reference_numbers(state: SolutionState, *, exercise: Exercise, learner: Learner) -> bool:
    """Say whether a figure may show what the reference returns, next to what their code does.

    Once the exercise is solved, or a Check or Submit of theirs was graded that Python could read.
    One query at most.
    """
    if state.withheld or state.solved or state.tries:
        return not state.withheld
    kinds = (Submission.Kind.CHECK, Submission.Kind.SUBMIT)
    rows = Submission.objects.graded().using_attempts()
    return rows.filter(
        learner=learner, kind__in=kinds, exercise_version__exercise=exercise
    ).exists()


def _is_hidden(exercise: Exercise, learner: Learner | None) -> bool:
    """Return whether the solution alone is hidden: what the learner reached is shown."""
    return exercise.slug in hidden_slugs(learner, exercise.course_id, "solution")


def newest_graded(*, exercise: Exercise, learner: Learner | None) -> Submission | None:
    """Return the learner's newest right Submit, else the newest that was graded. One query."""
    if learner is None:
        return None
    return _newest_graded().first(exercise=exercise.pk, learner=learner.pk)


def beside_yours(*, exercise: Exercise, yours: Submission, number: int) -> dict[str, Any]:
    """Return the reference beside a Submit of the learner's; `number`: which of theirs it is."""
    assert exercise.current is not None
    reference = exercise.current.definition.reference
    return {
        "yours": yours,
        "number": number,
        "reference": reference,
        "is_same": yours.code.splitlines() == reference.splitlines(),
        "pairs": side_by_side(yours.code, reference),
    }


@cache
def _newest_graded() -> Reader[Submission]:
    graded = _graded(Param("exercise"), Param("learner"))
    right_first = Case(When(verdict__in=SOLVING, then=Value(0)), default=Value(1))
    rows = graded.select_related("exercise_version__exercise__course")
    return Reader(rows.defer("report").order_by(right_first, "-pk")[:1])


def _graded(exercise: Param, learner: Param) -> SubmissionQuerySet:
    """Return the submissions that were graded and used up an attempt.

    Code that Python cannot read is no try: three such lines would show the solution, and an attempt
    of a class's work would be left to hand it in.
    """
    rows = history(exercise=exercise, learner=learner).filter(graded_at__isnull=False)
    return rows.using_attempts()
