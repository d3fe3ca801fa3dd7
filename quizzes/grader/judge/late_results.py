"""What a report may tell of results that code gave when it already knew hidden cases.

Once the hidden cases are sent, a program can put what it reads of them into whatever it returns or
raises: the text of an exception, the name of its class, a shape, a number. A report that repeated
it would tell the hidden cases of its pack to everybody. So a late result, one that came after the
hidden cases did, decides the verdict and is told by its stage alone. The first fault is told whole,
but by another run, in a process that knows nothing but the calls which the report names anyway.
Where that run does not show the fault, the stage is all that is told.
"""

from __future__ import annotations

import builtins
from collections.abc import Sequence
from dataclasses import replace

from quizzes.grader.judge.case_pack import CasePack
from quizzes.grader.judge.run_errors import LocatedFinding, is_timed
from quizzes.grader.judge.state_between_calls import CallBefore
from quizzes.grader.protocol.case import Case
from quizzes.grader.protocol.job import order_of
from quizzes.grader.protocol.observation import Failure, Observation, Observed
from quizzes.grader.protocol.pairs import Pair, PairedCall
from quizzes.grader.protocol.verdict import Stage

MAX_MESSAGE = 200  # characters of an exception of a hidden case
_EXCEPTIONS = frozenset(
    name
    for name, value in vars(builtins).items()
    if isinstance(value, type) and issubclass(value, BaseException)
)


def is_late(pack: CasePack, located: LocatedFinding) -> bool:
    """Say whether a finding is of a result that came after the hidden cases were sent."""
    if located.place is None:
        return False
    return located.call is not None or is_late_case(pack.cases, located.place)


def is_late_case(cases: Sequence[Case], place: int) -> bool:
    """Say whether a case runs when the hidden ones are known: a hidden one, or a timed one."""
    return not cases[place].shown or is_timed(place, cases)


def without_late_texts(observed: Observed, cases: Sequence[Case], code: str) -> Observed:
    """Return the same without what late exceptions say: of their type a word of Python stays.

    Where the code was stopped at its limit the line stays: no shorter run could tell it.
    """
    observations = tuple(
        _without_text(got) if got is not None and is_late_case(cases, place) else got
        for place, got in enumerate(observed.observations)
    )
    paired = tuple(
        (call, None if got is None else _without_text(got)) for call, got in observed.paired
    )
    early = [place for place in order_of(cases) if not is_late_case(cases, place)]
    stopped_late = all(observations[place] is not None for place in early)
    stopped, death = observed.stopped, observed.death
    if stopped is not None and stopped_late and observed.loaded:
        has_line = stopped.line is not None and stopped.line <= code.count("\n") + 1
        stopped = replace(_bare(stopped), line=stopped.line if has_line else None)
    if death is not None and death.exit_code is not None and stopped_late and observed.loaded:
        death = replace(death, exit_code=None, exited=True)
    return replace(observed, observations=observations, paired=paired, stopped=stopped, death=death)


def shortened(observation: Observation) -> Observation:
    """Return what a case gave alone, with no more of an exception's message than is told."""
    failure = observation.failure
    if failure is None or failure.stage is not Stage.RETURNED:
        return observation
    if len(failure.message) <= MAX_MESSAGE:
        return observation
    message = failure.message[: MAX_MESSAGE - 1] + "…"
    frames, kind, said = failure.traceback.partition(f"\n{failure.type}: ")
    traceback = frames + kind + said[:MAX_MESSAGE] if kind else frames[-MAX_MESSAGE:]
    return replace(observation, failure=replace(failure, message=message, traceback=traceback))


def with_result(observed: Observed, located: LocatedFinding, result: Observation) -> Observed:
    """Return the same, as if the call of this finding had given another result."""
    if located.call is not None:
        paired = list(observed.paired)
        paired[located.call] = (paired[located.call][0], result)
        return replace(observed, paired=tuple(paired))
    observations = list(observed.observations)
    observations[located.place or 0] = result
    return replace(observed, observations=tuple(observations))


def calls_needed(
    pack: CasePack, located: LocatedFinding, before: CallBefore | None, paired: Sequence[PairedCall]
) -> tuple[list[int], tuple[Pair, ...]]:
    """Return the places of the calls that a report names for a finding, and the pair they make."""
    assert located.place is not None
    if located.call is None:
        places = {located.place} if before is None else {before.place, located.place}
        return sorted(places), ()
    other = paired[located.call].before
    for pair in pack.find_pairs():
        ends = {pair.first, pair.second}
        if located.place in ends and (other is None or other in ends):
            return sorted(ends), (pair,)
    return [located.place], ()


def _without_text(observation: Observation) -> Observation:
    failure = observation.failure
    return observation if failure is None else replace(observation, failure=_bare(failure))


def _bare(failure: Failure) -> Failure:
    """Return a failure without its texts and its line.

    A class can be made with any name and a line counted to any number while the code runs, so only
    types of Python are told.
    """
    return replace(
        failure,
        type=failure.type if failure.type in _EXCEPTIONS else "Exception",
        message="",
        traceback="",
        line=None,
        suggestion="",
    )
