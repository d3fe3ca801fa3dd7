"""Two lanes: most code ends at once, and code that does not must not hold up the rest.

In the quick lane code is stopped after 0.4 s. It then waits once more, in the slow lane, where it
has the exercise's whole time, on the workers that `slow_lane` allows. Only that second run is a
verdict. Both are seconds of the run's own clock, which stands still while the code waits for a
processor.
"""

from dataclasses import replace

from quizzes.grader.api import Limits, Verdict
from quizzes.grader.judge import CasePack, Report

QUICK_SECONDS = 0.4
SLOW_SHARE = 0.25  # of a worker's time that slow code may take while quick code waits


def quick(pack: CasePack) -> CasePack:
    """Return the pack with the time that code has in the quick lane."""
    return replace(pack, entry=replace(pack.entry, limits=quick_limits(pack.entry.limits)))


def quick_limits(limits: Limits) -> Limits:
    """Return the limits with the time that code has in the quick lane."""
    return replace(limits, wall_seconds=QUICK_SECONDS)


def has_lanes(pack: CasePack) -> bool:
    """Say whether the exercise allows more time than the quick lane."""
    return pack.entry.limits.wall_seconds > QUICK_SECONDS


def was_cut_short(report: Report) -> bool:
    """Say whether this run of the quick lane is no verdict: the code was told to stop.

    Code that catches the stop may still exit or crash, which is another word, so the word does not
    decide.
    """
    return report.ran_out_of_time and report.verdict is not Verdict.CORRECT
