"""What is wrong with a run as a whole: it did not load, broke off, hit a limit, or lied."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from quizzes.grader.judge import headlines, messages
from quizzes.grader.judge.case_pack import CasePack, EntryPoint
from quizzes.grader.judge.stages import Finding
from quizzes.grader.protocol.case import Case
from quizzes.grader.protocol.job import Ending, order_of
from quizzes.grader.protocol.observation import Failure, Observed
from quizzes.grader.protocol.verdict import Stage

TOO_NESTED = ("MemoryError", "RecursionError")  # of Python while it reads
OF_NUMBERS = (Stage.FINITE, Stage.VALUES)
LIMITS = (Ending.TIME_LIMIT, Ending.MEMORY_LIMIT, Ending.OUTPUT_LIMIT, Ending.RESULT_LIMIT)


@dataclass(frozen=True)
class LocatedFinding:
    """A finding, and the place of its case; None when it came before any case.

    `limit` names the limit that was reached, if one was. `traceback` is not cleaned yet. `call`:
    the number of the call of a pair in which it was found; None: in the case's own call.
    `convention`: the one whose results are expected here; empty: the reference's are.
    """

    finding: Finding
    place: int | None = None
    limit: Ending | None = None
    traceback: str = ""
    call: int | None = None
    convention: str = ""


def find_run_error(
    observed: Observed, cases: Sequence[Case], entry: EntryPoint, *, time_counts: bool = True
) -> LocatedFinding | None:
    """Find why code did not run through all of its cases; None when it did, whatever they gave.

    Unless `time_counts`, the timed ones, which run last, need not have come to an end.
    """
    place = _running_case(observed, cases) if observed.loaded else None
    if observed.load_failure is not None:
        return _load_finding(observed.load_failure, entry, parsed=observed.parsed)
    if observed.ending is Ending.GARBLED:
        forged = Finding(Stage.RETURNED, messages.FORGED, brief=headlines.BRIEF_FORGED)
        return LocatedFinding(forged)
    if _all_that_counts_was_seen(observed, place, cases, time_counts=time_counts):
        return None
    if observed.stopped is not None or observed.ending in LIMITS:
        return _limit_finding(observed, place, entry)
    if observed.ending is Ending.DIED or place is not None:
        message = messages.broke_off(observed.death)
        return LocatedFinding(Finding(Stage.RETURNED, message), place)
    return None


def first_finding(
    findings: Iterable[LocatedFinding | None], pack: CasePack
) -> LocatedFinding | None:
    """Return the finding of the earliest stage in the smallest case; a timed case's comes last.

    Of wrong numbers, the statement's example comes first, since learners have it before
    them; then results that are large enough to show what is wrong.
    """
    return min(
        (located for located in findings if located is not None),
        key=lambda located: (
            is_timed(located.place, pack.cases),
            located.finding.stage.order,
            _rank(located, pack),
            located.place or 0,
        ),
        default=None,
    )


def _rank(located: LocatedFinding, pack: CasePack) -> int:
    """Return how little a case shows of a fault: 0 for the example, 2 for what is too small."""
    if located.place is None or located.call is not None:
        return 0
    if located.finding.stage not in OF_NUMBERS or located.place == pack.example:
        return 0
    return 1 if pack.shows_order(located.place) else 2


def is_timed(place: int | None, cases: Sequence[Case]) -> bool:
    """Say whether it is a case that only measures time."""
    return place is not None and cases[place].probe == "time"


def _all_that_counts_was_seen(
    observed: Observed, place: int | None, cases: Sequence[Case], *, time_counts: bool
) -> bool:
    """Say whether all that counts was seen although the run did not end well.

    Mostly time decides nothing, and what follows it never does.
    """
    if place is not None:
        return is_timed(place, cases) and not time_counts
    too_late = observed.stopped is not None or observed.ending is Ending.TIME_LIMIT
    return too_late and observed.loaded and bool(cases)


def _limit_finding(observed: Observed, place: int | None, entry: EntryPoint) -> LocatedFinding:
    stopped = observed.stopped
    limit = Ending.TIME_LIMIT if stopped else observed.ending
    if limit is Ending.TIME_LIMIT:
        line = stopped.line if stopped else None
        among = place is not None
        message = messages.out_of_time(observed.seconds, entry.limits, line, among_cases=among)
    else:
        message = messages.limit_message(limit, entry.limits)
    traceback = stopped.traceback if stopped else ""
    return LocatedFinding(Finding(Stage.LIMIT, message), place, limit, traceback)


def _load_finding(failure: Failure, entry: EntryPoint, *, parsed: bool) -> LocatedFinding:
    if not parsed and failure.type in TOO_NESTED:
        nested = Finding(failure.stage, messages.TOO_NESTED, brief=headlines.BRIEF_NESTED)
        return LocatedFinding(nested)
    if failure.memory:
        message = messages.limit_message(Ending.MEMORY_LIMIT, entry.limits)
        finding = Finding(Stage.LIMIT, message)
        return LocatedFinding(finding, limit=Ending.MEMORY_LIMIT, traceback=failure.traceback)
    message = messages.describe_failure(failure, entry.name, "")
    brief = headlines.brief_failure(failure, entry.name)
    return LocatedFinding(Finding(failure.stage, message, brief=brief), traceback=failure.traceback)


def _running_case(observed: Observed, cases: Sequence[Case]) -> int | None:
    """Return the first case without a result, in the order of the run; of a pair, of its call."""
    seen = observed.observations
    first = next((place for place in order_of(cases) if seen[place] is None), None)
    if first is not None and not is_timed(first, cases):
        return first
    return next((call.place for call, got in observed.paired if got is None), first)
