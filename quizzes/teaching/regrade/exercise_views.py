"""The page on which submissions are graded by a newer version of their exercise."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from quizzes.assessment.regrades.services import MAX_NOTE
from quizzes.content_files.characters import describe_refused
from quizzes.courses.models import Course
from quizzes.exercises.code_regrades import (
    CodeRegradeRefusedError,
    apply_trials,
    begin,
    cancel,
    older_submissions,
    summary_of,
    undo_trials,
)
from quizzes.exercises.models import CodeRegrade, Exercise
from quizzes.exercises.services import grading_state
from quizzes.teaching.access import editor_of, for_editors
from quizzes.teaching.addresses import address_in

State = CodeRegrade.State
UNDER_WAY = {State.TRYING, State.APPLYING, State.UNDOING}


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@for_editors
def exercise(request: HttpRequest, course: Course, slug: str) -> HttpResponse:
    """Show how far a regrade of code is and what it would change; POST begins it or goes on."""
    rows = Exercise.objects.select_related("current", "course")
    rows = rows.defer("current__files", "current__outline", "current__proof")
    found = get_object_or_404(rows, course=course, slug=slug, current__isnull=False)
    if request.method == "POST":
        try:
            _do(request, found)
        except CodeRegradeRefusedError as error:
            messages.error(request, f"Not done. {error}")
        return redirect(address_in(course, "regrade_exercise", slug))
    made = list(
        found.code_regrades.select_related("to_version", "by", "undone_by", "exercise").defer(
            "to_version__files", "to_version__proof", "to_version__outline"
        )
    )
    current = next((one for one in made if one.state in UNDER_WAY), None)
    context = {
        "exercise": found,
        "version": found.current,
        "older": older_submissions(found).count(),
        "under_way": current,
        "summary": summary_of(current) if current else None,
        "grading": grading_state(),
        "done": [
            {"regrade": one, "count": one.trials.filter(applied_at__isnull=False).count()}
            for one in made
            if one.state in {State.APPLIED, State.UNDONE}
        ],
    }
    return render(request, "teaching/regrade/exercise.html", context)


def _do(request: HttpRequest, found: Exercise) -> None:
    """Do what the pressed button says. Raises CodeRegradeRefusedError."""
    by, button = editor_of(request), request.POST.get("do", "")
    if button == "begin":
        made = begin(found, by=by)
        count = made.trials.count()
        messages.success(request, f"{count} submission{_s(count)} will be graded beside.")
        return
    number = request.POST.get("number", "")
    is_key = number.isascii() and number.isdigit() and len(number) < 10
    known = found.code_regrades.select_related("exercise__course", "to_version")
    made_before = known.filter(pk=int(number)).first() if is_key else None
    if made_before is None:
        raise CodeRegradeRefusedError(f"There is no regrade {number!r:.40} of this exercise.")
    if button == "cancel":
        if not cancel(made_before, by=by):
            raise CodeRegradeRefusedError("It is not under way any more.")
        messages.success(request, "Cancelled: nothing was changed.")
    elif button == "apply":
        _apply(request, made_before)
    elif button == "undo":
        count = undo_trials(made_before, by=by)
        messages.success(request, f"Undone: {count} submission{_s(count)} as before.")
    else:
        raise CodeRegradeRefusedError(f"{button!r:.40} is none of begin, cancel, apply, undo.")


def _apply(request: HttpRequest, made: CodeRegrade) -> None:
    note = request.POST.get("note", "")[:MAX_NOTE]
    if wrong := describe_refused(note):
        raise CodeRegradeRefusedError(f"The note {wrong}.")
    count = apply_trials(
        made, by=editor_of(request), note=note, nobody_loses="nobody_loses" in request.POST
    )
    messages.success(request, f"Done: {count} submission{_s(count)} graded anew.")


def _s(count: int) -> str:
    return "" if count == 1 else "s"
