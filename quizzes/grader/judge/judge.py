"""The judge: a case pack, a student's code and a sandbox to a report.

Nothing here trusts what the sandbox says beyond the student's own outputs. Whatever the code does
is a verdict; only the sandbox's own failure is an exception (SandboxBroken).
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import partial

from quizzes.grader.errors import MachineTooBusy
from quizzes.grader.judge.case_pack import CasePack
from quizzes.grader.judge.evaluation import (
    Alone,
    Evaluation,
    compare_alone,
    evaluate,
    is_wrong_in,
    muted,
    with_alone,
)
from quizzes.grader.judge.late_results import (
    calls_needed,
    shortened,
    with_result,
    without_late_texts,
)
from quizzes.grader.judge.report import Report
from quizzes.grader.judge.reporting import report_of, with_smaller
from quizzes.grader.judge.run_errors import OF_NUMBERS, LocatedFinding
from quizzes.grader.judge.timing import TIMED_AGAIN, time_again
from quizzes.grader.protocol.job import Ending, Job, Run, Sandbox
from quizzes.grader.protocol.observation import Observation, Observed
from quizzes.grader.protocol.pairs import Pair
from quizzes.grader.protocol.read_results import read_run
from quizzes.grader.protocol.sanitize import clean

MAX_STDOUT = 16_000

Evaluate = Callable[[Observed], Evaluation]


def grade_code(pack: CasePack, code: str, sandbox: Sandbox, *, shown_only: bool = False) -> Report:
    """Grade one submission; with `shown_only` (Check) the report is of the shown cases alone.

    Fingerprint cases run in both, since they alone can name a mistake.
    """
    wanted = [
        not case.spare and (not shown_only or case.shown or case.identify) for case in pack.cases
    ]
    kept = pack.keep(wanted)
    runs = _Runs(code, sandbox)
    job = runs.job(kept, pairs=kept.find_pairs(shown_only=shown_only))
    run = runs.run(job)
    reported = [
        place
        for place, case in enumerate(kept.cases)
        if case.graded and (case.shown or not shown_only)
    ]
    observed = read_run(run, kept.cases, job.paired_calls)
    if not shown_only:
        observed = without_late_texts(observed, kept.cases, code)
    again = partial(evaluate, kept, reported=reported, submitted=not shown_only, code=code)
    evaluation = again(observed)
    for _ in range(TIMED_AGAIN):
        if evaluation.too_slow_at is None:
            break
        place, known = evaluation.too_slow_at, observed.observations
        observations = time_again(runs.job(kept), [place], known, runs)
        observed = replace(observed, observations=observations)
        evaluation = again(observed)
    evaluation = _with_other_runs(observed, again, evaluation, runs)
    report = report_of(evaluation)
    smaller = _smaller_failing(pack, wanted, evaluation, runs)
    if smaller is not None:
        report = with_smaller(report, evaluation, *smaller)
    return replace(
        report,
        seconds=run.seconds,
        all_seconds=runs.seconds,
        ran_out_of_time=run.ran_out_of_time,
        stdout=clean(run.stdout, MAX_STDOUT),
    )


@dataclass
class _Runs:
    """The runs of one submission, a sandbox for them, and how many seconds they took together.

    All have the same random numbers, so that a call is repeated; and these are new numbers for each
    grading, since code can read their seed: that of the pack would draw its hidden cases.
    """

    code: str
    sandbox: Sandbox
    seed: int = field(default_factory=partial(secrets.randbits, 62))
    seconds: float = 0.0

    def job(self, pack: CasePack, pairs: tuple[Pair, ...] = ()) -> Job:
        entry = pack.entry
        return Job(
            self.code,
            entry.name,
            pack.cases,
            entry.library,
            self.seed,
            entry.limits,
            pairs=pairs,
            below=entry.below,
        )

    def run(self, job: Job) -> Run:
        run = self.sandbox.run(job)
        self.seconds += run.seconds + run.waited
        return run

    def run_only(
        self, pack: CasePack, places: Sequence[int], pairs: Sequence[Pair] = ()
    ) -> Observed | None:
        """Run some cases in a process of their own; None where that comes to no good end.

        A limit there, or a frame that is not due, says nothing.
        """
        part = pack.keep([place in places for place in range(len(pack.cases))])
        moved = {place: at for at, place in enumerate(sorted(places))}
        pairs = tuple(
            replace(pair, first=moved[pair.first], second=moved[pair.second]) for pair in pairs
        )
        job = self.job(part, pairs)
        if len(places) == 1:  # the random numbers of a case depend on its place
            job = replace(job, seed=job.seed + places[0])
        try:
            run = self.run(job)
        except MachineTooBusy:  # the verdict is there, and this only says more
            return None
        observed = read_run(run, part.cases, job.paired_calls)
        return observed if observed.ending is Ending.FINISHED else None


def _with_other_runs(
    observed: Observed, again: Evaluate, evaluation: Evaluation, runs: _Runs
) -> Evaluation:
    """Return the evaluation with the first fault as runs of its call alone show it.

    Is a wrong result right there? And what does code give that knows no other hidden case?
    """
    pack = evaluation.results.pack
    fault, alone, shows = evaluation.result_fault, None, Alone.SAME
    if fault is not None and fault.place is not None:
        alone = _result_alone(pack, fault.place, runs)
        if alone is not None:
            shows = compare_alone(evaluation, fault, alone)
            if shows is Alone.RIGHT and not _is_wrong_again(evaluation, fault, runs):
                shows = Alone.OTHER
            evaluation = with_alone(evaluation, fault, shows)
    late = evaluation.late_first
    if late is None or late.place is None:
        return evaluation
    if shows is Alone.RIGHT:
        result = _result_after(evaluation, late, runs)
    elif fault is not None and fault.place == late.place and alone is not None:
        result = alone
    else:
        result = _result_alone(pack, late.place, runs)
    if result is not None:
        other = again(with_result(observed, late, shortened(result)))
        if _is_same_fault(other, evaluation, shows):
            return with_alone(other, other.first, shows) if other.first else other
    return muted(evaluation, late, shows)


def _is_wrong_again(evaluation: Evaluation, fault: LocatedFinding, runs: _Runs) -> bool:
    """Say whether the whole run, done once more, is wrong in the same call.

    Code that throws dice is right alone by luck, and keeps nothing.
    """
    pack = evaluation.results.pack
    pairs = pack.find_pairs(shown_only=not evaluation.submitted)
    observed = runs.run_only(pack, range(len(pack.cases)), pairs)
    return observed is None or is_wrong_in(evaluation, observed, fault)


def _result_alone(pack: CasePack, place: int, runs: _Runs) -> Observation | None:
    observed = runs.run_only(pack, [place])
    return None if observed is None else observed.observations[0]


def _result_after(evaluation: Evaluation, late: LocatedFinding, runs: _Runs) -> Observation | None:
    """Return what the call of the first fault gives after the one that the report names."""
    assert late.place is not None
    pack, calls = evaluation.results.pack, [call for call, _ in evaluation.results.paired]
    places, pairs = calls_needed(pack, late, evaluation.find_call_before(late), calls)
    observed = runs.run_only(pack, places, pairs)
    if observed is None:
        return None
    if late.call is None:
        return observed.observations[places.index(late.place)]
    due = calls[late.call]
    number = sum(call == due for call in calls[: late.call])
    alike = [
        got
        for call, got in observed.paired
        if places[call.place] == due.place
        and (call.refilled, call.looks_back) == (due.refilled, due.looks_back)
        and (None if call.before is None else places[call.before]) == due.before
    ]
    return alike[number] if number < len(alike) else None


def _is_same_fault(other: Evaluation, evaluation: Evaluation, shows: Alone) -> bool:
    """Say whether another run shows the fault in the same call at the same stage."""
    first, known = other.first, evaluation.first
    if first is None or known is None:
        return False
    ours = first.place, first.call, first.finding.stage
    same = ours == (known.place, known.call, known.finding.stage)
    return same and (shows is Alone.RIGHT or other.naming.mistakes == evaluation.naming.mistakes)


def _smaller_failing(
    pack: CasePack, ran: Sequence[bool], evaluation: Evaluation, runs: _Runs
) -> tuple[Evaluation, LocatedFinding] | None:
    """Return the first shrinking case before the failing one that fails at the same stage.

    With its evaluation; None where there is none. Of wrong numbers, an input whose result is too
    small to show rows and columns is taken only if the one that failed is as small.
    """
    first = evaluation.first
    if first is None or first.place is None or not evaluation.may_shrink:
        return None
    counts = first.finding.stage in OF_NUMBERS
    if counts and first.place == evaluation.results.pack.example:
        return None
    place = [place for place, was_run in enumerate(ran) if was_run][first.place]
    shrinking = pack.keep([case.spare and at < place for at, case in enumerate(pack.cases)])
    if not shrinking.cases:
        return None
    cases = tuple(replace(case, shown=True) for case in shrinking.cases)
    shrinking = replace(shrinking, cases=cases)
    run = runs.run(runs.job(shrinking))
    places = range(len(shrinking.cases))
    again = evaluate(shrinking, read_run(run, shrinking.cases), places, code=runs.code)
    if again.results.run_error is not None:
        return None
    stage = first.finding.stage
    alike = [place for place, located in again.findings.items() if located.finding.stage is stage]
    large = [place for place in alike if not counts or shrinking.shows_order(place)]
    if not large and evaluation.results.pack.shows_order(first.place):
        return None
    return (again, again.findings[min(large or alike)]) if alike else None
