"""What the verdict's templates are given: how the wait goes, or everything the report says."""

from typing import Any
from uuid import UUID, uuid4

from django.urls import reverse
from django.utils import timezone

from quizzes.exercises.autograder import autograder_report
from quizzes.exercises.drawing import Layer, layers_of
from quizzes.exercises.lanes import QUICK_SECONDS
from quizzes.exercises.models import CasePicture, Submission
from quizzes.exercises.services import grading_state, place_in_queue
from quizzes.grader.errors import DefinitionError
from quizzes.grader.report import Report, Rung, Verdict

ASK_AFTER_MS = (150, 300, 600, 1000, 2000)
ASK_WHEN_OFF_MS = 5000
PROPERTY_RUNGS = {Rung.SIDE_EFFECTS, Rung.PROPERTIES, Rung.GRADIENTS}
UNREADABLE = "The report of this submission cannot be read any more. It can be graded anew."
BAR_PX = 220  # as the templates draw it
TONES = {
    Verdict.CORRECT: "good",
    Verdict.NOT_GRADED: "",
    Verdict.CORRECT_OTHER_CONVENTION: "warn",
}


def new_key() -> UUID:
    """Return what tells a new form from one that is sent twice."""
    return uuid4()


def verdict_context(submission: Submission, *, asked: int) -> dict[str, Any]:
    """Return what the verdict's fragment shows: the report, or how the wait goes."""
    facts: dict[str, Any] = {
        "submission": submission,
        "slug": submission.exercise_version.exercise.slug,
        "title": submission.exercise_version.title,
        "key": new_key(),
        "asked": asked,
    }
    if submission.graded_at is None:
        return facts | _wait(submission, asked)
    return facts | _found(submission)


def _wait(submission: Submission, asked: int) -> dict[str, Any]:
    grading = grading_state()
    delay = ASK_AFTER_MS[min(asked, len(ASK_AFTER_MS) - 1)]
    return {
        "grading": grading,
        "verifying": submission.exercise_version.verification == "waiting",
        "being_graded": submission.leased_until is not None
        and submission.leased_until > timezone.now(),
        "before": place_in_queue(submission=submission),
        "quick_seconds": QUICK_SECONDS,
        "ask_again": asked + 1,
        "ask_after_ms": delay if grading.on else ASK_WHEN_OFF_MS,
    }


def _found(submission: Submission) -> dict[str, Any]:
    verdict = Verdict(submission.verdict)
    report = submission.verdict_report
    mistake = report.known_mistake if report else None
    return {
        "verdict": verdict,
        "tone": TONES.get(verdict, "bad"),
        "report": report,
        "step_address": step_address(mistake.step if mistake else None),
        "layers": _layers(submission),
        **(_cards(report) if report else {}),
        "solved": verdict.solves and submission.kind == Submission.Kind.SUBMIT,
        "lesson_address": step_address(submission.exercise_version.step),
    }


def _cards(report: Report) -> dict[str, Any]:
    """Return how the cards stand: properties open where they decided, bars of times in px."""
    rung = report.first_fault.rung if report.first_fault else None
    facts: dict[str, Any] = {
        "properties_held": sum(item.holds for item in report.properties),
        "properties_open": rung in PROPERTY_RUNGS,
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


def _layers(submission: Submission) -> tuple[Layer, ...]:
    arrays = arrays_of(submission)
    if not arrays:
        return ()
    try:
        returns = submission.exercise_version.definition.returns
    except DefinitionError:
        returns = ""  # an old version: its pictures can be read without
    return layers_of(arrays, returns=returns)


def step_address(step: str | None) -> str:
    """Return where a lesson step named "lesson/step" is read, "" for none."""
    if not step:
        return ""
    lesson, _, name = step.partition("/")
    return reverse("lessons:step", kwargs={"lesson": lesson, "step": name})
