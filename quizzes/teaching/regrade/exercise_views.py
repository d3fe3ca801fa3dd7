"""The page on which submissions are regraded by a newer version of their exercise."""

from dataclasses import dataclass

from django.contrib import messages
from django.db.models import Q
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from quizzes.content_files.typed_text import read_whole_number
from quizzes.exercises.models import CodeRegrade, Exercise
from quizzes.exercises.models.regrades import UNDER_WAY
from quizzes.exercises.services import grading_state
from quizzes.grader.judge import RESERVED_MISTAKES
from quizzes.regrades.apply import apply_code
from quizzes.regrades.code import CodeChange, CodePlan, plan_code
from quizzes.regrades.offers import older_submissions
from quizzes.regrades.plan import RegradeRefusedError
from quizzes.regrades.trials import begin, cancel
from quizzes.regrades.undo import applied_trials, undo_code
from quizzes.teaching.addresses import address_in, class_address
from quizzes.teaching.regrade.access import Regrading, for_regrading
from quizzes.teaching.regrade.forms import CodeForm
from quizzes.teaching.regrade.tables import (
    EarlierRegrade,
    MemberChange,
    changes_by_member,
    count_works,
    earlier_regrade,
)

State = CodeRegrade.State


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@for_regrading
def exercise(request: HttpRequest, regrading: Regrading, slug: str) -> HttpResponse:
    """Show how far a regrade of code is and what it would change; POST begins it or goes on."""
    rows = Exercise.objects.select_related("current", "course")
    rows = rows.defer("current__files", "current__outline", "current__proof")
    exercise = get_object_or_404(rows, course=regrading.course, slug=slug, current__isnull=False)
    scope = regrading.scope
    if request.method == "POST":
        try:
            messages.success(request, _do(request.POST, regrading, exercise))
        except RegradeRefusedError as error:
            messages.error(request, f"Not done. {error}")
        return redirect(regrading.address("regrade_exercise", slug))
    regrades = list(
        exercise.code_regrades.filter(Q(cohort_id=None) | Q(cohort_id=scope.cohort_id))
        .select_related("to_version", "by", "undone_by", "exercise")
        .defer("to_version__files", "to_version__proof", "to_version__outline")
    )
    under_way = next((row for row in regrades if row.state in UNDER_WAY and scope.owns(row)), None)
    plan = plan_code(under_way) if under_way else None
    context = {
        "exercise": exercise,
        "version": exercise.current,
        "cohort": regrading.cohort,
        "address": address_in(regrading.course, "regrade_exercise", slug),
        "classes": regrading.classes(),
        "older": scope.narrow(older_submissions(exercise)).count(),
        "under_way": under_way,
        "plan": plan,
        "names": _names(under_way, plan) if under_way and plan else [],
        "by_member": _by_member(regrading, plan) if plan else [],
        "grading": grading_state(),
        "earlier": [
            _earlier(row, regrading)
            for row in regrades
            if row.state in {State.APPLIED, State.UNDONE}
        ],
    }
    return render(request, "teaching/regrade/exercise.html", context)


@dataclass(frozen=True)
class NameCount:
    """A sentence that this number of submissions will newly have."""

    count: int
    sentence: str


def _names(regrade: CodeRegrade, plan: CodePlan) -> list[NameCount]:
    """Return what submissions will read that did not before, the most frequent first."""
    if not plan.names:
        return []
    wrong, reserved = regrade.to_version.definition.wrong, RESERVED_MISTAKES
    sentences = {slug: wrong[slug].sentence for slug in plan.names if slug in wrong}
    sentences |= {slug: reserved[slug].sentence for slug in plan.names if slug in reserved}
    rows = [NameCount(count, sentences.get(slug, slug)) for slug, count in plan.names.items()]
    return sorted(rows, key=lambda row: (-row.count, row.sentence))


def _by_member(regrading: Regrading, plan: CodePlan) -> list[MemberChange]:
    def describe(change: CodeChange) -> tuple[str, str, str, str]:
        assert regrading.cohort is not None
        address = class_address(regrading.cohort, "class-submission", change.work)
        return str(change.work), address, str(change.was), str(change.now)

    return changes_by_member(regrading.cohort, plan, describe)


def _earlier(regrade: CodeRegrade, regrading: Regrading) -> EarlierRegrade:
    scope = regrading.scope
    if scope.owns(regrade):
        trials = regrade.trials.filter(applied_at__isnull=False)
    else:
        trials = applied_trials(regrade, scope)
    return earlier_regrade(regrade, scope, trials.count())


def _do(sent: QueryDict, regrading: Regrading, exercise: Exercise) -> str:
    """Do what the pressed button says; return words about it. Raises RegradeRefusedError."""
    button, by, scope = sent.get("do", ""), regrading.by, regrading.scope
    if button == "begin":
        count = begin(exercise, by=by, scope=scope).trials.count()
        return f"{count_works(count, 'submission')} will be graded for the preview."
    scopes = Q(cohort_id=scope.cohort_id)
    if button == "undo":
        scopes |= Q(cohort_id=None)
    regrades = exercise.code_regrades.filter(scopes)
    regrades = regrades.select_related("exercise__course", "to_version")
    number = sent.get("number", "")
    regrade = regrades.filter(pk=read_whole_number(number) or 0).first()
    if regrade is None:
        raise RegradeRefusedError(f"This exercise has no regrade {number!r:.40}.")
    if button == "cancel":
        cancel(regrade, by=by, scope=scope)
        return "Cancelled: nothing was changed."
    if button == "apply":
        form = CodeForm(sent)
        if not form.is_valid():
            raise RegradeRefusedError(" ".join(map(str, form.errors.get("note", []))))
        count = apply_code(regrade, by=by, scope=scope, **form.cleaned_data)
        return f"Done: {count_works(count, 'submission')} regraded."
    if button == "undo":
        count = undo_code(regrade, by=by, scope=scope)
        deed = "Undone" if scope.owns(regrade) else "Declined"
        return f"{deed}: {count_works(count, 'submission')} restored."
    raise RegradeRefusedError(f"do={button!r:.40}: must be begin, cancel, apply or undo.")
