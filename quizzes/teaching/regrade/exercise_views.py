"""The page on which submissions are graded by a newer version of their exercise."""

from dataclasses import dataclass
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.http import urlencode
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from quizzes.assessment.regrades.services import MAX_NOTE
from quizzes.classes.access import submissions_seen
from quizzes.classes.models import Cohort, Membership
from quizzes.content_files.characters import describe_refused
from quizzes.content_files.typed_text import read_whole_number
from quizzes.courses.models import Course
from quizzes.exercises.code_regrades.changes import changes_of, summary_of
from quizzes.exercises.code_regrades.services import (
    applied_trials,
    apply_trials,
    decline_trials,
    undo_trials,
)
from quizzes.exercises.code_regrades.trials import (
    CodeRegradeRefusedError,
    CodeScope,
    begin,
    cancel,
    older_submissions,
)
from quizzes.exercises.models import CodeRegrade, Exercise
from quizzes.exercises.services import grading_state
from quizzes.pages.markdown import faults_for_form
from quizzes.teaching.access import COHORT, editor_of
from quizzes.teaching.addresses import address_in
from quizzes.teaching.people.members import members_by_learner
from quizzes.teaching.regrade.access import for_regrading, regraded_classes

State = CodeRegrade.State
UNDER_WAY = {State.TRYING, State.APPLYING, State.UNDOING}
MOST_NAMED = 300  # members in one table


def code_scope_of(cohort: Cohort | None) -> CodeScope:
    """Return what a regrade may touch: all of the course, or what a class shows its staff."""
    return CodeScope() if cohort is None else CodeScope(cohort.slug, submissions_seen(cohort))


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@for_regrading
def exercise(request: HttpRequest, course: Course, slug: str) -> HttpResponse:
    """Show how far a regrade of code is and what it would change; POST begins it or goes on."""
    rows = Exercise.objects.select_related("current", "course")
    rows = rows.defer("current__files", "current__outline", "current__proof")
    found = get_object_or_404(rows, course=course, slug=slug, current__isnull=False)
    cohort = COHORT.get(request)
    address = address_in(course, "regrade_exercise", slug)
    if request.method == "POST":
        try:
            _do(request, found, cohort)
        except CodeRegradeRefusedError as error:
            messages.error(request, f"Not done. {error}")
        return redirect(f"{address}?{urlencode({'class': cohort.slug})}" if cohort else address)
    scope = code_scope_of(cohort)
    made = list(
        found.code_regrades.filter(cohort__in={"", scope.cohort})
        .select_related("to_version", "by", "undone_by", "exercise")
        .defer("to_version__files", "to_version__proof", "to_version__outline")
    )
    current = next((one for one in made if one.state in UNDER_WAY and _is_ours(one, scope)), None)
    context = {
        "exercise": found,
        "version": found.current,
        "cohort": cohort,
        "address": address,
        "classes": regraded_classes(editor_of(request), course),
        "older": scope.of(older_submissions(found)).count(),
        "under_way": current,
        "summary": summary_of(current) if current else None,
        "by_member": _by_member(current, cohort) if current else [],
        "grading": grading_state(),
        "done": [_done(one, scope) for one in made if one.state in {State.APPLIED, State.UNDONE}],
    }
    return render(request, "teaching/regrade/exercise.html", context)


def _is_ours(one: CodeRegrade, scope: CodeScope) -> bool:
    return one.cohort == scope.cohort


@dataclass(frozen=True)
class MemberVerdict:
    """One member of whom a submission gets another verdict."""

    member: Membership
    submission: int
    before: str
    after: str


def _by_member(made: CodeRegrade, cohort: Cohort | None) -> list[MemberVerdict]:
    """Return whose verdicts change in a class, by name; nobody outside of a class."""
    if cohort is None:
        return []
    changes = changes_of(made)
    members = members_by_learner(cohort, [one.learner for one in changes])
    rows = [
        MemberVerdict(members[one.learner], one.submission, one.before, one.after)
        for one in changes
        if one.learner in members
    ]
    return sorted(rows, key=lambda row: (row.member.label, row.submission))[:MOST_NAMED]


def _done(one: CodeRegrade, scope: CodeScope) -> dict[str, Any]:
    """Return a regrade that is over, and what may be done with it on this page."""
    is_ours = _is_ours(one, scope)
    applied = one.trials.filter(applied_at__isnull=False)
    count = applied.count() if is_ours else applied_trials(one, scope).count()
    is_applied = one.state == State.APPLIED
    return {
        "regrade": one,
        "count": count,
        "is_ours": is_ours,
        "may_undo": is_ours and is_applied,
        "may_decline": not is_ours and is_applied and bool(count),
    }


def _do(request: HttpRequest, found: Exercise, cohort: Cohort | None) -> None:
    """Do what the pressed button says. Raises CodeRegradeRefusedError."""
    by, button, scope = editor_of(request), request.POST.get("do", ""), code_scope_of(cohort)
    if button == "begin":
        made = begin(found, by=by, scope=scope)
        count = made.trials.count()
        messages.success(request, f"{count} submission{_s(count)} will be graded beside.")
        return
    number = request.POST.get("number", "")
    cohorts = {"", scope.cohort} if button == "decline" else {scope.cohort}
    known = found.code_regrades.filter(cohort__in=cohorts)
    known = known.select_related("exercise__course", "to_version")
    made_before = known.filter(pk=read_whole_number(number) or 0).first()
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
    elif button == "decline" and cohort is not None and not _is_ours(made_before, scope):
        count = decline_trials(made_before, by=by, scope=scope)
        messages.success(request, f"Declined: {count} submission{_s(count)} as before.")
    else:
        known_buttons = "begin, cancel, apply, undo, decline (by a class)"
        raise CodeRegradeRefusedError(f"{button!r:.40} is none of {known_buttons}.")


def _apply(request: HttpRequest, made: CodeRegrade) -> None:
    note = request.POST.get("note", "")[:MAX_NOTE]
    if wrong := describe_refused(note):
        raise CodeRegradeRefusedError(f"The note {wrong}.")
    for fault in faults_for_form(note):
        raise CodeRegradeRefusedError(f"The note cannot be shown. {fault}.")
    count = apply_trials(
        made, by=editor_of(request), note=note, nobody_loses="nobody_loses" in request.POST
    )
    messages.success(request, f"Done: {count} submission{_s(count)} graded anew.")


def _s(count: int) -> str:
    return "" if count == 1 else "s"
