"""Runs: a learner's own code, or a listing, run for its own sake. Nothing of it is counted.

A Run is a row of the queue, under the same limits, in the same lanes and with the same lease as a
Check. It names no exercise, only its learner can read it, and it is deleted after an hour.
"""

from typing import Any
from uuid import UUID

from django.core.exceptions import ValidationError
from django.http import Http404, HttpRequest
from django.utils import timezone

from quizzes.content_files.typed_text import MAX_KEY
from quizzes.exercises.models import CodeRun, Exercise, ExerciseVersion, Submission
from quizzes.exercises.models.submission import is_leased
from quizzes.exercises.queue.lanes import QUICK_SECONDS
from quizzes.exercises.services import (
    form_row_key,
    grading_state,
    normalise_code,
    place_in_queue,
    store_in_queue,
)
from quizzes.grader.programs import ProgramRun
from quizzes.learners.models import Learner
from quizzes.learners.services import current_learner

ASK_AFTER_MS = (100, 200, 400, 1000, 2000)
ASK_WHEN_OFF_MS = 5000
LONG_CALL = 120  # characters
NO_CODE = "There is no code here yet. Write some first."


def submit_run(
    *,
    learner: Learner,
    code: str,
    call: str = "",
    form_key: UUID | None = None,
    against: ExerciseVersion | None = None,
    mistake: str = "",
) -> Submission:
    """Store code and a call that wait to be run. Raises TooMany, and ValidationError for no code.

    The same from the same form is one row. `against`: the version whose reference the call is tried
    on as well, where the code is that of its known `mistake`.
    """
    code = normalise_code(code)
    if not code.strip():
        raise ValidationError({"code": NO_CODE})
    run = Submission(
        learner=learner,
        kind=Submission.Kind.RUN,
        key=form_row_key(form_key, f"run\n{mistake}\n{call}\n{code}"),
        code=code,
    )

    def store_call(row: Submission) -> None:
        CodeRun.objects.create(submission=row, call=call, against=against, mistake=mistake)

    return store_in_queue(run, exercise=None, store_also=store_call)


def call_to_start_from(version: ExerciseVersion, *, passing: str = "") -> str:
    """Return the first shown call that can be typed: it is short, with no large array in it.

    With the name of a known mistake, `passing`, one that it gives the right result for; "" where
    there is none.
    """
    outline, proof = version.outline, version.proof
    calls = outline.get("shown", []) if isinstance(outline, dict) else []
    if passing:
        # The outline has the shown cases of the proof in their order.
        cases = [case for case in (proof or {}).get("cases", ()) if case.get("shown")]
        if len(cases) != len(calls):
            return ""
        paired = zip(calls, cases, strict=True)
        calls = [call for call, case in paired if passing in case["passed_by"]]
    return next((call for call in calls if "<" not in call and len(call) <= LONG_CALL), "")


def runs_reader(request: HttpRequest) -> Learner | None:
    """Return the learner whose Runs this request may read.

    None for the staff of a class who view the pages as a student: nobody else reads a Run.
    """
    learner = current_learner(request)
    is_viewed = learner is not None and learner.only_course is not None
    return None if is_viewed else learner


def own_run(
    request: HttpRequest, number: int, *, against: Exercise | None = None, or_xray: bool = False
) -> Submission:
    """Return a Run of this learner, with its outcome; Http404 for anybody else's. One query.

    `against`: the exercise whose wrong program was tried; None for a Run of code, or with `or_xray`
    for an X-ray of it.
    """
    learner = runs_reader(request)
    if learner is not None:
        runs = Submission.objects.filter(kind=Submission.Kind.RUN, learner=learner)
        if against is None:
            runs = runs.filter(run__against=None, run__sample__isnull=True)
            runs = runs if or_xray else runs.filter(run__looks_into=None)
        else:
            runs = runs.filter(run__against__exercise=against, run__sample__isnull=True)
        row = runs.select_related("run", "learner").filter(pk=min(number, MAX_KEY)).first()
        if row is not None:
            return row
    raise Http404(f"run {number} is not yours, or was deleted")


def outcome_of(row: Submission) -> ProgramRun | None:
    """Return what came of a Run; None for one that waits, failed on our side or is damaged."""
    try:
        picture = row.run.picture
        return ProgramRun.from_json(row.run.outcome, bytes(picture) if picture else None)
    except ValueError:
        return None


def wait_facts(row: Submission, *, polls: int) -> dict[str, Any]:
    """Return how the wait goes, and when the page is to ask again, for the `polls`-th time."""
    grading = grading_state()
    delay = ASK_AFTER_MS[min(polls, len(ASK_AFTER_MS) - 1)]
    return {
        "grading": grading,
        "being_graded": is_leased(row.leased_until, timezone.now()),
        "before": place_in_queue(submission=row),
        "quick_seconds": QUICK_SECONDS,
        "ask_again": polls + 1,
        "ask_after_ms": delay if grading.on else ASK_WHEN_OFF_MS,
    }
