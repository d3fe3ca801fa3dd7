"""Which wrong program a learner is asked to break, and whether they are asked at all.

It is the known mistake that most other learners had made when this one first solved the exercise.
So it stays the same for a learner and a version, without being stored: what others submit later
does not count. Fewer than five learners would be people that a classmate can name; then it is the
first mistake by name.

Only mistakes count that some case shows by what the code returns, when verified, and that another
lets through: others cannot be found by arguments, or by any. Whether one is asked is decided where
the solution is: a learner who may not see it, because work of a class still counts, learns nothing
here about the right program either.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.db.models import Count

from quizzes.exercises.models import Exercise, ExerciseVersion, Submission
from quizzes.exercises.models.submission import SOLVING
from quizzes.exercises.solution import SolutionState
from quizzes.grader.judge import PLAIN_CALLS
from quizzes.learners.models import Learner

ENOUGH_LEARNERS = 5


@dataclass(frozen=True)
class WrongProgram:
    """A known mistake of a version: its name, and its text without the words that explain it.

    `is_frequent`: many learners made it.
    """

    mistake: str
    code: str
    is_frequent: bool


def is_offered(state: SolutionState) -> bool:
    """Say whether a learner with this view of the solution gets a wrong program to break."""
    return state.solved and not state.withheld


def choose_program(*, exercise: Exercise, learner: Learner) -> WrongProgram | None:
    """Return the wrong program of a learner; None where none can be shown wrong. One query."""
    version = exercise.current
    assert version is not None
    names = breakable_mistakes(version)
    if not names:
        return None
    frequent = _most_frequent(version, learner, names)
    name = frequent or names[0]
    return WrongProgram(name, version.definition.wrong[name].program, bool(frequent))


def breakable_mistakes(version: ExerciseVersion) -> list[str]:
    """Return the mistakes that some case shows by what is returned, in the order of their files.

    Of these, the ones that pass another such case, if there are any: where every call fails,
    nothing is to be found.
    """
    wrong = version.definition.wrong
    proof = (version.proof, version.definition.kind)
    shown = set(failing_variants(*proof))
    names = [name for name in wrong if name in shown and wrong[name].kind == "mistake"]
    passing = set().union(*_passed_by(*proof))
    return [name for name in names if name in passing] or names


def failing_variants(proof: Any, kind: str) -> Sequence[str]:
    """Return the variants that do not pass all cases that are plain calls, as verified."""
    cases = _passed_by(proof, kind)
    names = [variant["slug"] for variant in proof.get("variants", ())] if cases else []
    return [name for name in names if any(name not in passed for passed in cases)]


def _passed_by(proof: Any, kind: str) -> list[set[str]]:
    """Return the variants that pass, for each case that is called as a learner's call is."""
    if not isinstance(proof, dict):
        return []
    return [
        set(case["passed_by"])
        for case in proof.get("cases", ())
        if case["probe"] == PLAIN_CALLS[kind] and not case["raises"]
    ]


def _most_frequent(version: ExerciseVersion, learner: Learner, names: Sequence[str]) -> str:
    """Return what most others did wrong before the learner's first right Submit; "" for few."""
    submits = Submission.objects.filter(kind=Submission.Kind.SUBMIT)
    own = submits.filter(
        learner=learner, exercise_version__exercise=version.exercise_id, verdict__in=SOLVING
    )
    others = submits.filter(
        exercise_version=version,
        known_mistake__in=names,
        pk__lt=own.order_by("pk").values("pk")[:1],
    ).exclude(learner=learner)
    counted = (
        others.order_by().values("known_mistake").annotate(many=Count("learner", distinct=True))
    )
    row = counted.filter(many__gte=ENOUGH_LEARNERS).order_by("-many", "known_mistake").first()
    return row["known_mistake"] if row else ""
