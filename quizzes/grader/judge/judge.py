"""The judge: a case pack, a student's code and a sandbox to a report.

Nothing here trusts what the sandbox says beyond the student's own outputs. Whatever the code does
is a verdict; only the sandbox's own failure is an exception (SandboxBroken).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from quizzes.grader.errors import MachineTooBusy
from quizzes.grader.judge.case_pack import CasePack
from quizzes.grader.judge.report import Report
from quizzes.grader.judge.report_builder import ReportBuilder
from quizzes.grader.judge.run_errors import LocatedFinding
from quizzes.grader.judge.timing import TIMED_AGAIN, time_again
from quizzes.grader.protocol.job import Ending, Job, Run, Sandbox
from quizzes.grader.protocol.read_results import read_run
from quizzes.grader.protocol.sanitize import clean

MAX_STDOUT = 16_000


def grade_code(pack: CasePack, code: str, sandbox: Sandbox, *, shown_only: bool = False) -> Report:
    """Grade one submission; with `shown_only` (Check) the report is of the shown cases alone.

    Fingerprint cases run in both, since they alone can name a mistake.
    """
    wanted = [
        not case.spare and (not shown_only or case.shown or case.identify) for case in pack.cases
    ]
    kept = pack.keep(wanted)
    counting = _CountingSandbox(sandbox)
    job = replace(_job(kept, code), pairs=kept.find_pairs(shown_only=shown_only))
    run = counting.run(job)
    reported = [
        place
        for place, case in enumerate(kept.cases)
        if case.graded and (case.shown or not shown_only)
    ]
    observed = read_run(run, kept.cases, job.paired_calls)
    builder = ReportBuilder(kept, observed, reported, submitted=not shown_only, code=code)
    for _ in range(TIMED_AGAIN):
        if builder.too_slow_at is None:
            break
        place, known = builder.too_slow_at, observed.observations
        again = time_again(_job(kept, code), [place], known, counting)
        observed = replace(observed, observations=again)
        builder = ReportBuilder(kept, observed, reported, submitted=not shown_only, code=code)
    _call_alone(kept, builder, code, counting)
    report = builder.report()
    smaller = _smaller_failing(pack, wanted, builder, code, counting)
    if smaller is not None:
        report = builder.with_smaller(report, *smaller)
    return replace(
        report,
        seconds=run.seconds,
        all_seconds=counting.seconds,
        ran_out_of_time=run.ran_out_of_time,
        stdout=clean(run.stdout, MAX_STDOUT),
    )


@dataclass
class _CountingSandbox:
    """A sandbox, and how many seconds its runs took together."""

    sandbox: Sandbox
    seconds: float = 0.0

    def run(self, job: Job) -> Run:
        run = self.sandbox.run(job)
        self.seconds += run.seconds + run.waited
        return run


def _job(pack: CasePack, code: str) -> Job:
    entry = pack.entry
    job = Job(code, entry.name, pack.cases, entry.library, pack.seed, entry.limits)
    return replace(job, below=entry.below)


def _call_alone(pack: CasePack, builder: ReportBuilder, code: str, sandbox: Sandbox) -> None:
    """Run the case of the first wrong result in a process of its own: is it right there?

    Whatever else comes of that run, a limit or a frame that is not due, says nothing.
    """
    fault = builder.result_fault
    if fault is None or fault.place is None:
        return
    wanted = [place == fault.place for place in range(len(pack.cases))]
    alone = pack.keep(wanted)
    try:
        run = sandbox.run(_job(alone, code))
    except MachineTooBusy:  # the verdict is there, and this only says more
        return
    observed = read_run(run, alone.cases)
    got = observed.observations[0]
    if got is not None and observed.ending is Ending.FINISHED:
        builder.compare_alone(fault, got)


def _smaller_failing(
    pack: CasePack, ran: Sequence[bool], builder: ReportBuilder, code: str, sandbox: Sandbox
) -> tuple[ReportBuilder, LocatedFinding] | None:
    """Find the first shrinking case before the failing one that fails at the same stage.

    Return what it gives; None where there is none.
    """
    first = builder.first
    if first is None or first.place is None or not builder.may_shrink:
        return None
    place = [place for place, was_run in enumerate(ran) if was_run][first.place]
    shrinking = pack.keep([case.spare and at < place for at, case in enumerate(pack.cases)])
    if not shrinking.cases:
        return None
    cases = tuple(replace(case, shown=True) for case in shrinking.cases)
    shrinking = replace(shrinking, cases=cases)
    run = sandbox.run(_job(shrinking, code))
    places = range(len(shrinking.cases))
    again = ReportBuilder(shrinking, read_run(run, shrinking.cases), places, code=code)
    if again.run_error is not None:
        return None
    stage = first.finding.stage
    alike = [place for place, located in again.findings.items() if located.finding.stage is stage]
    return (again, again.findings[min(alike)]) if alike else None
