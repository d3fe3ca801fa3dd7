"""X-rays as rows: Runs that name a version, and a shown case of it or a call.

A green line says that a right solution has a value as well. So it is drawn only where that may be
known (`may_compare`): never while work of a class hides the solution, and for a call that is typed
only where the solution itself may be seen. That is looked at twice, when the row is stored and when
it is read.
"""

from typing import Any
from uuid import UUID

from django.core.exceptions import ValidationError
from django.http import Http404, HttpRequest

from quizzes.content_files.typed_text import MAX_KEY
from quizzes.exercises.models import CodeRun, Exercise, ExerciseVersion, Submission
from quizzes.exercises.runs.rows import runs_reader
from quizzes.exercises.services import (
    ExerciseClosed,
    form_row_key,
    normalise_code,
    store_in_queue,
)
from quizzes.exercises.solution import may_compare
from quizzes.grader.programs import XRay
from quizzes.learners.models import Learner


class NoCaseError(Exception):
    """Neither a call nor a shown case to run the code on; `str()` says what to do."""


def submit_xray(
    *,
    exercise: Exercise,
    learner: Learner,
    code: str,
    call: str = "",
    case: int | None = None,
    form_key: UUID | None = None,
) -> Submission:
    """Store code that waits to be looked into, on the shown case of that number or on the call.

    Raises as `submit_code`, and NoCaseError.
    """
    version = exercise.current
    if version is None or version.verification != ExerciseVersion.Verification.OK:
        raise ExerciseClosed(exercise.slug)
    code = normalise_code(code)
    if not code.strip():
        raise ValidationError({"code": "There is no code here yet. Write some first."})
    if case is not None and case >= len(shown_calls(version)):
        raise NoCaseError("This exercise has no such case. Reload the page.")
    if case is None and not call.strip():
        raise NoCaseError("Type a call, or choose a case.")
    call = call if case is None else ""
    row = Submission(
        learner=learner,
        kind=Submission.Kind.RUN,
        key=form_row_key(form_key, f"xray\n{case}\n{call}\n{code}"),
        code=code,
    )

    def store_call(stored: Submission) -> None:
        stored.run = CodeRun.objects.create(
            submission=stored,
            call=call,
            looks_into=version,
            shown_case=case,
            compares=may_compare(exercise=exercise, learner=learner, is_typed=case is None),
        )

    return store_in_queue(row, exercise=None, store_also=store_call)


def shown_calls(version: ExerciseVersion) -> list[str]:
    """Return the calls of the cases that a learner sees, as the page of the exercise has them."""
    outline: Any = version.outline
    return list(outline.get("shown", [])) if isinstance(outline, dict) else []


def own_xray(request: HttpRequest, exercise: Exercise, number: int) -> Submission:
    """Return an X-ray of this learner's code; Http404 for anybody else's. One query."""
    learner = runs_reader(request)
    if learner is not None:
        rows = Submission.objects.filter(kind=Submission.Kind.RUN, learner=learner)
        rows = rows.filter(run__looks_into__exercise=exercise, pk=min(number, MAX_KEY))
        row = rows.select_related("run", "learner").first()
        if row is not None:
            return row
    raise Http404(f"X-ray {number} is not yours, or was deleted")


def result_of(row: Submission) -> XRay | None:
    """Return what came of it; None for one that waits, failed on our side or is damaged."""
    try:
        return XRay.from_json(row.run.outcome)
    except ValueError:
        return None
