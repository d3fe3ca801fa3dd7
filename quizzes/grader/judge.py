"""The judge: a case pack, a student's code and a sandbox to a report.

Nothing here trusts what the sandbox says beyond the student's own outputs. Whatever the code does
is a verdict; only the sandbox's own failure is an exception (SandboxBroken).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from quizzes.grader.case_pack import CasePack
from quizzes.grader.cleaning import clean
from quizzes.grader.job import Job, Run, Sandbox
from quizzes.grader.judging import Judging
from quizzes.grader.reading import read_run
from quizzes.grader.report import CaseResult, Report
from quizzes.grader.timing import TIMED_AGAIN, time_again

MAX_STDOUT = 16_000


def judge(pack: CasePack, code: str, sandbox: Sandbox, *, shown_only: bool = False) -> Report:
    """Grades one submission; with `shown_only` (Check) the report tells of the shown cases alone.

    Identify cases run in both, since they alone can name a mistake.
    """
    wanted = [
        not case.spare and (not shown_only or case.shown or case.identify) for case in pack.cases
    ]
    tried = pack.keep(wanted)
    counted = _Counted(sandbox)
    run = counted.run(_job(tried, code))
    told = [
        place
        for place, case in enumerate(tried.cases)
        if case.graded and (case.shown or not shown_only)
    ]
    observed = read_run(run, tried.cases)
    judging = Judging(tried, observed, told, submitted=not shown_only)
    for _ in range(TIMED_AGAIN):
        if judging.too_slow_at is None:
            break
        place, known = judging.too_slow_at, observed.observations
        again = time_again(_job(tried, code), [place], known, counted)
        observed = replace(observed, observations=again)
        judging = Judging(tried, observed, told, submitted=not shown_only)
    report = judging.report()
    smaller = _smaller_failing(pack, wanted, judging, code, counted)
    if smaller is not None:
        report = replace(report, smallest_failing=smaller, shrunk=True)
    return replace(
        report,
        seconds=run.seconds,
        all_seconds=counted.seconds,
        stdout=clean(run.stdout, MAX_STDOUT),
    )


@dataclass
class _Counted:
    """A sandbox, and how many seconds its runs took together."""

    sandbox: Sandbox
    seconds: float = 0.0

    def run(self, job: Job) -> Run:
        run = self.sandbox.run(job)
        self.seconds += run.seconds
        return run


def _job(pack: CasePack, code: str) -> Job:
    entry = pack.entry
    return Job(code, entry.name, pack.cases, entry.library, pack.seed, entry.limits)


def _smaller_failing(
    pack: CasePack, ran: Sequence[bool], judging: Judging, code: str, sandbox: Sandbox
) -> CaseResult | None:
    """The first spare case before the failing one that fails at the same rung, or None."""
    first = judging.first
    if first is None or first.place is None or judging.run_fault is not None:
        return None
    if judging.too_slow_at is not None:
        return None
    place = [place for place, kept in enumerate(ran) if kept][first.place]
    spares = pack.keep([case.spare and at < place for at, case in enumerate(pack.cases)])
    if not spares.cases:
        return None
    spares = replace(spares, cases=tuple(replace(case, shown=True) for case in spares.cases))
    run = sandbox.run(_job(spares, code))
    places = range(len(spares.cases))
    again = Judging(spares, read_run(run, spares.cases), places)
    if again.run_fault is not None:
        return None
    rung = first.fault.rung
    alike = [place for place, located in again.faults.items() if located.fault.rung is rung]
    return again.result(min(alike)) if alike else None
