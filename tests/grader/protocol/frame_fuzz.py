"""Drawing runs that are nearly right, and holding the judge to the oracle.

`python -m tests.grader.protocol.frame_fuzz --seconds 300 --seed 7` does so for minutes.
"""

from __future__ import annotations

import argparse
import random
import time
import warnings

from hypothesis import HealthCheck, Phase, given, seed, settings

from quizzes.grader.judge.judge import grade_code
from quizzes.grader.judge.report import Report
from quizzes.grader.protocol.job import Run
from tests.grader.protocol.frame_subjects import SLUGS, Replay, Subject, subject_of
from tests.grader.protocol.sampled_frames import Known, Lie, runs
from tests.grader.protocol.test_forged_frames import assert_storable
from tests.hostile.forging import both_sandboxes

EXAMPLES = 600  # of each exercise: half a minute for all of them on a quiet machine


class TooGoodError(AssertionError):
    """A verdict that the numbers do not allow."""


def said_of(subject: Subject, run: Run) -> Report:
    """The judge's report, which is whole, and of which the oracle approves."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        report = grade_code(subject.pack, "", Replay(run))
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


def main() -> None:
    """Fuzz one exercise after the other; a fault ends with an exception, after its seed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=int, default=300)
    parser.add_argument("--seed", type=int, default=random.randrange(1 << 31))
    asked = parser.parse_args()
    subjects = [subject_of(slug, *both_sandboxes()) for slug in SLUGS]
    deadline, rounds = time.monotonic() + asked.seconds, 0
    while time.monotonic() < deadline:
        subject = subjects[rounds % len(subjects)]
        print(f"{subject.pack.slug}, seed {asked.seed + rounds}", flush=True)
        fuzz(subject, asked.seed + rounds)
        rounds += 1
    print(f"{rounds * EXAMPLES} runs by the grammar, no fault", flush=True)


if __name__ == "__main__":
    main()
