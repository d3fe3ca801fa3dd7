"""What is wrong with a run as a whole: it did not load, broke off, hit a limit, or lied."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from quizzes.grader import wording
from quizzes.grader.case import Case
from quizzes.grader.case_pack import EntryPoint
from quizzes.grader.job import Ending, order_of
from quizzes.grader.observation import Failure, Observation, Observed
from quizzes.grader.report import Rung
from quizzes.grader.rungs import CaseFault

LIMITS = (Ending.TIME_LIMIT, Ending.MEMORY_LIMIT, Ending.OUTPUT_LIMIT, Ending.RESULT_LIMIT)


@dataclass(frozen=True)
class LocatedFault:
    """A fault, and the place of its case; None when it came before any case.

    `limit` names the limit that was reached, if one was. `traceback` is not cleaned yet.
    """

    fault: CaseFault
    place: int | None = None
    limit: Ending | None = None
    traceback: str = ""


def find_run_fault(
    observed: Observed, cases: Sequence[Case], entry: EntryPoint, *, time_counts: bool = True
) -> LocatedFault | None:
    """None when the code ran through all of its cases, whatever they gave.

    Unless `time_counts`, the timed ones, which run last, need not have come to an end.
    """
    place = _running_case(observed.observations, cases) if observed.loaded else None
    if observed.load_failure is not None:
        return _load_fault(observed.load_failure, entry)
    if observed.ending is Ending.GARBLED:
        message = "your code wrote to descriptor 3, on which its results travel; leave it alone"
        return LocatedFault(CaseFault(Rung.RETURNED, message))
    if _all_that_counts_was_seen(observed, place, cases, time_counts=time_counts):
        return None
    if observed.stopped is not None or observed.ending in LIMITS:
        return _limit_fault(observed, place, entry)
    if observed.ending is Ending.DIED or place is not None:
        why = f": {observed.detail}" if observed.ending is Ending.DIED else ""
        return LocatedFault(CaseFault(Rung.RETURNED, f"your code broke off{why}"), place)
    return None


def first_fault(
    faults: Iterable[LocatedFault | None], cases: Sequence[Case]
) -> LocatedFault | None:
    """Of the lowest rung, in the smallest case; whatever came of a timed one is said last."""
    return min(
        (located for located in faults if located is not None),
        key=lambda located: (
            is_timed(located.place, cases),
            located.fault.rung.order,
            located.place or 0,
        ),
        default=None,
    )


def is_timed(place: int | None, cases: Sequence[Case]) -> bool:
    """Whether it is a case that only measures time."""
    return place is not None and cases[place].probe == "time"


def _all_that_counts_was_seen(
    observed: Observed, place: int | None, cases: Sequence[Case], *, time_counts: bool
) -> bool:
    """Although it did not end well: mostly time decides nothing, and never what follows it."""
    if place is not None:
        return is_timed(place, cases) and not time_counts
    too_late = observed.stopped is not None or observed.ending is Ending.TIME_LIMIT
    return too_late and observed.loaded and bool(cases)


def _limit_fault(observed: Observed, place: int | None, entry: EntryPoint) -> LocatedFault:
    stopped = observed.stopped
    limit = Ending.TIME_LIMIT if stopped else observed.ending
    message = wording.limit_message(limit, entry.limits, stopped.line if stopped else None)
    traceback = stopped.traceback if stopped else ""
    return LocatedFault(CaseFault(Rung.LIMIT, message), place, limit, traceback)


def _load_fault(failure: Failure, entry: EntryPoint) -> LocatedFault:
    if failure.memory:
        message = wording.limit_message(Ending.MEMORY_LIMIT, entry.limits)
        fault = CaseFault(Rung.LIMIT, message)
        return LocatedFault(fault, limit=Ending.MEMORY_LIMIT, traceback=failure.traceback)
    message = wording.describe_failure(failure, entry.name, "")
    return LocatedFault(CaseFault(failure.rung, message), traceback=failure.traceback)


def _running_case(observations: Sequence[Observation | None], cases: Sequence[Case]) -> int | None:
    """The first case without a result, in the order in which they run."""
    return next((place for place in order_of(cases) if observations[place] is None), None)
