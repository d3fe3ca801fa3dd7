"""What is wrong with one submission: a pack and what was observed to findings and a verdict.

Nothing here runs code, reads a clock or writes words for people (`reporting` does). An evaluation
is never changed: what a run of one call alone shows gives another one.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import Enum

import numpy as np

from quizzes.grader.errors import AuthorError
from quizzes.grader.judge import headlines, messages
from quizzes.grader.judge.accidents import brief_for, hint_for, hint_for_result
from quizzes.grader.judge.built_in_mistakes import (
    BUILT_IN_MISTAKES,
    KEPT_BETWEEN_CALLS,
    OVERWRITTEN_RESULT,
)
from quizzes.grader.judge.case_pack import CasePack
from quizzes.grader.judge.code_text.cleaner import notebook_code
from quizzes.grader.judge.formatting import call_text
from quizzes.grader.judge.late_results import is_late
from quizzes.grader.judge.naming import Naming, Results, name_results
from quizzes.grader.judge.report import Stage, Verdict
from quizzes.grader.judge.run_errors import LocatedFinding, find_run_error, first_finding, is_timed
from quizzes.grader.judge.stages import Finding, check_looks
from quizzes.grader.judge.state_between_calls import (
    CallBefore,
    call_before,
    check_pairs,
    check_result,
    find_result_fault,
    is_repeated,
)
from quizzes.grader.judge.timed_results import first_wrong_result
from quizzes.grader.judge.timing import TimedCall, check_time, largest_timed
from quizzes.grader.protocol.case import has_arrays
from quizzes.grader.protocol.job import Ending
from quizzes.grader.protocol.observation import FACT, Failure, Observation, Observed, results_of

MOVES = f"{FACT}moves"
HINTED = (
    Stage.IMPORTS,
    Stage.RETURNED,
    Stage.NAME,
    Stage.SIGNATURE,
)  # where an accident may have stopped code
NO_EVIDENCE = (
    "has no hidden case that is drawn from `rng` and whose result is compared, so no code can be "
    "graded correct"
)

Findings = Mapping[int, LocatedFinding]


class Alone(Enum):
    """What the call of a wrong result shows when it is the only one of its process."""

    RIGHT = "right"
    SAME = "same"
    OTHER = "other"  # wrong, and not as before


@dataclass(frozen=True, eq=False)
class Evaluation:
    """What a submission gave, and what is wrong with it; places are those of the pack's cases.

    `results`: what its cases gave, those in `results.reported` being reported. `findings`: what is
    wrong, by place; `first` is the fault to report. `submitted`: the code is to be graded, not only
    checked, so `correct` needs evidence: code that answers cases it has seen, and claims about
    itself what is expected, has computed nothing. `largest_timed`: the call of the speed card.
    `before`: the call before the wrong one, of code that keeps something between calls. `is_muted`:
    of the first fault nothing that the code gave is reported. `is_starter`: nothing was
    written yet.
    """

    results: Results
    submitted: bool
    parsed: bool
    largest_timed: TimedCall | None
    findings: Findings
    first: LocatedFinding | None
    naming: Naming
    before: str = ""
    depends_on_calls: bool = False
    is_muted: bool = False
    is_starter: bool = False

    @property
    def too_slow_at(self) -> int | None:
        """The place of the call that is too slow, when nothing else is wrong."""
        too_slow = self.first is not None and self.first.finding.stage is Stage.TIME
        return self.first.place if self.first and too_slow else None

    @property
    def may_shrink(self) -> bool:
        """Whether a smaller input that fails at the same stage has the same fault.

        Not where the convention of the code alone fails there: all smaller inputs would.
        """
        first = self.first
        if first is None or first.place is None or self.results.run_error is not None:
            return False
        if self.too_slow_at is not None or self.depends_on_calls:
            return False
        return not first.convention or first.finding.stage not in self.naming.own_stages

    @property
    def result_fault(self) -> LocatedFinding | None:
        """The first wrong result, whose case is to be called alone; None where no result is wrong.

        Of code with another convention it is the fault next to that, for by the reference every
        result is wrong. None of code that broke off: what it gave until then is not judged.
        """
        if self.results.run_error is not None:
            return None
        by_convention = self.first is not None and self.first.convention
        findings = [self.first] if by_convention and self.first else self.findings.values()
        return find_result_fault(self.results.pack, findings)

    @property
    def late_first(self) -> LocatedFinding | None:
        """The first fault, where its result came after hidden cases did; None for another one.

        Of a run that broke off, and of a time, there is nothing that the code could have written.
        """
        first = self.first
        if first is None or first is self.results.run_error or self.too_slow_at is not None:
            return None
        return first if self.submitted and is_late(self.results.pack, first) else None

    def pack_of(self, located: LocatedFinding) -> CasePack:
        """Return the pack with what each case is to give: by the reference, or by a convention."""
        return self.results.pack.by_convention(located.convention) or self.results.pack

    def sides(self, located: LocatedFinding) -> tuple[Observation, Observation | None]:
        """Return the expected and the actual result of the call in which this was found."""
        assert located.place is not None
        pack = self.pack_of(located)
        if located.call is None:
            return pack.expected[located.place], self.results.got[located.place]
        call, got = self.results.paired[located.call]
        return pack.expected_of(call), got

    def looks_back(self, fault: LocatedFinding) -> bool:
        """Say whether a result was right when it was returned, and wrong after another call."""
        return fault.call is not None and self.results.paired[fault.call][0].looks_back

    def find_call_before(self, fault: LocatedFinding) -> CallBefore | None:
        """Return the call before a wrong result; None where that was the first call."""
        return call_before(self.pack_of(fault), self.results.paired, fault)


def evaluate(
    pack: CasePack,
    observed: Observed,
    reported: Sequence[int],
    *,
    submitted: bool = True,
    code: str = "",
) -> Evaluation:
    """Return what is wrong with a submission's observations; `reported`: places of cases.

    `code` is the submission's text, for what helps with an exception.
    """
    got, paired = observed.observations, observed.paired
    if observed.ending is Ending.GARBLED:
        got = (None,) * len(pack.cases)
        paired = tuple((call, None) for call, _ in observed.paired)
    time_counts = pack.entry.speed_at_most is not None
    largest = largest_timed(pack, got)
    timed = largest if time_counts else None
    run_error = find_run_error(observed, pack.cases, pack.entry, time_counts=time_counts)
    stopped_at = run_error.place if run_error else None
    reported = sorted({*reported, *_timed_places(pack, timed, stopped_at)})
    if stopped_at not in (None, *reported):
        run_error = None  # a Check does not report what happens in hidden cases
        paired = tuple((call, result) for call, result in paired if result is not None)
    parsed = True
    if run_error is not None and observed.load_failure is not None:
        run_error = _with_hint(pack, code, run_error, observed.load_failure)
        parsed = observed.parsed and notebook_code(code) is None
    # A Check needs no evidence that the code computes.
    evident = not submitted or any(map(pack.is_evidence, reported))
    results = Results(pack, got, paired, reported, run_error, evident)
    findings, first = _find_faults(results, timed, code)
    naming = Naming()
    if first is None or first.finding.stage is Stage.TIME:
        results, findings, first = _with_timed_results(results, findings, first)
    elif not is_timed(first.place, pack.cases):
        naming = name_results(results, findings, first)
    beside = naming.beside
    if beside is not None:
        first = beside
        if beside.place is not None and beside is not run_error:
            findings = {**findings, beside.place: beside}
    is_starter = first is not None and is_unchanged(code, pack.entry.starter)
    return Evaluation(
        results, submitted, parsed, largest, findings, first, naming, is_starter=is_starter
    )


def is_unchanged(code: str, starter: str) -> bool:
    """Say whether code is the starter, apart from space at the ends of lines and empty lines."""
    texts = ([line.rstrip() for line in text.splitlines()] for text in (code, starter))
    ours, theirs = (list(filter(None, lines)) for lines in texts)
    return bool(theirs) and ours == theirs


def _timed_places(pack: CasePack, timed: TimedCall | None, stopped_at: int | None) -> Iterator[int]:
    """Yield the timed cases where time counts: the one judged, the one that broke off."""
    if timed is not None:
        yield timed.place
    if stopped_at is not None and is_timed(stopped_at, pack.cases):
        yield stopped_at


def _find_faults(
    results: Results, timed: TimedCall | None, code: str
) -> tuple[Findings, LocatedFinding | None]:
    """Return what is wrong with the cases; else with the calls of pairs; else with the looks."""
    pack = results.pack
    findings = dict(_check_cases(results, timed, code))
    first = first_finding([*findings.values(), results.run_error], pack)
    # What a module leaves behind on a move changes no number, and a result that is wrong in a pair
    # says more. Code that is wrong elsewhere is wrong in its pairs too.
    keys = {located.finding.key for located in findings.values()}
    if results.run_error is None and keys <= {MOVES}:
        in_pairs = check_pairs(pack, results.paired)
        findings |= in_pairs
        first = first_finding(in_pairs.values(), pack) or first
    if first is None:  # code that is wrong elsewhere may have a property in its own way
        findings = dict(_check_looks(results))
        first = first_finding(findings.values(), pack)
    return findings, first


def _check_cases(
    results: Results, timed: TimedCall | None, code: str
) -> Iterator[tuple[int, LocatedFinding]]:
    pack = results.pack
    for place in results.reported:
        got = results.got[place]
        if got is None:
            continue
        measured = is_timed(place, pack.cases)
        finding = None if measured else results.check(pack.expected[place], place)
        if finding is None and timed is not None and place == timed.place:
            finding = check_time(timed, pack.entry)
        if finding is not None:
            traceback = got.failure.traceback if got.failure else ""
            limit = Ending.MEMORY_LIMIT if finding.stage is Stage.LIMIT else None
            located = LocatedFinding(finding, place, limit, traceback)
            located = _with_hint_of_result(code, located, got)
            yield place, _with_hint(pack, code, located, got.failure)


def _check_looks(results: Results) -> Iterator[tuple[int, LocatedFinding]]:
    for place in results.reported:
        got = results.got[place]
        if got is None or got.failure is not None:
            continue
        finding = check_looks(results.pack.expected[place], got, results.pack.entry)
        if finding is not None:
            yield place, LocatedFinding(finding, place)


def _with_timed_results(
    results: Results, findings: Findings, first: LocatedFinding | None
) -> tuple[Results, Findings, LocatedFinding | None]:
    """Report a wrong result of a call that was timed, where nothing else is wrong but time."""
    wrong = first_wrong_result(results.pack, results.got)
    if wrong is None or results.run_error is not None:
        return results, findings, first
    place, finding = wrong
    located = LocatedFinding(finding, place)
    results = replace(results, reported=sorted({*results.reported, place}))
    return results, {**findings, place: located}, located


def _with_hint(
    pack: CasePack, code: str, located: LocatedFinding, failure: Failure | None
) -> LocatedFinding:
    """Return the same with what helps, where code stopped by one of the common accidents."""
    if failure is None or failure.stage not in HINTED or failure.exit:
        return located
    arrays = located.place is not None and has_arrays(pack.cases[located.place])
    hint = hint_for(failure, code, library=pack.entry.library, takes_arrays=arrays)
    message = messages.with_hint(located.finding.message, hint)
    brief = brief_for(failure, code) or located.finding.brief
    return replace(located, finding=replace(located.finding, message=message, brief=brief))


def _with_hint_of_result(code: str, located: LocatedFinding, got: Observation) -> LocatedFinding:
    """Return the same with what helps, where the result is no array or has NaN in it."""
    finding = located.finding
    if finding.stage is Stage.FINITE and not _is_nan(finding, got):
        return located
    types = {leaf.type for leaf in got.leaves.values()}
    hint = hint_for_result(finding.stage, types, code)
    return replace(
        located, finding=replace(finding, message=messages.with_hint(finding.message, hint))
    )


def _is_nan(finding: Finding, got: Observation) -> bool:
    values = got.leaves[finding.key].values if finding.key else None
    worst = finding.difference.worst if finding.difference else ()
    return values is not None and bool(np.isnan(values[worst]))


# ---- what runs of one call alone show


def compare_alone(evaluation: Evaluation, fault: LocatedFinding, alone: Observation) -> Alone:
    """Return what it shows that a wrong result's case gives this as the only call."""
    assert fault.place is not None
    pack, (_, got) = evaluation.results.pack, evaluation.sides(fault)
    expected = evaluation.pack_of(fault).expected[fault.place]
    if check_result(pack, fault.place, expected, alone) is None:
        return Alone.RIGHT
    if fault is not evaluation.first or evaluation.naming.mistakes:
        return Alone.SAME
    other = got is not None and not is_repeated(pack, got, alone)
    return Alone.OTHER if other else Alone.SAME


def is_wrong_in(evaluation: Evaluation, observed: Observed, fault: LocatedFinding) -> bool:
    """Say whether another run gave a wrong result in the same call."""
    assert fault.place is not None
    pack = evaluation.pack_of(fault)
    if fault.call is None:
        expected, got = pack.expected[fault.place], observed.observations[fault.place]
    else:
        call, got = observed.paired[fault.call]
        expected = pack.expected_of(call)
    return got is None or check_result(pack, fault.place, expected, got) is not None


def with_alone(evaluation: Evaluation, fault: LocatedFinding, alone: Alone) -> Evaluation:
    """Return the same by what the call of a wrong result shows in a process of its own."""
    if alone is Alone.SAME:
        return evaluation
    if alone is Alone.RIGHT:
        message = _right_alone(evaluation, fault, fault.finding.message)
        conventions = evaluation.naming.mistakes if fault.convention else ()
        slug = OVERWRITTEN_RESULT if evaluation.looks_back(fault) else KEPT_BETWEEN_CALLS
        mistakes = (BUILT_IN_MISTAKES[slug], *conventions)
        evaluation = replace(
            evaluation,
            naming=Naming(mistakes, is_least=bool(conventions)),
            before=_text_of_call_before(evaluation, fault),
        )
    else:
        message = messages.other_each_time(fault.finding.message)
    first = replace(fault, finding=replace(fault.finding, message=message))
    return replace(_with_first(evaluation, first), depends_on_calls=True)


def muted(evaluation: Evaluation, first: LocatedFinding, alone: Alone) -> Evaluation:
    """Return the same with the stage of the first fault alone."""
    stage, (_, got) = first.finding.stage, evaluation.sides(first)
    raised = got is not None and got.failure is not None  # its texts are gone already
    words = first.finding.message if raised else headlines.words_of(stage)
    brief = first.finding.brief if raised else ""
    if alone is Alone.RIGHT:
        message = _right_alone(evaluation, first, words)
    else:
        message = messages.only_after_others(words)
    first = replace(first, finding=Finding(stage, message, brief=brief), traceback="")
    return replace(_with_first(evaluation, first), is_muted=True)


def _with_first(evaluation: Evaluation, first: LocatedFinding) -> Evaluation:
    assert first.place is not None
    return replace(evaluation, first=first, findings={**evaluation.findings, first.place: first})


def _text_of_call_before(evaluation: Evaluation, fault: LocatedFinding) -> str:
    """Return the call before a wrong result's; a Check does not show that of a hidden case."""
    pack, before = evaluation.results.pack, evaluation.find_call_before(fault)
    if before is None or not (evaluation.submitted or pack.cases[before.place].shown):
        return ""
    called = call_text(pack.entry, pack.cases[before.place])
    if fault.place is not None and evaluation.looks_back(fault):
        return messages.calls_that_overwrite(call_text(pack.entry, pack.cases[fault.place]), called)
    if _is_refilled(evaluation, fault):
        return messages.call_before_refilling(called)
    return called if before.in_pair else messages.call_just_before(called)


def _right_alone(evaluation: Evaluation, fault: LocatedFinding, words: str) -> str:
    """Say these words of a result that is right in a process of its own."""
    if evaluation.looks_back(fault):
        return messages.changed_later(words)
    return messages.right_alone(words, refilled=_is_refilled(evaluation, fault))


def _is_refilled(evaluation: Evaluation, fault: LocatedFinding) -> bool:
    return fault.call is not None and evaluation.results.paired[fault.call][0].refilled


# ---- the verdict


def verdict_of(evaluation: Evaluation) -> Verdict:
    """Return the verdict; raises AuthorError where no case is evidence that code computes."""
    results, first, naming = evaluation.results, evaluation.first, evaluation.naming
    if first is None:
        complete = all(results.got[place] is not None for place in results.reported)
        complete = complete and all(got is not None for _, got in results.paired)
        proved = complete and results.reported and _is_proved(results)
        return Verdict.CORRECT if proved else Verdict.COULD_NOT_RUN
    named = naming.verdict
    if named is None or not is_timed(first.place, results.pack.cases):
        if first.finding.stage is Stage.LIMIT:
            return Verdict.LIMIT_REACHED
        if _broke_off(results, first) or not _returned(results):
            return Verdict.COULD_NOT_RUN
    if named is None:
        too_slow = first.finding.stage is Stage.TIME
        return Verdict.LIMIT_REACHED if too_slow else Verdict.WRONG
    conventional = named.kind == "convention"
    return Verdict.CORRECT_OTHER_CONVENTION if conventional else Verdict.KNOWN_MISTAKE


def _is_proved(results: Results) -> bool:
    """Say whether every result to be compared was; raises AuthorError without evidence."""
    if not results.has_evidence:
        raise AuthorError("cases.py", 1, NO_EVIDENCE)
    compared = (results.got[at] for at in results.reported if results.pack.compares_values(at))
    seen = [results_of(got) for got in compared if got is not None]
    return all(leaf.values is not None for leaves in seen for leaf in leaves.values())


def _broke_off(results: Results, first: LocatedFinding) -> bool:
    """Say whether the code broke off other than at a limit.

    Where time is taken, that is reported only when nothing else is wrong.
    """
    run_error = results.run_error
    if run_error is None or run_error.limit is not None:
        return False
    return first is run_error or not is_timed(run_error.place, results.pack.cases)


def _returned(results: Results) -> bool:
    """Say whether any of the graded cases came to its end."""
    seen = zip(results.got, results.pack.cases, strict=True)
    return any(got and got.failure is None for got, case in seen if case.graded)
