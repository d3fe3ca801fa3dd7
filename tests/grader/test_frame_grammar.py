"""Whatever a run's frames say, the judge says `correct` only of right numbers (frame_oracle.py)."""

from __future__ import annotations

import os
import warnings
from collections.abc import Callable, Iterator
from functools import cache

import hypothesis
import pytest
from hypothesis import HealthCheck, Phase, given, settings

from quizzes.grader.job import Run
from quizzes.grader.judge import judge
from quizzes.grader.report import Report, Verdict
from tests.grader.frame_grammar import Known, Lie, bytes_of, run_from, runs
from tests.grader.frame_subjects import SLUGS, Replay, Subject, subject_of
from tests.grader.test_forged_frames import assert_storable
from tests.hostile.forging import both_sandboxes

pytestmark = pytest.mark.sandbox

EXAMPLES = int(os.environ.get("FRAME_EXAMPLES", "400"))
SubjectOf = Callable[[str], Subject]


@pytest.fixture(scope="session")
def subject() -> Iterator[SubjectOf]:
    with both_sandboxes() as (author, student):
        yield cache(lambda slug: subject_of(slug, author, student))


def said_of(subject: Subject, run: Run) -> Report:
    """The judge's report, which is whole, and of which the oracle approves."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        report = judge(subject.pack, "", Replay(run))
    assert_storable(report)
    if not subject.may_say(report, run.frames[: run.in_time]):
        raise AssertionError(f"{report.verdict}, which the numbers do not allow")
    return report


def fuzz(subject: Subject, examples: int, seed: int | None = None) -> None:
    """Draw runs; the first that is judged wrongly is an AssertionError."""
    bases = [item.frames for item in (subject.reference, *subject.conventions.values())]
    arguments = [value for case in subject.pack.cases for value in case.kwargs.values()]
    others = [array for base in bases[1:3] for frame in base for array in frame.arrays.values()]
    arrays = [value for value in (*arguments, *others) if hasattr(value, "shape")]
    known = Known(subject.pack.entry.tolerance, arrays)

    @settings(
        max_examples=examples,
        database=None,
        deadline=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @given(runs(bases, known))
    def draw(lie: Lie) -> None:
        said_of(subject, lie.run)

    (draw if seed is None else hypothesis.seed(seed)(draw))()


@pytest.mark.slow
@pytest.mark.parametrize("slug", SLUGS)
def test_correct_is_said_of_right_numbers_alone(slug: str, subject: SubjectOf) -> None:
    fuzz(subject(slug), EXAMPLES)


@pytest.mark.parametrize("slug", SLUGS)
def test_what_an_honest_run_sends_is_correct(slug: str, subject: SubjectOf) -> None:
    """As it came, and written anew as the grammar writes it."""
    frames = subject(slug).reference.frames
    assert said_of(subject(slug), run_from(bytes_of(frames))).verdict is Verdict.CORRECT


@pytest.mark.parametrize("slug", SLUGS)
def test_what_another_convention_sends_is_named(slug: str, subject: SubjectOf) -> None:
    for name, honest in subject(slug).conventions.items():
        report = said_of(subject(slug), run_from(bytes_of(honest.frames)))
        assert report.verdict is Verdict.CORRECT_OTHER_CONVENTION
        assert report.known_mistake is not None
        assert report.known_mistake.slug == name
