"""One submission's observations against a pack: findings, the name of the mistake, the report."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from enum import Enum
from functools import cached_property

from quizzes.grader.errors import AuthorError
from quizzes.grader.judge import headlines, messages, property_messages
from quizzes.grader.judge.accidents import brief_for, hint_for
from quizzes.grader.judge.built_in_mistakes import (
    BUILT_IN_MISTAKES,
    KEPT_BETWEEN_CALLS,
    OVERWRITTEN_RESULT,
)
from quizzes.grader.judge.case_pack import CasePack
from quizzes.grader.judge.code_text.cleaner import notebook_code
from quizzes.grader.judge.diagnosis import layout_note
from quizzes.grader.judge.formatting import call_text, observation_texts
from quizzes.grader.judge.late_results import is_late, is_late_case
from quizzes.grader.judge.naming import Naming, Results, name_results
from quizzes.grader.judge.picture import Picture, crop_around_worst
from quizzes.grader.judge.property_report import property_report
from quizzes.grader.judge.report import (
    CaseResult,
    Property,
    Report,
    ReportedFinding,
    Speed,
    Stage,
    Verdict,
)
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
from quizzes.grader.judge.timing import check_time, largest_timed, timing_report
from quizzes.grader.protocol.case import has_arrays
from quizzes.grader.protocol.job import Ending
from quizzes.grader.protocol.observation import FACT, Failure, Observation, Observed, results_of
from quizzes.grader.protocol.sanitize import clean

MAX_TRACEBACK = 6_000
SPEED_LIMIT = "speed"  # beside the words of job.Ending
MOVES = f"{FACT}moves"
HINTED = (Stage.IMPORTS, Stage.RETURNED, Stage.NAME)  # where an accident may have stopped code
PICTURED = (Stage.VALUES, Stage.FINITE, Stage.GRADIENTS)


NO_EVIDENCE = (
    "has no hidden case that is drawn from `rng` and whose result is compared, so no code can be "
    "graded correct"
)


class Alone(Enum):
    """What the call of a wrong result shows when it is the only one of its process."""

    RIGHT = "right"
    SAME = "same"
    OTHER = "other"  # wrong, and not as before


class ReportBuilder:
    """One submission's observations against a pack; `reported`: the places of the reported cases.

    `code`: what was handed in, for what helps with an exception. `submitted`: it is to be graded,
    not only checked, so that `correct` needs evidence: code that answers cases it has seen, and
    claims about itself what is asked for, has computed nothing.
    """

    def __init__(
        self,
        pack: CasePack,
        observed: Observed,
        reported: Sequence[int],
        *,
        submitted: bool = True,
        code: str = "",
    ) -> None:
        self.pack = pack
        self.code = code
        self.submitted = submitted
        self.got: Sequence[Observation | None] = observed.observations
        if observed.ending is Ending.GARBLED:
            self.got = [None] * len(pack.cases)
        time_counts = pack.entry.speed_at_most is not None
        self._largest_timed = largest_timed(pack, self.got)
        self.timed = self._largest_timed if time_counts else None
        self.before = ""  # the call before the wrong one, of code that keeps something
        self.depends_on_calls = False
        self.is_muted = False  # nothing that the code gave is told of the first fault
        self.paired = observed.paired
        if observed.ending is Ending.GARBLED:
            self.paired = tuple((call, None) for call, _ in observed.paired)
        self.run_error = find_run_error(observed, pack.cases, pack.entry, time_counts=time_counts)
        stopped_at = self.run_error.place if self.run_error else None
        self.reported = sorted({*reported, *self._timed_places(stopped_at)})
        if stopped_at not in (None, *self.reported):
            self.run_error = None  # a Check does not tell of what happens in hidden cases
            self.paired = tuple((call, got) for call, got in self.paired if got is not None)
        self.parsed = True
        if self.run_error is not None and observed.load_failure is not None:
            self.run_error = self._with_hint(self.run_error, observed.load_failure)
            self.parsed = observed.parsed and notebook_code(code) is None
        self.results = self._results()
        self.findings = self._check_cases()
        self.first = first_finding([*self.findings.values(), self.run_error], pack.cases)
        if self._results_are_right():  # code that is wrong elsewhere is wrong in its pairs too
            in_pairs = check_pairs(pack, self.paired)
            self.findings = {**self.findings, **in_pairs}
            self.first = first_finding(in_pairs.values(), pack.cases) or self.first
        if self.first is None:  # code that is wrong elsewhere may have a property in its own way
            self.findings = self._check_looks()
            self.first = first_finding(self.findings.values(), pack.cases)
        self.naming = Naming()
        if self.first is None or self.too_slow_at is not None:
            self._check_timed_results()
        elif not is_timed(self.first.place, pack.cases):
            self.naming = name_results(self.results, self.findings, self.first)
        beside = self.naming.beside
        if beside is not None:
            self.first = beside
            if beside.place is not None and beside is not self.run_error:
                self.findings = {**self.findings, beside.place: beside}

    def report(self) -> Report:
        """Report everything but what the run itself knows: seconds and standard output."""
        results = {place: self.result(place) for place in self.reported}
        first = self.first
        smallest = results.get(first.place) if first and first.place is not None else None
        failed = first.finding.stage if first else None
        return Report(
            verdict=self._verdict(),
            first_fault=self._first_fault(),
            known_mistake=self.naming.first,
            second_mistake=self.naming.second,
            smallest_failing=smallest,
            cases=tuple(results.values()),
            cases_passed=sum(result.passed for result in results.values()),
            cases_total=len(results),
            traceback=clean(first.traceback, MAX_TRACEBACK) if first else "",
            limit=self._limit(),
            properties=tuple(map(self._told, self._properties())),
            speed=self._speed(failed),
            picture=self._picture(),
            headline=self._headline(first),
            parsed=self.parsed,
        )

    def _properties(self) -> tuple[Property, ...]:
        return property_report(self.pack, self.got, self.reported, self.findings)

    def _told(self, line: Property) -> Property:
        """Return a line of the property card without what a late result measured."""
        place = next(at for at in self.reported if self.pack.cases[at].label == line.case)
        is_first = self.first is not None and place == self.first.place and not self.is_muted
        if is_first or not (self.submitted and is_late_case(self.pack.cases, place)):
            return line
        return replace(line, measured=property_messages.HIDDEN[line.holds])

    @property
    def too_slow_at(self) -> int | None:
        """The place of the call that is too slow, when nothing else is wrong."""
        too_slow = self.first is not None and self.first.finding.stage is Stage.TIME
        return self.first.place if self.first and too_slow else None

    def _timed_places(self, stopped_at: int | None) -> list[int]:
        """Return the timed cases where time counts: the one judged, the one that broke off."""
        places = [] if self.timed is None else [self.timed.place]
        if stopped_at is not None and is_timed(stopped_at, self.pack.cases):
            places.append(stopped_at)
        return places

    def _results(self) -> Results:
        """Return what names are given on; a Check needs no evidence that the code computes."""
        evident = not self.submitted or any(map(self.pack.is_evidence, self.reported))
        return Results(self.pack, self.got, self.paired, self.reported, self.run_error, evident)

    def _check_cases(self) -> dict[int, LocatedFinding]:
        findings = {}
        for place in self.reported:
            got = self.got[place]
            if got is None:
                continue
            timed = is_timed(place, self.pack.cases)
            finding = None if timed else self.results.check(self.pack.expected[place], place)
            if finding is None and self.timed is not None and place == self.timed.place:
                finding = check_time(self.timed, self.pack.entry)
            if finding is not None:
                traceback = got.failure.traceback if got.failure else ""
                limit = Ending.MEMORY_LIMIT if finding.stage is Stage.LIMIT else None
                located = LocatedFinding(finding, place, limit, traceback)
                findings[place] = self._with_hint(located, got.failure)
        return findings

    def _results_are_right(self) -> bool:
        """Say whether nothing is wrong with the cases but what a module leaves behind on a move.

        That changes no number here, and a result that is wrong in a pair says more.
        """
        keys = {located.finding.key for located in self.findings.values()}
        return self.run_error is None and keys <= {MOVES}

    def _check_timed_results(self) -> None:
        """Report a wrong result of a call that was timed, where nothing else is wrong but time."""
        if self._wrong_timed_result is not None and self.run_error is None:
            place, finding = self._wrong_timed_result
            self.reported = sorted({*self.reported, place})
            self.first = LocatedFinding(finding, place)
            self.findings = {**self.findings, place: self.first}

    @cached_property
    def _wrong_timed_result(self) -> tuple[int, Finding] | None:
        return first_wrong_result(self.pack, self.got)

    def _speed(self, failed: Stage | None) -> Speed | None:
        """Return the card of the timed call, where its result is right and those before it are."""
        speed = timing_report(self.pack, self._largest_timed, failed, self.got)
        return None if speed is None or self._wrong_timed_result is not None else speed

    def _with_hint(self, located: LocatedFinding, failure: Failure | None) -> LocatedFinding:
        """Return the same with what helps, where code stopped by one of the common accidents."""
        if failure is None or failure.stage not in HINTED or failure.exit:
            return located
        arrays = located.place is not None and has_arrays(self.pack.cases[located.place])
        library = self.pack.entry.library
        hint = hint_for(failure, self.code, library=library, takes_arrays=arrays)
        message = messages.with_hint(located.finding.message, hint)
        brief = brief_for(failure, self.code) or located.finding.brief
        return replace(located, finding=replace(located.finding, message=message, brief=brief))

    @property
    def may_shrink(self) -> bool:
        """Whether a smaller input that fails at the same stage has the same fault.

        Not where the convention of the code alone fails there: all smaller inputs would.
        """
        first = self.first
        if first is None or first.place is None or self.run_error is not None:
            return False
        if self.too_slow_at is not None or self.depends_on_calls:
            return False
        return not first.convention or first.finding.stage not in self.naming.own_stages

    @property
    def result_fault(self) -> LocatedFinding | None:
        """The first wrong result, whose case is to be called alone; None where no result is wrong.

        Of code with another convention it is the fault beside that, for by the reference every
        result is wrong. None of code that broke off: what it gave until then is not judged.
        """
        if self.run_error is not None:
            return None
        by_convention = self.first is not None and self.first.convention
        findings = [self.first] if by_convention and self.first else self.findings.values()
        return find_result_fault(self.pack, findings)

    def compare_alone(self, fault: LocatedFinding, alone: Observation) -> Alone:
        """Say what it shows that this is what a wrong result's case gives as the only call."""
        assert fault.place is not None
        _, first = self._sides(fault)
        expected = self._pack_of(fault).expected[fault.place]
        if check_result(self.pack, fault.place, expected, alone) is None:
            return Alone.RIGHT
        if fault is not self.first or self.naming.mistakes:
            return Alone.SAME
        other = first is not None and not is_repeated(self.pack, first, alone)
        return Alone.OTHER if other else Alone.SAME

    def is_wrong_in(self, observed: Observed, fault: LocatedFinding) -> bool:
        """Say whether another run gave a wrong result in the same call."""
        assert fault.place is not None
        pack = self._pack_of(fault)
        if fault.call is None:
            expected, got = pack.expected[fault.place], observed.observations[fault.place]
        else:
            call, got = observed.paired[fault.call]
            expected = pack.expected_of(call)
        return got is None or check_result(pack, fault.place, expected, got) is not None

    def tell_alone(self, fault: LocatedFinding, alone: Alone) -> None:
        """Take in what the call of a wrong result shows in a process of its own."""
        assert fault.place is not None
        if alone is Alone.RIGHT:
            message = self._right_alone(fault, fault.finding.message)
            conventions = self.naming.mistakes if fault.convention else ()
            slug = OVERWRITTEN_RESULT if self._looks_back(fault) else KEPT_BETWEEN_CALLS
            kept = (BUILT_IN_MISTAKES[slug], *conventions)
            self.naming = Naming(kept, is_least=bool(conventions))
            self.before = self._call_before(fault)
        elif alone is Alone.OTHER:
            message = messages.other_each_time(fault.finding.message)
        else:
            return
        self.first = replace(fault, finding=replace(fault.finding, message=message))
        self.findings[fault.place] = self.first
        self.depends_on_calls = True

    @property
    def late_first(self) -> LocatedFinding | None:
        """The first fault, where its result came after hidden cases did; None for another one.

        Of a run that broke off, and of a time, there is nothing that the code could have written.
        """
        first = self.first
        if first is None or first is self.run_error or self.too_slow_at is not None:
            return None
        return first if self.submitted and is_late(self.pack, first) else None

    def mute(self, first: LocatedFinding, alone: Alone) -> None:
        """Tell of the first fault the stage alone."""
        assert first.place is not None
        stage, (_, got) = first.finding.stage, self._sides(first)
        raised = got is not None and got.failure is not None  # its texts are gone already
        words = first.finding.message if raised else headlines.words_of(stage)
        brief = first.finding.brief if raised else ""
        if alone is Alone.RIGHT:
            message = self._right_alone(first, words)
        else:
            message = messages.only_after_others(words)
        self.first = replace(first, finding=Finding(stage, message, brief=brief), traceback="")
        self.findings[first.place] = self.first
        self.is_muted = True

    def find_call_before(self, fault: LocatedFinding) -> CallBefore | None:
        """Return what was called before a wrong result; None where that was the first call."""
        return call_before(self._pack_of(fault), self.paired, fault)

    def _call_before(self, fault: LocatedFinding) -> str:
        """Return the call before a wrong result's; a Check does not tell it of a hidden case."""
        before = self.find_call_before(fault)
        if before is None or not (self.submitted or self.pack.cases[before.place].shown):
            return ""
        called = call_text(self.pack.entry, self.pack.cases[before.place])
        if fault.place is not None and self._looks_back(fault):
            kept = call_text(self.pack.entry, self.pack.cases[fault.place])
            return messages.calls_that_overwrite(kept, called)
        if fault.call is not None and self.paired[fault.call][0].refilled:
            return messages.call_before_refilling(called)
        return called if before.in_pair else messages.call_just_before(called)

    def _right_alone(self, fault: LocatedFinding, words: str) -> str:
        """Say these words of a result that is right in a process of its own."""
        if self._looks_back(fault):
            return messages.changed_later(words)
        refilled = fault.call is not None and self.paired[fault.call][0].refilled
        return messages.right_alone(words, refilled=refilled)

    def _looks_back(self, fault: LocatedFinding) -> bool:
        """Say whether a result was right when it was returned, and wrong after another call."""
        return fault.call is not None and self.paired[fault.call][0].looks_back

    def _is_proved(self) -> bool:
        """Say whether every result to be compared was; raises AuthorError without evidence."""
        if not self.results.has_evidence:
            raise AuthorError("cases.py", 1, NO_EVIDENCE)
        seen = [results_of(got) for place in self.reported if (got := self._compared(place))]
        return all(leaf.values is not None for leaves in seen for leaf in leaves.values())

    def _compared(self, place: int) -> Observation | None:
        return self.got[place] if self.pack.compares_values(place) else None

    def _check_looks(self) -> dict[int, LocatedFinding]:
        findings = {}
        for place in self.reported:
            got = self.got[place]
            if got is None or got.failure is not None:
                continue
            finding = check_looks(self.pack.expected[place], got, self.pack.entry)
            if finding is not None:
                findings[place] = LocatedFinding(finding, place)
        return findings

    def _verdict(self) -> Verdict:
        if self.first is None:
            complete = all(self.got[place] is not None for place in self.reported)
            complete = complete and all(got is not None for _, got in self.paired)
            proved = complete and self.reported and self._is_proved()
            return Verdict.CORRECT if proved else Verdict.COULD_NOT_RUN
        named = self.naming.verdict
        if named is None or not is_timed(self.first.place, self.pack.cases):
            if self.first.finding.stage is Stage.LIMIT:
                return Verdict.LIMIT_REACHED
            if self._broke_off() or not self._returned():
                return Verdict.COULD_NOT_RUN
        if named is None:
            too_slow = self.first.finding.stage is Stage.TIME
            return Verdict.LIMIT_REACHED if too_slow else Verdict.WRONG
        conventional = named.kind == "convention"
        return Verdict.CORRECT_OTHER_CONVENTION if conventional else Verdict.KNOWN_MISTAKE

    def _broke_off(self) -> bool:
        """Say whether the code broke off otherwise than at a limit.

        Where time is taken, that is reported only when nothing else is wrong.
        """
        if self.run_error is None or self.run_error.limit is not None:
            return False
        return self.first is self.run_error or not is_timed(self.run_error.place, self.pack.cases)

    def _returned(self) -> bool:
        """Say whether any of the graded cases came to its end."""
        seen = zip(self.got, self.pack.cases, strict=True)
        return any(got and got.failure is None for got, case in seen if case.graded)

    def with_smaller(self, report: Report, smaller: ReportBuilder, found: LocatedFinding) -> Report:
        """Return the report by a smaller input: sentence, headline and example are of this one.

        `smaller` is of the run in which it was found.
        """
        assert found.place is not None
        assert report.first_fault is not None
        return replace(
            report,
            first_fault=self._reported(found, smaller.pack.cases[found.place].label),
            smallest_failing=smaller.result(found.place),
            shrunk=True,
            found_in=report.first_fault.case or "",
            traceback=clean(found.traceback, MAX_TRACEBACK),
            headline=self._headline(found) or report.headline,
        )

    def _headline(self, located: LocatedFinding | None) -> str:
        """Say what is wrong, in a few words; nothing where the verdict says as much itself."""
        if located is None:
            return ""
        broke_off = located.finding.stage is Stage.LIMIT or located is self.run_error
        least = self.naming.mistakes if self.naming.is_least and not broke_off else ()
        kinds = [mistake.kind for mistake in least]
        if "mistake" in kinds or len(kinds) == 2:
            return headlines.headline_of_part(kinds.count("convention"), kinds.count("mistake"))
        stage, is_part = located.finding.stage, self.naming.is_part
        if self.naming.verdict is not None or (stage is Stage.LIMIT and not is_part):
            return ""
        return headlines.headline(located.finding.brief, stage, other_convention=is_part)

    def _first_fault(self) -> ReportedFinding | None:
        if self.first is None:
            return None
        place = self.first.place
        return self._reported(self.first, None if place is None else self.pack.cases[place].label)

    def _reported(self, located: LocatedFinding, label: str | None) -> ReportedFinding:
        message = messages.sentence(located.finding.message)
        if not self.naming.mistakes and located.finding.stage is Stage.VALUES:
            message += layout_note(self.pack, self.got)
        return ReportedFinding(located.finding.stage, label, message)

    def _limit(self) -> str | None:
        if self.too_slow_at is not None:
            return SPEED_LIMIT
        located = [self.run_error, *self.findings.values()]
        return next((str(item.limit) for item in located if item and item.limit), None)

    def result(self, place: int) -> CaseResult:
        """Return the result of a case; a hidden one that passed has a label and nothing else."""
        case, got = self.pack.cases[place], self.got[place]
        located = self.findings.get(place)
        if located is None and self.run_error is not None and self.run_error.place == place:
            located = self.run_error
        if located is None and got is not None:
            call = call_text(self.pack.entry, case) if case.shown else ""
            return CaseResult(case.label, case.shown, passed=True, call=call)
        if located is None:
            not_reached = messages.NOT_REACHED
            return CaseResult(case.label, case.shown, passed=False, message=not_reached)
        return self._failed_result(place, located)

    def _failed_result(self, place: int, located: LocatedFinding) -> CaseResult:
        case, finding = self.pack.cases[place], located.finding
        if self.submitted and located is not self.first and is_late(self.pack, located):
            words = messages.sentence(headlines.words_of(finding.stage))
            return CaseResult(case.label, case.shown, False, words, stage=finding.stage)
        expected, got = self._sides(located)
        result = CaseResult(
            case.label,
            case.shown,
            passed=False,
            message=messages.sentence(finding.message),
            tolerance_text=self._tolerance_text(finding),
            stage=finding.stage,
            max_error=_finite(finding.difference.max_error) if finding.difference else None,
            worst_index=finding.difference.worst if finding.difference else None,
        )
        if not (case.shown or located is self.first):
            return result
        call = call_text(self.pack.entry, case)
        if located is self.first:
            result = replace(result, before=self.before)
            call = messages.KEPT_RESULT if self.before and self._looks_back(located) else call
        if got is None or self.is_muted or located is self.run_error:
            return replace(result, call=call)
        tolerance = finding.tolerance or self.pack.entry.tolerance
        texts = observation_texts(expected, got, finding, tolerance)
        return replace(result, call=call, expected_text=texts[0], got_text=texts[1])

    def _sides(self, located: LocatedFinding) -> tuple[Observation, Observation | None]:
        """Return what was expected of the call in which this was found, and what it gave."""
        assert located.place is not None
        pack = self._pack_of(located)
        if located.call is None:
            return pack.expected[located.place], self.got[located.place]
        call, got = self.paired[located.call]
        return pack.expected_of(call), got

    def _pack_of(self, located: LocatedFinding) -> CasePack:
        """Return the pack with what each case is to give: by the reference, or by a convention."""
        return self.pack.by_convention(located.convention) or self.pack

    def _tolerance_text(self, finding: Finding) -> str:
        """Describe the tolerance if one decides: none says whether a number is finite."""
        judged = finding.difference is not None and finding.stage is not Stage.FINITE
        tolerance = finding.tolerance or self.pack.entry.tolerance
        return messages.describe_tolerance(tolerance) if judged else ""

    def _picture(self) -> Picture | None:
        first = self.first
        if first is None or first.place is None or first.finding.key is None:
            return None
        expected, got = self._sides(first)
        if got is None or self.is_muted or first.finding.stage not in PICTURED:
            return None
        wanted = expected.leaves[first.finding.key].values
        given = got.leaves[first.finding.key].values
        if wanted is None or given is None or wanted.ndim == 0:
            return None
        return crop_around_worst(wanted, given)


def _finite(number: float) -> float | None:
    return number if number < float("inf") else None  # JSON has no infinity
