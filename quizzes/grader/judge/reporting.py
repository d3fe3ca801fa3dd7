"""An evaluation as a report: the sentences, the table of cases, the picture of a difference."""

from __future__ import annotations

import logging
from dataclasses import replace

from quizzes.grader.judge import headlines, messages, property_messages
from quizzes.grader.judge.diagnosis import layout_note
from quizzes.grader.judge.evaluation import Evaluation, verdict_of
from quizzes.grader.judge.fingerprint import fingerprint
from quizzes.grader.judge.formatting import call_text, observation_texts
from quizzes.grader.judge.late_results import is_late, is_late_case
from quizzes.grader.judge.picture import Picture, crop_around_worst
from quizzes.grader.judge.property_report import property_report
from quizzes.grader.judge.relations.rules import find_relation
from quizzes.grader.judge.report import (
    CaseResult,
    Property,
    Report,
    ReportedFinding,
    Speed,
    Stage,
    Verdict,
)
from quizzes.grader.judge.run_errors import LocatedFinding
from quizzes.grader.judge.stages import Finding
from quizzes.grader.judge.timed_results import first_wrong_result
from quizzes.grader.judge.timing import timing_report
from quizzes.grader.protocol.sanitize import clean

MAX_TRACEBACK = 6_000
SPEED_LIMIT = "speed"  # next to the words of job.Ending
RELATED = (Stage.SHAPE, Stage.FINITE, Stage.VALUES)  # where a relation is looked for
PICTURED = (Stage.VALUES, Stage.FINITE, Stage.GRADIENTS)

logger = logging.getLogger(__name__)


def report_of(evaluation: Evaluation) -> Report:
    """Report everything but what the run itself knows: seconds and standard output."""
    results, first, naming = evaluation.results, evaluation.first, evaluation.naming
    verdict = verdict_of(evaluation)
    is_unnamed = verdict is Verdict.WRONG and not naming.mistakes
    cases = {place: result_of(evaluation, place) for place in results.reported}
    return Report(
        verdict=verdict,
        first_fault=_first_fault(evaluation),
        known_mistake=naming.first,
        second_mistake=naming.second,
        smallest_failing=cases.get(first.place) if first and first.place is not None else None,
        cases=tuple(cases.values()),
        cases_passed=sum(result.passed for result in cases.values()),
        cases_total=len(cases),
        traceback=clean(first.traceback, MAX_TRACEBACK) if first else "",
        limit=_limit(evaluation),
        properties=_properties(evaluation),
        speed=_speed(evaluation),
        picture=_picture(evaluation),
        headline=_headline(evaluation, first),
        parsed=evaluation.parsed,
        fingerprint=fingerprint(results.pack, results.got) if is_unnamed else "",
    )


def with_smaller(
    report: Report, evaluation: Evaluation, smaller: Evaluation, located: LocatedFinding
) -> Report:
    """Return the report by a smaller input: sentence, headline and example are of this one.

    `smaller` evaluates the run in which the finding was located.
    """
    assert located.place is not None
    assert report.first_fault is not None
    label = smaller.results.pack.cases[located.place].label
    return replace(
        report,
        first_fault=_reported(evaluation, located, label),
        smallest_failing=result_of(smaller, located.place),
        shrunk=True,
        found_in=report.first_fault.case or "",
        traceback=clean(located.traceback, MAX_TRACEBACK),
        headline=_headline(evaluation, located) or report.headline,
    )


def _properties(evaluation: Evaluation) -> tuple[Property, ...]:
    """Return the lines of the property card, of a late result without what it measured."""
    results, first = evaluation.results, evaluation.first
    cases = results.pack.cases
    lines = property_report(results.pack, results.got, results.reported, evaluation.findings)

    def shown(line: Property) -> Property:
        place = next(at for at in results.reported if cases[at].label == line.case)
        is_first = first is not None and place == first.place and not evaluation.is_muted
        if is_first or not (evaluation.submitted and is_late_case(cases, place)):
            return line
        return replace(line, measured=property_messages.HIDDEN[line.holds])

    return tuple(map(shown, lines))


def _speed(evaluation: Evaluation) -> Speed | None:
    """Return the card of the timed call, where its result is right and those before it are."""
    results, first = evaluation.results, evaluation.first
    failed = first.finding.stage if first else None
    speed = timing_report(results.pack, evaluation.largest_timed, failed, results.got)
    wrong = speed is not None and first_wrong_result(results.pack, results.got) is not None
    return None if wrong else speed


def _headline(evaluation: Evaluation, located: LocatedFinding | None) -> str:
    """Say what is wrong, in a few words; nothing where the verdict says as much itself."""
    if located is None:
        return ""
    naming, stage = evaluation.naming, located.finding.stage
    if evaluation.is_starter:
        return headlines.headline(headlines.BRIEF_STARTER, stage)
    broke_off = stage is Stage.LIMIT or located is evaluation.results.run_error
    least = naming.mistakes if naming.is_least and not broke_off else ()
    kinds = [mistake.kind for mistake in least]
    if "mistake" in kinds or len(kinds) == 2:
        return headlines.headline_of_part(kinds.count("convention"), kinds.count("mistake"))
    if naming.verdict is not None or (stage is Stage.LIMIT and not naming.is_part):
        return ""
    return headlines.headline(located.finding.brief, stage, other_convention=naming.is_part)


def _first_fault(evaluation: Evaluation) -> ReportedFinding | None:
    first = evaluation.first
    if first is None:
        return None
    cases = evaluation.results.pack.cases
    return _reported(evaluation, first, None if first.place is None else cases[first.place].label)


def _reported(
    evaluation: Evaluation, located: LocatedFinding, label: str | None
) -> ReportedFinding:
    message = messages.sentence(located.finding.message)
    if evaluation.is_starter:
        message = messages.sentence(messages.as_starter(located.finding.message))
    elif not evaluation.naming.mistakes:
        message += _note(evaluation, located.finding.stage)
    return ReportedFinding(located.finding.stage, label, message)


def _note(evaluation: Evaluation, stage: Stage) -> str:
    """Return what wrong results without a name have to do with the expected ones.

    What the scores of turned vectors say comes first: it explains more than a relation.
    """
    results = evaluation.results
    pack, got = results.pack, results.got
    layout = layout_note(pack, got) if stage is Stage.VALUES else ""
    if layout or stage not in RELATED or evaluation.is_muted or evaluation.depends_on_calls:
        return layout
    identifying = (place for place, case in enumerate(pack.cases) if case.identify)
    try:
        relation = find_relation(pack, got, sorted({*results.judged, *identifying}))
    except Exception:  # a failure here must not keep a submission from its verdict
        logger.exception("relation %s", pack.entry.name)
        return ""
    return f" {messages.sentence(relation)}" if relation else ""


def _limit(evaluation: Evaluation) -> str | None:
    if evaluation.too_slow_at is not None:
        return SPEED_LIMIT
    located = [evaluation.results.run_error, *evaluation.findings.values()]
    return next((str(item.limit) for item in located if item and item.limit), None)


def result_of(evaluation: Evaluation, place: int) -> CaseResult:
    """Return the result of a case; a hidden one that passed has a label and nothing else."""
    results = evaluation.results
    case, got, run_error = results.pack.cases[place], results.got[place], results.run_error
    located = evaluation.findings.get(place)
    if located is None and run_error is not None and run_error.place == place:
        located = run_error
    if located is None and got is not None:
        call = call_text(results.pack.entry, case) if case.shown else ""
        return CaseResult(case.label, case.shown, passed=True, call=call)
    if located is None:
        not_reached = messages.NOT_REACHED
        return CaseResult(case.label, case.shown, passed=False, message=not_reached)
    return _failed_result(evaluation, place, located)


def _failed_result(evaluation: Evaluation, place: int, located: LocatedFinding) -> CaseResult:
    pack, finding = evaluation.results.pack, located.finding
    case, is_first = pack.cases[place], located is evaluation.first
    if evaluation.submitted and not is_first and is_late(pack, located):
        words = messages.sentence(headlines.words_of(finding.stage))
        return CaseResult(case.label, case.shown, False, words, stage=finding.stage)
    expected, got = evaluation.sides(located)
    result = CaseResult(
        case.label,
        case.shown,
        passed=False,
        message=messages.sentence(finding.message),
        tolerance_text=_tolerance_text(evaluation, finding),
        stage=finding.stage,
        max_error=_finite(finding.difference.max_error) if finding.difference else None,
        worst_index=finding.difference.worst if finding.difference else None,
    )
    if not (case.shown or is_first):
        return result
    call = call_text(pack.entry, case)
    if is_first:
        result = replace(result, before=evaluation.before)
        overwritten = evaluation.before and evaluation.looks_back(located)
        call = messages.KEPT_RESULT if overwritten else call
    if got is None or evaluation.is_muted or located is evaluation.results.run_error:
        return replace(result, call=call)
    tolerance = finding.tolerance or pack.entry.tolerance
    texts = observation_texts(expected, got, finding, tolerance)
    return replace(result, call=call, expected_text=texts[0], got_text=texts[1])


def _tolerance_text(evaluation: Evaluation, finding: Finding) -> str:
    """Describe the tolerance if one decides: none says whether a number is finite."""
    judged = finding.difference is not None and finding.stage is not Stage.FINITE
    tolerance = finding.tolerance or evaluation.results.pack.entry.tolerance
    return messages.describe_tolerance(tolerance) if judged else ""


def _picture(evaluation: Evaluation) -> Picture | None:
    first = evaluation.first
    if first is None or first.place is None or first.finding.key is None:
        return None
    expected, got = evaluation.sides(first)
    if got is None or evaluation.is_muted or first.finding.stage not in PICTURED:
        return None
    expected_values = expected.leaves[first.finding.key].values
    values = got.leaves[first.finding.key].values
    if expected_values is None or values is None or expected_values.ndim == 0:
        return None
    return crop_around_worst(expected_values, values)


def _finite(number: float) -> float | None:
    return number if number < float("inf") else None  # JSON has no infinity
