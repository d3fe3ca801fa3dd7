"""Whether code keeps something from one call to the next: what its pairs and a call alone show.

The calls of a pair are judged by their results alone, each against what the reference gives there,
so nothing but wrong numbers is a fault: what code keeps, and whether it hands out the same array
again, is its own business. They are judged where every case is right; code that is wrong elsewhere
is wrong in its pairs too.

A wrong result shows no state by itself. So its case is called once more in a process of its own, by
the judge: right there, the code keeps something; wrong in another way, it gives other numbers each
time. An error that is raised is no wrong result, but for a call of a pair, which returned before.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import partial

from quizzes.grader.judge.case_pack import CasePack
from quizzes.grader.judge.comparison import same_observation
from quizzes.grader.judge.formatting import call_text
from quizzes.grader.judge.run_errors import LocatedFinding, first_finding, is_timed
from quizzes.grader.judge.stages import Finding, check_case
from quizzes.grader.protocol.job import Ending, order_of
from quizzes.grader.protocol.observation import Leaf, Observation, results_of
from quizzes.grader.protocol.pairs import PairedCall
from quizzes.grader.protocol.verdict import Stage

OF_RESULTS = (Stage.SHAPE, Stage.DTYPE, Stage.FINITE, Stage.VALUES)

Paired = Sequence[tuple[PairedCall, Observation | None]]


def check_result(
    pack: CasePack, place: int, expected: Observation, got: Observation
) -> Finding | None:
    """Return the finding about a call's result in this case; None where it is right."""
    call = partial(call_text, pack.entry, pack.cases[place])
    return check_case(_only_result(expected), _only_result(got), pack.entry, call)


def check_pairs(pack: CasePack, paired: Paired) -> dict[int, LocatedFinding]:
    """Return, by place, the first wrong result of each case that was called in its pair."""
    findings: dict[int, LocatedFinding] = {}
    right: dict[tuple[int, bool], Observation] = {}
    for number, (call, got) in enumerate(paired):
        if got is None or call.place in findings:
            continue
        known = right.get((call.place, call.refilled))
        # As most are, byte by byte; what no later call has changed is the same object.
        if known is not None and (known is got or _is_equal(known, got)):
            continue
        right.setdefault((call.place, call.refilled), got)
        finding = check_result(pack, call.place, pack.expected_of(call), got)
        if finding is not None:
            limit = Ending.MEMORY_LIMIT if finding.stage is Stage.LIMIT else None
            traceback = got.failure.traceback if got.failure else ""
            located = LocatedFinding(finding, call.place, limit, traceback, call=number)
            findings[call.place] = located
    return findings


def find_result_fault(pack: CasePack, findings: Iterable[LocatedFinding]) -> LocatedFinding | None:
    """Return the first wrong result among the findings; None where something else is wrong."""
    results = [
        located
        for located in findings
        if located.place is not None
        and pack.compares_values(located.place)
        and located.limit is None
        and (located.call is not None or located.finding.stage in OF_RESULTS)
    ]
    return first_finding(results, pack)


def is_repeated(pack: CasePack, observation: Observation, other: Observation) -> bool:
    """Say whether two runs of a call gave the same result."""
    return same_observation(_only_result(observation), _only_result(other), pack.entry.tolerance)


@dataclass(frozen=True)
class CallBefore:
    """The place of the case that was called before a wrong result; `in_pair`: both are a pair."""

    place: int
    in_pair: bool


def call_before(pack: CasePack, paired: Paired, fault: LocatedFinding) -> CallBefore | None:
    """Return the call before a wrong result; None where that was the first call.

    Of a pair that fails too it is the other half: two calls that differ in one argument say most.
    Of another result it is the call just before, which need not be the one to blame.
    """
    in_pairs = fault if fault.call is not None else check_pairs(pack, paired).get(fault.place or 0)
    if in_pairs is not None and in_pairs.call is not None:
        before = paired[in_pairs.call][0].before
        if before is not None:
            return CallBefore(before, in_pair=True)
    if fault.call:
        return CallBefore(paired[fault.call - 1][0].place, in_pair=False)
    order = [place for place in order_of(pack.cases) if not is_timed(place, pack.cases)]
    at = len(order) if fault.call is not None else order.index(fault.place or 0)
    return CallBefore(order[at - 1], in_pair=False) if at else None


def _is_equal(observation: Observation, other: Observation) -> bool:
    """Say whether two calls returned the same, to the last bit."""
    if observation.failure is not None or other.failure is not None:
        return False
    return observation.leaves.keys() == other.leaves.keys() and all(
        _is_equal_leaf(leaf, other.leaves[key]) for key, leaf in observation.leaves.items()
    )


def _is_equal_leaf(leaf: Leaf, other: Leaf) -> bool:
    ours, theirs = (
        (side.kind, side.type, side.dtype, side.shape, side.length) for side in (leaf, other)
    )
    if ours != theirs or leaf.values is None or other.values is None:
        return False
    return (
        leaf.values.dtype == other.values.dtype and leaf.values.tobytes() == other.values.tobytes()
    )


def _only_result(observation: Observation) -> Observation:
    return replace(observation, leaves=results_of(observation))
