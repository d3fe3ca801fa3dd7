"""Which known mistakes and conventions the results of a run show.

A name is given on the fingerprint cases alone. So where all of them agree with another convention,
the rest is looked at too: all that is reported keeps to the convention, which then is the verdict;
or more is wrong, and then that is the fault to tell, with the convention's sentence beside it; or
some results are the reference's, and the name is taken back.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial

from quizzes.grader.judge import messages
from quizzes.grader.judge.built_in_mistakes import ROW_CONSTANT
from quizzes.grader.judge.case_pack import BIAS, CasePack
from quizzes.grader.judge.diagnosis import name_least, name_mistake
from quizzes.grader.judge.formatting import call_text
from quizzes.grader.judge.report import KnownMistake
from quizzes.grader.judge.row_constants import without_row_constants
from quizzes.grader.judge.run_errors import LocatedFinding, first_finding, is_timed
from quizzes.grader.judge.stages import Finding, check_case, check_looks
from quizzes.grader.judge.state_between_calls import (
    Paired,
    check_pairs,
    check_result,
    is_repeated,
)
from quizzes.grader.protocol.observation import Observation
from quizzes.grader.protocol.pairs import PairedCall
from quizzes.grader.protocol.verdict import Stage


@dataclass(frozen=True)
class Results:
    """What the cases of a pack gave, and the calls of its pairs; `reported`: places of cases.

    `has_evidence`: a case among them shows that the code computes, or none is needed.
    """

    pack: CasePack
    got: Sequence[Observation | None]
    paired: Paired
    reported: Sequence[int]
    run_error: LocatedFinding | None
    has_evidence: bool

    @property
    def judged(self) -> list[int]:
        """The reported cases but those that only measure time."""
        return [place for place in self.reported if not is_timed(place, self.pack.cases)]

    def check(self, expected: Observation, place: int) -> Finding | None:
        """Return what is wrong in one case, when this is expected; no result is a finding too."""
        got = self.got[place]
        if got is None:
            return Finding(Stage.RETURNED, messages.BROKE_OFF)
        call = partial(call_text, self.pack.entry, self.pack.cases[place])
        return check_case(expected, got, self.pack.entry, call)


@dataclass(frozen=True)
class Naming:
    """The known mistakes that results show: none, one, or two that are made at once.

    `is_least`: some parts of the results show them, whatever else is wrong. `beside`: the first
    fault of code that has another convention, where more is wrong than that. `own_stages`: where
    the convention alone differs from the reference, so that a fault there may be the convention.
    """

    mistakes: tuple[KnownMistake, ...] = ()
    is_least: bool = False
    beside: LocatedFinding | None = None
    own_stages: frozenset[Stage] = frozenset()

    @property
    def first(self) -> KnownMistake | None:
        """The one whose sentence comes first."""
        return self.mistakes[0] if self.mistakes else None

    @property
    def second(self) -> KnownMistake | None:
        """The one that is made beside the first."""
        return self.mistakes[1] if len(self.mistakes) == 2 else None

    @property
    def is_part(self) -> bool:
        """Whether only conventions are named although more is wrong: the verdict is the fault's."""
        partly = self.is_least or self.beside is not None
        return partly and self.first is not None and self.first.kind == "convention"

    @property
    def verdict(self) -> KnownMistake | None:
        """The one that is the verdict."""
        return None if self.is_part else self.first


def name_results(
    results: Results, findings: Mapping[int, LocatedFinding], first: LocatedFinding
) -> Naming:
    """Name what is wrong with results whose findings, by place, are these."""
    mistake = name_mistake(results.pack, results.got)
    if mistake is not None and mistake.kind != "convention":
        return Naming((mistake,))
    if mistake is not None and _keeps_to(results, mistake.slug):
        return Naming((mistake,))
    if mistake is not None:
        own_stages = _own_stages(results, mistake.slug)
        beside = _fault_beside(results, findings, mistake.slug, own_stages)
        if beside is not None:
            return Naming((mistake,), beside=beside, own_stages=own_stages)
    if _differs_by_rows(results, first):
        return Naming((ROW_CONSTANT,))
    least = name_least(results.pack, results.got)
    return Naming(least, is_least=bool(least))


# ---- another convention


def _own_stages(results: Results, convention: str) -> frozenset[Stage]:
    """Return the stages at which code right by the convention differs from the reference."""
    pack, given = results.pack, results.pack.conventions.get(convention)
    if given is None:
        return frozenset()
    differs = (
        check_case(
            pack.expected[place],
            given[place],
            pack.entry,
            partial(call_text, pack.entry, pack.cases[place]),
        )
        for place in results.judged
    )
    return frozenset(finding.stage for finding in differs if finding is not None)


def _keeps_to(results: Results, convention: str) -> bool:
    """Say whether all that is reported is what the convention gives, each result compared."""
    pack = results.pack.by_convention(convention)
    if pack is None or results.run_error is not None or not results.has_evidence:
        return False
    for place in results.judged:
        if results.pack.compares_values(place) and not pack.compares_values(place):
            return False
        if results.check(pack.expected[place], place) is not None:
            return False
    return all(_keeps_to_in_pair(results, call, got, pack) for call, got in results.paired)


def _keeps_to_in_pair(
    results: Results, call: PairedCall, got: Observation | None, pack: CasePack
) -> bool:
    """Say whether the call of a pair is by the convention.

    After the learned numbers were filled once more too, where the pack knows what it gives then.
    """
    if got is None or got.failure is not None:
        return False
    if not call.refilled or pack.refilled:
        return check_result(pack, call.place, pack.expected_of(call), got) is None
    before = results.got[call.place]
    return before is not None and not is_repeated(results.pack, got, before)


def _fault_beside(
    results: Results,
    findings: Mapping[int, LocatedFinding],
    convention: str,
    own_stages: Collection[Stage],
) -> LocatedFinding | None:
    """Return the first fault by the convention's results; None where it is none by the reference's.

    Code that gives the reference's results in some cases keeps to neither. What differs from the
    reference may be the convention itself, so the fault is told as the convention's results have
    it, unless the convention alone never fails there.
    """
    pack = results.pack.by_convention(convention)
    if pack is None or not results.has_evidence:
        return None
    wrong = {
        place: LocatedFinding(finding, place, convention=convention)
        for place in results.judged
        if results.got[place] is not None
        and (finding := results.check(pack.expected[place], place)) is not None
    }
    if not wrong.keys() <= findings.keys():
        return None
    first = first_finding([*wrong.values(), results.run_error], pack)
    if first is None:
        return _fault_in_pairs(results, pack, convention)
    if first is results.run_error or first.place is None:
        return first
    by_reference, got = findings[first.place], results.got[first.place]
    failed = got is not None and got.failure is not None
    of_its_own = first.finding.stage in own_stages
    if by_reference.finding.stage is first.finding.stage and (failed or not of_its_own):
        return replace(by_reference, convention=convention)
    return _compared(first) if of_its_own else first


def _fault_in_pairs(results: Results, pack: CasePack, convention: str) -> LocatedFinding | None:
    """Return the first wrong result in a pair, of code whose cases are all by the convention.

    Once the learned numbers were filled again, only where the pack knows what is expected then.
    """
    known = bool(pack.refilled)
    paired = [(call, got if known or not call.refilled else None) for call, got in results.paired]
    first = first_finding(check_pairs(pack, paired).values(), pack)
    return None if first is None else _compared(replace(first, convention=convention))


def _compared(located: LocatedFinding) -> LocatedFinding:
    """Return the same, saying with what the results were compared."""
    message = messages.compared_with_convention(located.finding.message)
    return replace(located, finding=replace(located.finding, message=message))


# ---- biases that differ by one number per row


def _differs_by_rows(results: Results, first: LocatedFinding) -> bool:
    """Say whether all that is wrong is one number per row of a bias of scores."""
    if results.run_error is not None or results.pack.entry.scores != BIAS:
        return False
    if not results.has_evidence or first.finding.stage is Stage.TIME:
        return False
    cases: Iterable[bool] = (_is_bias(results, place) for place in results.judged)
    return all(cases) and all(_is_paired_bias(results, *one) for one in results.paired)


def _is_bias(results: Results, place: int) -> bool:
    """Say whether a case gives the expected bias up to one number per row."""
    pack, got = results.pack, results.got[place]
    if got is None:
        return False
    expected, entry = pack.expected[place], pack.entry
    got = without_row_constants(expected, got, entry.tolerance)
    call = partial(call_text, entry, pack.cases[place])
    return not (check_case(expected, got, entry, call) or check_looks(expected, got, entry))


def _is_paired_bias(results: Results, call: PairedCall, got: Observation | None) -> bool:
    """Say the same of a call of a pair."""
    if got is None:
        return False
    expected = results.pack.expected_of(call)
    got = without_row_constants(expected, got, results.pack.entry.tolerance)
    return check_result(results.pack, call.place, expected, got) is None
