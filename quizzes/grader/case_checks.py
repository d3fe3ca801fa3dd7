"""What cases.py must yield, so that a verdict can be made of it; nothing is run here."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from quizzes.grader.case import Case, arguments
from quizzes.grader.definition import ExerciseDefinition
from quizzes.grader.diagnosis import NEEDED
from quizzes.grader.errors import AuthorError

CASES = "cases.py"
_FIXED = ("label", "probe", "raises", "fill")


def check_cases(cases: Sequence[Case], definition: ExerciseDefinition) -> None:
    """Raises AuthorError for the first thing that is missing."""
    if not cases:
        raise AuthorError(CASES, 1, "yields no case: every solution would be correct")
    labels = [case.label for case in cases]
    for label in labels:
        if labels.count(label) > 1:
            raise AuthorError(CASES, 1, f"yields two cases with the label {label!r}")
    if not any(case.shown and case.graded for case in cases):
        raise AuthorError(CASES, 1, "yields no shown case: a Check would say nothing")
    if definition.speed_at_most is not None and not any(case.probe == "time" for case in cases):
        message = "yields no case with probe='time', but exercise.yaml has speed.at_most"
        raise AuthorError(CASES, 1, message)
    telling = sum(case.identify and not case.raises for case in cases)
    if definition.wrong and telling < NEEDED:
        message = f"has {telling} identify cases that return, expected {NEEDED} or more"
        raise AuthorError(CASES, 1, f"{message} to tell known mistakes apart")
    needs_init = definition.kind == "module"
    for case in cases:
        if needs_init != (case.init is not None):
            word = "needs" if needs_init else "takes no"
            raise AuthorError(CASES, 1, f"{case.label}: a {definition.kind} {word} init")


def same_call(one: Case, other: Case) -> bool:
    """Whether two cases ask the same of the code, argument by argument."""
    if any(getattr(one, name) != getattr(other, name) for name in _FIXED):
        return False
    pairs = list(zip(arguments(one), arguments(other), strict=False))
    counted = len(list(arguments(one))) == len(list(arguments(other)))
    return counted and all(a == b and _same_value(x, y) for (a, x), (b, y) in pairs)


def _same_value(one: object, other: object) -> bool:
    if isinstance(one, np.ndarray) or isinstance(other, np.ndarray):
        return bool(np.array_equal(np.asarray(one), np.asarray(other)))
    return one == other
