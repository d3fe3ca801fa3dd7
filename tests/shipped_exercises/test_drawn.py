"""What is drawn for each submission cannot be guessed; what tells mistakes apart is fixed."""

import numpy as np
import pytest

from quizzes.grader.definitions.case_pack_builder import draw_cases
from quizzes.grader.protocol.case import Case, arguments
from quizzes.grader.protocol.job import Sandbox
from tests.shipped_exercises.folders import SLUGS, definition_of

pytestmark = pytest.mark.sandbox

SEEDS = (1, 2, 3, 4)


@pytest.mark.parametrize("slug", SLUGS)
def test_hidden_cases_are_drawn_anew(slug: str, author: Sandbox) -> None:
    drawn = set()
    for seed in SEEDS:
        cases = [case for case in _cases(slug, seed, author) if case.label.startswith("drawn")]
        assert cases
        assert not any(case.shown or case.identify for case in cases)
        drawn.add(tuple(map(_call, cases)))
    assert len(drawn) == len(SEEDS)


@pytest.mark.parametrize("slug", SLUGS)
def test_all_other_cases_are_the_same_for_everybody(slug: str, author: Sandbox) -> None:
    """What a learner is shown, and what names a mistake, must not change from try to try."""
    fixed = {
        tuple(_call(case) for case in _cases(slug, seed, author) if case.shown or case.identify)
        for seed in SEEDS[:2]
    }
    assert len(fixed) == 1


def _cases(slug: str, seed: int, author: Sandbox) -> tuple[Case, ...]:
    return draw_cases(definition_of(slug), author, seed)


def _call(case: Case) -> tuple[object, ...]:
    values = (
        (name, value.shape, value.tobytes()) if isinstance(value, np.ndarray) else (name, value)
        for name, value in arguments(case)
    )
    return (case.label, *values)
