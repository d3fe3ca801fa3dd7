"""The judge: a case pack, a student's code and a sandbox to a report.

Nothing here trusts what the sandbox says beyond the student's own outputs. Whatever the code does
is a verdict; only the sandbox's own failure is an exception (SandboxBroken).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from quizzes.grader.case_pack import CasePack
from quizzes.grader.cleaning import clean
from quizzes.grader.job import Job, Sandbox
from quizzes.grader.judging import Judging
from quizzes.grader.observation import Observed
from quizzes.grader.reading import read_run
from quizzes.grader.report import CaseResult, Report
from quizzes.grader.timing import faster

MAX_STDOUT = 16_000
TIMED_AGAIN = 2  # times, before a call is too slow


def judge(pack: CasePack, code: str, sandbox: Sandbox, *, shown_only: bool = False) -> Report:
    """Grades one submission; with `shown_only` (Check) the report tells of the shown cases alone.

    Identify cases run in both, since they alone can name a mistake.
    """
    wanted = [
        not case.spare and (not shown_only or case.shown or case.identify) for case in pack.cases
    ]
    tried = pack.keep(wanted)
    run = sandbox.run(_job(tried, code))
    told = [
        place
        for place, case in enumerate(tried.cases)
        if case.graded and (case.shown or not shown_only)
    ]
    observed = read_run(run, len(tried.cases))
    judging = Judging(tried, observed, told)
    for _ in range(TIMED_AGAIN):
        if judging.too_slow_at is None:
            break
        observed = _timed_again(tried, observed, judging.too_slow_at, code, sandbox)
        judging = Judging(tried, observed, told)
    report = judging.report()
    smaller = _smaller_failing(pack, wanted, judging, code, sandbox)
    if smaller is not None:
        report = replace(report, smallest_failing=smaller, shrunk=True)
    return replace(report, seconds=run.seconds, stdout=clean(run.stdout, MAX_STDOUT))


def _job(pack: CasePack, code: str) -> Job:
    entry = pack.entry
    return Job(code, entry.name, pack.cases, entry.library, pack.seed, entry.limits)


def _timed_again(
    pack: CasePack, observed: Observed, place: int, code: str, sandbox: Sandbox
) -> Observed:
    """The same, with the faster of two measurements: another child had the core, maybe alone."""
    alone = pack.keep([at == place for at in range(len(pack.cases))])
    again = read_run(sandbox.run(_job(alone, code)), 1).observations[0]
    observations = list(observed.observations)
    observations[place] = faster(observations[place], again)
    return replace(observed, observations=tuple(observations))


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
    again = Judging(spares, read_run(run, len(spares.cases)), places)
    if again.run_fault is not None:
        return None
    rung = first.fault.rung
    alike = [place for place, located in again.faults.items() if located.fault.rung is rung]
    return again.result(min(alike)) if alike else None
