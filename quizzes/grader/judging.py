"""One submission's observations against a pack: faults, the name of the mistake, the report."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial

from quizzes.grader.cards import property_card, speed_card
from quizzes.grader.case_pack import CasePack
from quizzes.grader.cleaning import clean
from quizzes.grader.diagnosis import layout_note, name_mistake
from quizzes.grader.errors import AuthorError
from quizzes.grader.facts import results_of
from quizzes.grader.job import Ending
from quizzes.grader.observation import Observation, Observed
from quizzes.grader.picture import Picture, crop_around_worst
from quizzes.grader.report import CaseResult, Fault, KnownMistake, Report, Rung, Verdict
from quizzes.grader.run_faults import LocatedFault, find_run_fault, first_fault, is_timed
from quizzes.grader.rungs import CaseFault, find_fault, find_look_fault
from quizzes.grader.showing import call_text, observation_texts
from quizzes.grader.timing import largest_timed, time_fault

MAX_TRACEBACK = 6_000
MAX_MESSAGE = 1_000
SPEED_LIMIT = "speed"  # beside the words of job.Ending
PICTURED = (Rung.VALUES, Rung.FINITE, Rung.GRADIENTS)


NO_EVIDENCE = (
    "has no hidden case that is drawn from `rng` and whose result is compared, so no code can be "
    "graded correct"
)


class Judging:
    """One submission's observations against a pack; `told` are the places of the told cases.

    `submitted`: it is to be graded, not only checked, so that `correct` needs evidence: code that
    answers cases it has seen, and claims about itself what is asked for, has computed nothing.
    """

    def __init__(
        self,
        pack: CasePack,
        observed: Observed,
        told: Sequence[int],
        *,
        submitted: bool = True,
    ) -> None:
        self.pack = pack
        self.submitted = submitted
        self.got: Sequence[Observation | None] = observed.observations
        if observed.ending is Ending.GARBLED:
            self.got = [None] * len(pack.cases)
        time_counts = pack.entry.speed_at_most is not None
        self.timed = largest_timed(pack, self.got) if time_counts else None
        self.run_fault = find_run_fault(observed, pack.cases, pack.entry, time_counts=time_counts)
        stopped_at = self.run_fault.place if self.run_fault else None
        self.told = sorted({*told, *self._timed_places(stopped_at)})
        if stopped_at not in (None, *self.told):
            self.run_fault = None  # a Check does not tell of what happens in hidden cases
        self.faults = self._find_faults()
        self.first = first_fault([*self.faults.values(), self.run_fault], pack.cases)
        if self.first is None:  # code that is wrong elsewhere may have a property in its own way
            self.faults = self._find_look_faults()
            self.first = first_fault(self.faults.values(), pack.cases)
        self.mistake = self._name_mistake()

    def report(self) -> Report:
        """Everything but what the run itself knows: seconds and standard output."""
        results = {place: self.result(place) for place in self.told}
        first = self.first
        smallest = results.get(first.place) if first and first.place is not None else None
        return Report(
            verdict=self._verdict(),
            first_fault=self._first_fault(),
            known_mistake=self.mistake,
            smallest_failing=smallest,
            cases=tuple(results.values()),
            cases_passed=sum(result.passed for result in results.values()),
            cases_total=len(results),
            traceback=clean(first.traceback, MAX_TRACEBACK) if first else "",
            limit=self._limit(),
            properties=property_card(self.pack, self.got, self.told),
            speed=speed_card(self.pack, self.got, first.fault.rung if first else None),
            picture=self._picture(),
        )

    @property
    def too_slow_at(self) -> int | None:
        """The place of the call that is too slow, when nothing else is wrong."""
        too_slow = self.first is not None and self.first.fault.rung is Rung.TIME
        return self.first.place if self.first and too_slow else None

    def _timed_places(self, stopped_at: int | None) -> list[int]:
        """Of the timed cases, where time counts: the one that is judged, the one that broke off."""
        places = [] if self.timed is None else [self.timed.place]
        if stopped_at is not None and is_timed(stopped_at, self.pack.cases):
            places.append(stopped_at)
        return places

    def _find_faults(self) -> dict[int, LocatedFault]:
        faults = {}
        for place in self.told:
            got = self.got[place]
            if got is None:
                continue
            fault = self._fault_in(self.pack.expected[place], place)
            if fault is None and self.timed is not None and place == self.timed.place:
                fault = time_fault(self.timed, self.pack.entry)
            if fault is not None:
                traceback = got.failure.traceback if got.failure else ""
                limit = Ending.MEMORY_LIMIT if fault.rung is Rung.LIMIT else None
                faults[place] = LocatedFault(fault, place, limit, traceback)
        return faults

    def _name_mistake(self) -> KnownMistake | None:
        """The known mistake; another convention only if all that is told agrees with it."""
        mistake = name_mistake(self.pack, self.got) if self.first is not None else None
        if mistake is None or mistake.kind != "convention" or self._keeps_to(mistake.slug):
            return mistake
        return None

    def _keeps_to(self, convention: str) -> bool:
        """Whether all that is told is what the convention gives, each result compared."""
        given = self.pack.conventions.get(convention)
        if given is None or self.run_fault is not None:
            return False
        if self.submitted and not any(map(self.pack.is_evidence, self.told)):
            return False
        its_own = replace(self.pack, expected=given)
        for place in self.told:
            if is_timed(place, self.pack.cases):
                continue
            if self.pack.compares_values(place) and not its_own.compares_values(place):
                return False
            if self._fault_in(given[place], place) is not None:
                return False
        return True

    def _fault_in(self, expected: Observation, place: int) -> CaseFault | None:
        """What is wrong in one case, when this is expected of it; a missing result is too."""
        got = self.got[place]
        if got is None:
            return CaseFault(Rung.RETURNED, "your code broke off")
        call = partial(call_text, self.pack.entry, self.pack.cases[place])
        return find_fault(expected, got, self.pack.entry, call)

    def _is_proved(self) -> bool:
        """Whether every result that is to be compared was; raises AuthorError without evidence."""
        evidence = any(map(self.pack.is_evidence, self.told))
        if self.submitted and not evidence:
            raise AuthorError("cases.py", 1, NO_EVIDENCE)
        seen = [results_of(got) for place in self.told if (got := self._compared(place))]
        return all(leaf.values is not None for leaves in seen for leaf in leaves.values())

    def _compared(self, place: int) -> Observation | None:
        return self.got[place] if self.pack.compares_values(place) else None

    def _find_look_faults(self) -> dict[int, LocatedFault]:
        faults = {}
        for place in self.told:
            got = self.got[place]
            if got is None or got.failure is not None:
                continue
            fault = find_look_fault(self.pack.expected[place], got, self.pack.entry)
            if fault is not None:
                faults[place] = LocatedFault(fault, place)
        return faults

    def _verdict(self) -> Verdict:
        if self.first is None:
            complete = all(self.got[place] is not None for place in self.told)
            proved = complete and self.told and self._is_proved()
            return Verdict.CORRECT if proved else Verdict.COULD_NOT_RUN
        if self.mistake is None or not is_timed(self.first.place, self.pack.cases):
            if self.first.fault.rung is Rung.LIMIT:
                return Verdict.LIMIT_REACHED
            if self._broke_off() or not self._returned():
                return Verdict.COULD_NOT_RUN
        if self.mistake is None:
            too_slow = self.first.fault.rung is Rung.TIME
            return Verdict.LIMIT_REACHED if too_slow else Verdict.WRONG
        conventional = self.mistake.kind == "convention"
        return Verdict.CORRECT_OTHER_CONVENTION if conventional else Verdict.KNOWN_MISTAKE

    def _broke_off(self) -> bool:
        """Where time is taken that is only told when nothing else is wrong."""
        if self.run_fault is None or self.run_fault.limit is not None:
            return False
        return self.first is self.run_fault or not is_timed(self.run_fault.place, self.pack.cases)

    def _returned(self) -> bool:
        """Whether any of the graded cases came to its end."""
        seen = zip(self.got, self.pack.cases, strict=True)
        return any(got and got.failure is None for got, case in seen if case.graded)

    def _first_fault(self) -> Fault | None:
        if self.first is None:
            return None
        place = self.first.place
        label = None if place is None else self.pack.cases[place].label
        message = _sentence(self.first.fault.message)
        if self.mistake is None and self.first.fault.rung is Rung.VALUES:
            message += layout_note(self.pack, self.got)
        return Fault(self.first.fault.rung, label, message)

    def _limit(self) -> str | None:
        if self.too_slow_at is not None:
            return SPEED_LIMIT
        located = [self.run_fault, *self.faults.values()]
        return next((str(item.limit) for item in located if item and item.limit), None)

    def result(self, place: int) -> CaseResult:
        """A hidden case that passed has a label and nothing else."""
        case, got = self.pack.cases[place], self.got[place]
        located = self.faults.get(place)
        if located is None and self.run_fault is not None and self.run_fault.place == place:
            located = self.run_fault
        if located is None and got is not None:
            call = call_text(self.pack.entry, case) if case.shown else ""
            return CaseResult(case.label, case.shown, passed=True, call=call)
        if located is None:
            message = "Not reached: the code stopped before."
            return CaseResult(case.label, case.shown, passed=False, message=message)
        return self._failed_result(place, located)

    def _failed_result(self, place: int, located: LocatedFault) -> CaseResult:
        case, got, fault = self.pack.cases[place], self.got[place], located.fault
        result = CaseResult(
            case.label,
            case.shown,
            passed=False,
            message=_sentence(fault.message),
            tolerance_text=self._tolerance_text(fault),
            rung=fault.rung,
            max_error=_finite(fault.difference.max_error) if fault.difference else None,
            worst_index=fault.difference.worst if fault.difference else None,
        )
        if not (case.shown or located is self.first):
            return result
        call = call_text(self.pack.entry, case)
        if got is None:
            return replace(result, call=call)
        tolerance = self.pack.entry.tolerance
        texts = observation_texts(self.pack.expected[place], got, fault, tolerance)
        return replace(result, call=call, expected_text=texts[0], got_text=texts[1])

    def _tolerance_text(self, fault: CaseFault) -> str:
        """No tolerance decides whether a number is finite."""
        judged = fault.difference is not None and fault.rung is not Rung.FINITE
        return str(self.pack.entry.tolerance) if judged else ""

    def _picture(self) -> Picture | None:
        first = self.first
        if first is None or first.place is None or first.fault.key is None:
            return None
        got = self.got[first.place]
        if got is None or first.fault.rung not in PICTURED:
            return None
        wanted = self.pack.expected[first.place].leaves[first.fault.key].values
        given = got.leaves[first.fault.key].values
        if wanted is None or given is None or wanted.ndim == 0:
            return None
        return crop_around_worst(wanted, given)


def _sentence(message: str) -> str:
    """Starts with a capital letter unless it starts with code, ends with one mark."""
    text = clean(message, MAX_MESSAGE)
    return text[:1].upper() + text[1:] + ("" if text.endswith((".", "?", "!", "…")) else ".")


def _finite(number: float) -> float | None:
    return number if number < float("inf") else None  # JSON has no infinity
