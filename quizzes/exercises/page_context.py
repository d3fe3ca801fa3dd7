"""What the templates are given: plain facts, worked out here so that they only place them."""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any
from uuid import UUID, uuid4

from django.forms import BaseForm
from django.http import Http404, HttpRequest

from quizzes.content_files.typed_text import read_whole_number
from quizzes.courses.addresses import picture_address, step_address
from quizzes.exercises.autograder import autograder_report
from quizzes.exercises.clean_offer import clean_offer, offer_for
from quizzes.exercises.counterexamples.card import card_after
from quizzes.exercises.drafts import drafts_of, owner_mark
from quizzes.exercises.failure_picture import Layer, layers_of
from quizzes.exercises.forms import CodeForm
from quizzes.exercises.marked_difference import MarkedSides, mark_difference
from quizzes.exercises.models import CasePicture, Draft, Exercise, Submission
from quizzes.exercises.queue.lanes import QUICK_SECONDS
from quizzes.exercises.runs.rows import call_to_start_from, own_run, wait_facts
from quizzes.exercises.runs.samples import own_sample
from quizzes.exercises.services import grading_state, visible_submission
from quizzes.exercises.solution import beside_yours, newest_graded, solution_state
from quizzes.exercises.statement_clauses import quote_of, statement_of
from quizzes.exercises.submission_history import (
    LARGE,
    NO_TRIES,
    Tries,
    comparison,
    number_of,
    recent_tries,
    tries_of,
    tries_until,
)
from quizzes.grader.api import DefinitionError, Stage, Verdict
from quizzes.grader.judge import ALWAYS_ALLOWED, Report
from quizzes.learners.models import Progress
from quizzes.learners.services import current_learner
from quizzes.pages.course_links import with_course_links
from quizzes.pages.markdown import LineLinks, highlight_code, render_markdown

DONE, NEEDS_WORK = Progress.State.DONE.value, Progress.State.NEEDS_WORK.value
RUN, FIGURE = "run-", "figure-"  # before its number in an address
DRAFT_INSTEAD = "That Run is no longer here. This is your draft."
STARTER_INSTEAD = "That Run is no longer here. This is the starter code."
CLOSED = "This exercise cannot accept code right now because its verification failed."


@dataclass(frozen=True)
class Card:
    """One exercise in a list. `state`: one of `Progress.State`, or ""."""

    slug: str
    title: str
    state: str
    address: str
    has_draft: bool = False

    @property
    def is_solved(self) -> bool:
        return self.state == DONE

    @property
    def is_begun(self) -> bool:
        """Whether there is something to go on with: a try or a draft, and no solution."""
        return not self.is_solved and (self.state == NEEDS_WORK or self.has_draft)

    @property
    def state_label(self) -> str:
        words = {DONE: "Solved", NEEDS_WORK: "Tried, not solved yet"}
        return words.get(self.state, "Begun" if self.has_draft else "Not tried yet")

    @property
    def verb(self) -> str:
        first = "Continue" if self.has_draft else "Write the code"
        return {DONE: "Open it again", NEEDS_WORK: "Try again"}.get(self.state, first)

    @property
    def tone(self) -> str:
        return {DONE: "good", NEEDS_WORK: "warn"}.get(self.state, "")


def card_of(exercise: Exercise, state: str, *, has_draft: bool = False) -> Card:
    """Return the card of an exercise that has a current version."""
    assert exercise.current is not None
    address = exercise.get_absolute_url()
    return Card(exercise.slug, exercise.current.title, state, address, has_draft)


def first_error(form: BaseForm) -> str:
    """Return the first sentence of what is wrong with a form."""
    return next(str(message) for messages in form.errors.values() for message in messages)


def poll_count(request: HttpRequest) -> int:
    """Count how often the page has already asked for this verdict."""
    return read_whole_number(request.GET.get("asked", "")) or 0


@dataclass(frozen=True)
class Start:
    """What the form starts from. `came_from`: what the address names; `note`: of a deleted Run."""

    code: str
    call: str
    came_from: str = ""
    note: str = ""


def _start_from(request: HttpRequest, exercise: Exercise, drafts: list[Draft]) -> Start:
    """Return the code of the submission or Run that `from` names, else draft, else starter.

    A Run is deleted after an hour, which the page may be open for: then the draft is there.
    """
    assert exercise.current is not None
    call, start = call_to_start_from(exercise.current), request.GET.get("from", "")
    number = read_whole_number(start.removeprefix(RUN))
    note = ""
    figure_run = read_whole_number(start.removeprefix(FIGURE))
    if start.startswith(FIGURE) and figure_run is not None:
        try:
            return Start(own_sample(request, figure_run, exercise).code, call, start)
        except Http404:
            start, note = "", DRAFT_INSTEAD if drafts else STARTER_INSTEAD
    elif start.startswith(RUN) and number is not None:
        try:
            row = own_run(request, number, or_xray=True)
            is_of_case = row.run.shown_case is not None  # which has no call of its own
            return Start(row.code, call if is_of_case else row.run.call, start)
        except Http404:
            start, note = "", DRAFT_INSTEAD if drafts else STARTER_INSTEAD
    elif number is not None:
        row = visible_submission(request, exercise.course, exercise.slug, number)
        return Start(row.code, call, start)
    if drafts and start != "starter":
        return Start(drafts[0].code, call, start, note)
    return Start(exercise.current.definition.starter, call, start, note)


def exercise_page(
    request: HttpRequest, exercise: Exercise, form: CodeForm | None
) -> dict[str, Any]:
    """Return everything `exercise.html` shows; `form` is one that was refused, else None."""
    version = exercise.current
    assert version is not None
    learner = current_learner(request)
    drafts = drafts_of(learner=learner, exercise=exercise)
    history, tries = recent_tries(exercise=exercise, learner=learner)
    cleaned, came_from, start_note = None, request.GET.get("from", ""), ""
    if form is None:
        start = _start_from(request, exercise, drafts)
        code, came_from, start_note = start.code, start.came_from, start.note
        if came_from and "clean" in request.GET:
            cleaned = offer_for(code)
            code = cleaned.code if cleaned else code
        form = CodeForm(initial={"code": code, "call": start.call, "key": new_key()})
    return {
        "exercise": exercise,
        "version": version,
        "definition": version.definition,
        "statement": with_course_links(statement_of(version), exercise.course.slug),
        "step_address": step_address(exercise.course.slug, version.definition.step),
        "outline": version.outline,
        "grading": grading_state(),
        "form": form,
        "came_from": came_from,
        "start_note": start_note,
        "cleaned": cleaned,
        "starter": version.definition.starter,
        "quick_seconds": QUICK_SECONDS,
        "always_allowed": ALWAYS_ALLOWED,
        "drafts": drafts,
        "draft_owner": owner_mark(learner=learner, account=request.user.pk),
        "history": history,
        "solution": solution_state(exercise=exercise, learner=learner, tries=tries),
    }


def submission_page(
    request: HttpRequest, submission: Submission, links: LineLinks | None = None
) -> dict[str, Any]:
    """Return the context of `submission.html`; `links` are on the numbers of the code's lines."""
    earlier = submission.previous_verdicts.select_related("exercise_version")
    if not submission.may_be_graded_again:
        earlier = earlier.none()
    learner = current_learner(request)
    facts: dict[str, Any] = {
        "is_own": learner is not None and learner.pk == submission.learner_id,
        "code_html": highlight_code(submission.code, "python", numbered=True, links=links),
        "earlier": list(earlier.defer("report", *LARGE)),
        "regrade": newest_regrade(submission),
    }
    facts |= comparison(submission, request.GET.get("against", ""))
    facts |= verdict_context(submission, polls=poll_count(request))
    if facts["is_own"] and facts.get("solved"):
        facts["counterexample"] = card_after(submission, learner, tries=facts["counted_tries"])
    if "number" not in facts:  # while the verdict is awaited
        facts["number"] = number_of(submission)
    return facts


def newest_regrade(submission: Submission) -> dict[str, Any] | None:
    """Return when a newer version of the exercise graded a submission, with the staff's note."""
    if not submission.may_be_regraded:
        return None
    applied = submission.trials.filter(applied_at=submission.graded_at, undone_at=None)
    found = applied.select_related("regrade__to_version").only(
        "applied_at", "regrade__note", "regrade__to_version__number"
    )
    trial = found.last() if submission.graded_at else None
    if trial is None:
        return None
    note = render_markdown(trial.regrade.note)
    return {"at": trial.applied_at, "version": trial.regrade.to_version.number, "note": note}


# ---- one submission with its verdict

PROPERTY_STAGES = {Stage.RAISES, Stage.SIDE_EFFECTS, Stage.PROPERTIES, Stage.GRADIENTS}
UNREADABLE = (
    "The report on this submission can no longer be read. The submission can be graded again."
)
BAR_PX = 220  # as the templates draw it
TONES = {
    Verdict.CORRECT: "good",
    Verdict.NOT_GRADED: "",
    Verdict.CORRECT_OTHER_CONVENTION: "warn",
}


def new_key() -> UUID:
    """Return the key that tells a new form from one that is sent twice."""
    return uuid4()


def verdict_context(submission: Submission, *, polls: int) -> dict[str, Any]:
    """Return the context of the verdict's fragment: the report, or how the wait goes."""
    facts: dict[str, Any] = {
        "submission": submission,
        "exercise": submission.exercise_version.exercise,
        "title": submission.exercise_version.title,
        "key": new_key(),
        "asked": polls,
    }
    if submission.graded_at is None:
        verifying = submission.exercise_version.verification == "waiting"
        return facts | wait_facts(submission, polls=polls) | {"verifying": verifying}
    return facts | _found(submission)


def _found(submission: Submission) -> dict[str, Any]:
    verdict = Verdict(submission.verdict)
    report = submission.verdict_report
    lines = marked_lines(report.traceback) if report else []
    tries = tries_until(submission)
    return {
        "counted_tries": tries,
        "number": tries.number if tries else None,
        "verdict": verdict,
        "headline": (headline := _headline(submission, report, verdict)),
        "word": headline if submission.kind == Submission.Kind.CHECK else verdict.label,
        "hidden_cases": submission.exercise_version.outline.get("hidden", 0),
        "tone": TONES.get(verdict, "bad"),
        "report": report,
        "mistakes": list(_mistakes(submission, report)) if report else [],
        "layers": _layers(submission, report),
        **(_cards(report) if report else {}),
        "sides": _sides(report) if report else None,
        "xray_case": _xray_case(submission, report) if report else None,
        "marks": json.dumps(lines) if report else "",
        "jump": lines[0][0] if lines else 1,
        **_solved_with(report, tries),
        "clean": clean_offer(submission),
        "solved": verdict.solves and submission.kind == Submission.Kind.SUBMIT,
    }


def _headline(submission: Submission, report: Report | None, verdict: Verdict) -> str:
    """Return the verdict in one line; a Check knows nothing of hidden cases, so it says no more."""
    if report is None:
        return verdict.label
    if submission.kind != Submission.Kind.CHECK or verdict is not Verdict.CORRECT:
        return report.headline
    number = report.cases_total
    if not number:
        return report.headline
    return "The shown case passes" if number == 1 else f"All {number} shown cases pass"


def _mistakes(submission: Submission, report: Report) -> Iterator[dict[str, Any]]:
    """Yield each mistake that a report names, with the step that explains it and what it breaks."""
    version = submission.exercise_version
    for mistake in filter(None, (report.known_mistake, report.second_mistake)):
        step = mistake.step or version.step  # a mistake that every exercise knows names none
        yield {
            "mistake": mistake,
            "step_address": step_address(version.exercise.course.slug, step),
            "quote": quote_of(version, mistake.breaks),
        }


def _xray_case(submission: Submission, report: Report) -> int | None:
    """Return the shown case that an X-ray is offered for; of a replaced version it is another."""
    version = submission.exercise_version
    is_current = version.pk == version.exercise.current_id
    return first_failing_shown(report) if is_current else None


def first_failing_shown(report: Report) -> int | None:
    """Return the number from 0, among the shown cases, of that of the first failed check.

    Of the first that failed where that check is of a hidden case, or of none.
    """
    shown = [case for case in report.cases if case.shown]
    failed = [number for number, case in enumerate(shown) if not case.passed]
    named = report.first_fault.case if report.first_fault else None
    return next(
        (number for number in failed if shown[number].label == named), next(iter(failed), None)
    )


def _sides(report: Report) -> MarkedSides | None:
    failing = report.smallest_failing
    return mark_difference(failing.expected_text, failing.got_text) if failing else None


_FRAME = re.compile(r'^ *File "[^"]*", line (\d{1,6})', re.MULTILINE)
_MOST_MARKS = 20


def marked_lines(traceback: str) -> list[tuple[int, str]]:
    """Return the lines that a traceback names, each with a sentence; where it ended first.

    A traceback holds the learner's own lines alone.
    """
    named = [int(line) for line in _FRAME.findall(traceback)]
    lines = list(dict.fromkeys(reversed(named)))[:_MOST_MARKS]
    last = traceback.strip().rpartition("\n")[2]
    raised = not last.startswith(" ")  # without an error's name: stopped by a limit
    words = last[:300] if raised else "Your code was stopped here."
    return [(line, "Called from here." if place else words) for place, line in enumerate(lines)]


def _solved_with(report: Report | None, tries: Tries | None) -> dict[str, str]:
    """Return the one number of a solved exercise: its speed, where it is known, else the tries."""
    if report and report.speed and report.speed.reference_seconds:
        if report.speed.is_as_fast:
            return {"solved_with": "As fast", "solved_label": "as the reference"}
        times = f"{report.speed.ratio:.2g} ×"
        return {"solved_with": times, "solved_label": "the time of the reference"}
    count = tries.readable if tries else 0
    return {"solved_with": str(count), "solved_label": "try" if count == 1 else "tries"}


def _cards(report: Report) -> dict[str, Any]:
    """Return the state of the cards: properties open where they decided, bars of times in px."""
    stage = report.first_fault.stage if report.first_fault else None
    facts: dict[str, Any] = {
        "properties_held": sum(item.holds for item in report.properties),
        "properties_open": stage in PROPERTY_STAGES,
    }
    if report.speed:
        times = {"yours": report.speed.seconds, "reference": report.speed.reference_seconds}
        if report.speed.allowed_seconds:
            times["allowed"] = report.speed.allowed_seconds
        longest = max(times.values()) or 1.0
        widths = {name: max(2, round(BAR_PX * (time / longest))) for name, time in times.items()}
        facts["speed_widths"] = widths
    return facts


def report_as_json(submission: Submission) -> dict[str, Any] | None:
    """Return the report as autograders write it; None before it is graded.

    Of a report that cannot be read, what the row itself knows.
    """
    if submission.graded_at is None:
        return None
    report = submission.verdict_report
    told = autograder_report(
        report or Report(Verdict(submission.verdict)),
        exercise=submission.exercise_version.exercise.slug,
        arrays=arrays_of(submission),
        version=submission.exercise_version.number,
        submission=submission.pk,
        kind=submission.kind,
        submitted_at=submission.submitted_at.isoformat(),
        graded_at=submission.graded_at.isoformat(),
    )
    return told if report else told | {"output": UNREADABLE}


def arrays_of(submission: Submission) -> bytes | None:
    """Return the stored picture of a submission, None when it has none that can be read."""
    stored = CasePicture.objects.filter(submission=submission).first()
    return stored.readable_arrays if stored else None


def _layers(submission: Submission, report: Report | None) -> tuple[tuple[Layer, str], ...]:
    """Return the layers of the picture, each with its address; a report without fault has none."""
    arrays = None if report and report.first_fault is None else arrays_of(submission)
    if not arrays:
        return ()
    try:
        returns = submission.exercise_version.definition.returns
    except DefinitionError:
        returns = ""  # an old version: its pictures can be read without
    exercise = submission.exercise_version.exercise
    own = (exercise.course.slug, exercise.slug, submission.pk)
    layers = layers_of(arrays, returns=returns)
    version = submission.picture_version
    return tuple((layer, picture_address(*own, layer.name, version)) for layer in layers)


def solution_page(request: HttpRequest, exercise: Exercise) -> dict[str, Any]:
    """Return what `solution.html` shows: the reference beside one's own code, or why not yet."""
    learner = current_learner(request)
    yours, tries = newest_graded(exercise=exercise, learner=learner), NO_TRIES
    if yours is not None:
        tries = tries_of(exercise=exercise.pk, learner=yours.learner_id, until=yours.pk)
    state = solution_state(exercise=exercise, learner=learner, tries=tries)
    facts: dict[str, Any] = {"exercise": exercise, "version": exercise.current, "state": state}
    if state.may_be_seen and yours is not None:
        facts |= beside_yours(exercise=exercise, yours=yours, number=tries.number)
    return facts
