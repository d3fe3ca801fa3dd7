"""Whatever a run's frames say, the judge says `correct` only of right numbers (frame_oracle.py).

FRAME_SEED repeats a run of these tests; with CI set it is 0. `make fuzz` draws for minutes.
"""

from __future__ import annotations

import os
import random
from collections.abc import Callable
from functools import cache

import pytest

from quizzes.grader.judge.report import Verdict
from tests.grader.judge.judge_mutants import (
    MUTANTS,
    Mutate,
    accept_another_cases_frame,
    skip_the_dtype,
    widen_the_tolerance,
)
from tests.grader.protocol.frame_fuzz import EXAMPLES, TooGoodError, fuzz, said_of
from tests.grader.protocol.frame_subjects import SLUGS, Subject, subject_of
from tests.grader.protocol.sampled_frames import bytes_of, run_from
from tests.hostile.forging import both_sandboxes

pytestmark = pytest.mark.sandbox

DRAWN_SEED = 0 if os.environ.get("CI") else random.randrange(1 << 32)
SEED = int(os.environ.get("FRAME_SEED", DRAWN_SEED))
FEW = 40
FOR_GATE = (skip_the_dtype, widen_the_tolerance, accept_another_cases_frame)  # found soon
SubjectOf = Callable[[str], Subject]


@pytest.fixture(scope="session")  # slow tests of a file are run apart from its others
def subject() -> SubjectOf:
    return cache(lambda slug: subject_of(slug, *both_sandboxes()))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("slug", "examples"),
    [
        *((slug, FEW) for slug in SLUGS[::2]),  # the seed of CI is always the same
        *(pytest.param(slug, EXAMPLES, marks=pytest.mark.soak) for slug in SLUGS),
    ],
)
def test_correct_is_said_of_right_numbers_alone(
    slug: str, examples: int, subject: SubjectOf
) -> None:
    print(f"FRAME_SEED={SEED}")  # shown where the test fails
    fuzz(subject(slug), SEED, examples)


@pytest.mark.slow
@pytest.mark.parametrize(
    "mutate",
    [
        pytest.param(mutate, marks=() if mutate in FOR_GATE else pytest.mark.soak)
        for mutate in MUTANTS
    ],
    ids=lambda mutate: mutate.__name__,
)
def test_a_judge_that_looks_away_is_found(
    mutate: Mutate, subject: SubjectOf, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With as many examples as the judge itself gets, of fixed seeds, so that it stays found."""
    mutate(monkeypatch)
    wanted = subject(MUTANTS[mutate])
    assert any(is_found(wanted, seed) for seed in range(len(SLUGS)))


def is_found(subject: Subject, seed: int) -> bool:
    """Whether the judge in place says too much of some run; it may not raise of itself."""
    try:
        fuzz(subject, seed)
    except TooGoodError:
        return True
    return False


@pytest.mark.parametrize("slug", SLUGS)
def test_what_an_honest_run_sends_is_correct(slug: str, subject: SubjectOf) -> None:
    """As the grammar writes it when it changes nothing."""
    frames = subject(slug).reference.frames
    assert said_of(subject(slug), run_from(bytes_of(frames))).verdict is Verdict.CORRECT


@pytest.mark.parametrize("slug", SLUGS)
def test_what_another_convention_sends_is_named(slug: str, subject: SubjectOf) -> None:
    for name, honest in subject(slug).conventions.items():
        report = said_of(subject(slug), run_from(bytes_of(honest.frames)))
        assert report.verdict is Verdict.CORRECT_OTHER_CONVENTION
        assert report.known_mistake is not None
        assert report.known_mistake.slug == name
