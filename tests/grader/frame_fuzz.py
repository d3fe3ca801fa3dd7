"""Drawing runs that are nearly right, and holding the judge to the oracle."""

from __future__ import annotations

import warnings

from hypothesis import HealthCheck, Phase, given, seed, settings

from quizzes.grader.job import Run
from quizzes.grader.judge import judge
from quizzes.grader.report import Report
from tests.grader.frame_grammar import Known, Lie, runs
from tests.grader.frame_subjects import Replay, Subject
from tests.grader.test_forged_frames import assert_storable

EXAMPLES = 400  # of each exercise: all of them in half a minute on a quiet machine


class TooGoodError(AssertionError):
    """A verdict that the numbers do not allow."""


def said_of(subject: Subject, run: Run) -> Report:
    """The judge's report, which is whole, and of which the oracle approves."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        report = judge(subject.pack, "", Replay(run))
    assert_storable(report)
    if not subject.may_say(report, run.frames[: run.in_time]):
        raise TooGoodError(f"{report.verdict}, which the numbers do not allow")
    return report


def fuzz(subject: Subject, number: int, examples: int = EXAMPLES) -> None:
    """Draw runs from a seed; the first that is judged wrongly ends it with an exception."""
    bases = [item.frames for item in (subject.reference, *subject.conventions.values())]
    arguments = [value for case in subject.pack.cases for value in case.kwargs.values()]
    others = [array for base in bases[1:3] for frame in base for array in frame.arrays.values()]
    arrays = [value for value in (*arguments, *others) if hasattr(value, "shape")]

    @seed(number)
    @settings(
        max_examples=examples,
        database=None,
        deadline=None,
        phases=[Phase.generate],
        report_multiple_bugs=False,
        suppress_health_check=list(HealthCheck),
    )
    @given(runs(bases, Known(subject.pack.entry.tolerance, arrays)))
    def draw(lie: Lie) -> None:
        said_of(subject, lie.run)

    draw()
