"""The page on which answers are regraded after a wrong key: preview, deed, undo."""

from collections import Counter
from datetime import datetime
from typing import Any

from django.contrib import messages
from django.db.models import Count, Exists, OuterRef, Q, QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.http import urlencode
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from quizzes.assessment.models import Question, QuestionVersion, Quiz, Regrade, Response
from quizzes.classes.models import Assignment
from quizzes.content_files.typed_text import read_whole_number
from quizzes.pages.course_links import with_course_links
from quizzes.pages.markdown import render_markdown
from quizzes.regrades.answers import AnswerChange, Wish, plan_answers
from quizzes.regrades.apply import apply_answers
from quizzes.regrades.offers import changed_prompts, drawing, outdated_answers, want_instances
from quizzes.regrades.plan import Plan, PlanChangedError, RegradeRefusedError
from quizzes.regrades.undo import undo_answers
from quizzes.teaching.addresses import address_in, class_address
from quizzes.teaching.regrade.access import Regrading, for_regrading
from quizzes.teaching.regrade.forms import BY_VERSION, DeedForm, PreviewForm
from quizzes.teaching.regrade.tables import (
    EarlierRegrade,
    MemberChange,
    changes_by_member,
    count_works,
    earlier_regrade,
)

PAGE = "regrade_question"


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@for_regrading
def question(request: HttpRequest, regrading: Regrading, slug: str) -> HttpResponse:
    """Show what a regrade would change, storing nothing; POST does what was shown, or undoes it."""
    rows = Question.objects.select_related("current", "course")
    question = get_object_or_404(rows, course=regrading.course, slug=slug, current__isnull=False)
    current = question.current.number if question.current else 0
    sent = request.POST if request.method == "POST" else request.GET
    button = request.POST.get("do", "")
    if button == "undo":
        return _undo(request, regrading, question)
    form = PreviewForm(sent.dict(), versions=_versions(question), current=current)
    deed = DeedForm(request.POST if request.method == "POST" else None)
    if request.method == "POST" and form.is_valid():
        if button == "draw":
            return _draw(request, regrading, question, form)
        if deed.is_valid():
            return _apply(request, regrading, question, form, deed)
    return _page(request, regrading, question, form, deed)


def _apply(
    request: HttpRequest,
    regrading: Regrading,
    question: Question,
    form: PreviewForm,
    deed: DeedForm,
) -> HttpResponse:
    sent = deed.cleaned_data
    wish = _wish(regrading, question, form, as_of=sent["as_of"])
    try:
        regrade = apply_answers(wish, digest=sent["digest"], note=sent["note"], by=regrading.by)
    except PlanChangedError:
        messages.error(
            request,
            "Not done: these answers were changed or regraded after your preview."
            " Check what would change now.",
        )
        return _page(request, regrading, question, form, deed, status=409)
    count = regrade.responses.count()
    messages.success(request, f"Done: {count_works(count, 'answer')} regraded.")
    return redirect(regrading.address(PAGE, question.slug))


def _draw(
    request: HttpRequest, regrading: Regrading, question: Question, form: PreviewForm
) -> HttpResponse:
    """Ask workers for the new version's numbers, and go back to the preview."""
    want_instances(_wish(regrading, question, form, as_of=timezone.now()))
    names = [name for name in (*form.fields, "class") if name in request.POST]
    query = urlencode({name: request.POST[name] for name in names})
    return redirect(f"{address_in(regrading.course, PAGE, question.slug)}?{query}#preview")


def _undo(request: HttpRequest, regrading: Regrading, question: Question) -> HttpResponse:
    """Have answers count as before a regrade; a class declines one of the whole course."""
    regrade = get_object_or_404(
        _regrades(regrading, question), pk=read_whole_number(request.POST.get("number", ""))
    )
    try:
        count = undo_answers(regrade, by=regrading.by, scope=regrading.scope)
        deed = "Undone" if regrading.scope.owns(regrade) else "Declined"
        messages.success(request, f"{deed}: {count_works(count, 'answer')} restored.")
    except RegradeRefusedError as error:
        messages.error(request, f"Not done. {error}")
    return redirect(regrading.address(PAGE, question.slug))


def _page(
    request: HttpRequest,
    regrading: Regrading,
    question: Question,
    form: PreviewForm,
    deed: DeedForm,
    *,
    status: int = 200,
) -> HttpResponse:
    cohort = regrading.cohort
    context: dict[str, Any] = {
        "question": question,
        "cohort": cohort,
        "form": form,
        "deed": deed,
        "address": address_in(question.course, PAGE, question.slug),
        "classes": regrading.classes(),
        "waiting": outdated_answers(question, regrading.scope),
        "earlier": _earlier(regrading, question),
        "by_classes": 0 if cohort else _classes_that_regraded(question),
    }
    # Chosen, or offered: after it is done, the next press would undo what was chosen for it.
    if form.is_valid() and (form.is_sent or context["waiting"]):
        wish = _wish(regrading, question, form, as_of=timezone.now())
        context |= _preview(regrading, wish)
    if form.errors or (request.method == "POST" and deed.errors):
        status = max(status, 400)
    return render(request, "teaching/regrade/question.html", context, status=status)


def _wish(regrading: Regrading, question: Question, form: PreviewForm, *, as_of: datetime) -> Wish:
    sent = form.cleaned_data
    return Wish(
        question=question,
        from_version=question.versions.get(number=sent["version"]),
        to_version=question.current if sent["rule"] in BY_VERSION else None,
        rule=Regrade.Rule(sent["rule"]),
        as_of=as_of,
        rest=Regrade.Rest(sent["rest"]),
        nobody_loses=sent["nobody_loses"],
        same_prompt=sent.get("same_prompt", False),
        scope=regrading.scope,
    )


def _preview(regrading: Regrading, wish: Wish) -> dict[str, Any]:
    plan, course = plan_answers(wish), wish.question.course.slug
    prompts = changed_prompts(wish) or ()
    return {
        "wish": wish,
        "plan": plan,
        "drawing": drawing(wish),
        "by_quiz": _by_quiz(plan),
        "by_member": _by_member(regrading, plan),
        "prompts": [with_course_links(render_markdown(prompt), course) for prompt in prompts],
    }


def _by_quiz(plan: Plan[AnswerChange]) -> list[dict[str, Any]]:
    """Return for each quiz the number of attempts that get a better and a worse mark."""
    counts: dict[int | None, Counter[str]] = {}
    for change in plan.changes:
        counts.setdefault(change.quiz, Counter())[change.direction] += 1
    titles: dict[int | None, str] = {None: "Outside quizzes, in lessons and reviews"}
    quizzes = Quiz.objects.filter(pk__in=[key for key in counts if key is not None])
    titles |= dict(quizzes.values_list("pk", "title"))
    rows = [{"title": titles.get(quiz, ""), **count} for quiz, count in counts.items()]
    return sorted(rows, key=lambda row: str(row["title"]))


def _by_member(regrading: Regrading, plan: Plan[AnswerChange]) -> list[MemberChange]:
    cohort = regrading.cohort
    if cohort is None:
        return []
    rows = Assignment.objects.filter(cohort=cohort, quiz__isnull=False)
    rows = rows.select_related("quiz", "exercise", "lesson")
    titles = {assignment.sitting: assignment.title for assignment in rows}

    def describe(change: AnswerChange) -> tuple[str, str, str, str]:
        was, now = f"{100 * change.was_share:.0f} %", f"{100 * change.now_share:.0f} %"
        address = class_address(cohort, "class-attempt", change.attempt)
        return titles.get(change.sitting or 0, ""), address, was, now

    return changes_by_member(cohort, plan, describe)


def _regrades(regrading: Regrading, question: Question) -> QuerySet[Regrade]:
    """Return the regrades of the course and those of this class, newest first."""
    scope = Q(cohort_id=None) | Q(cohort_id=regrading.scope.cohort_id)
    rows = question.regrades.filter(scope).order_by("-pk")
    return rows.select_related("from_version__question", "to_version", "by", "undone_by")


def _earlier(regrading: Regrading, question: Question) -> list[EarlierRegrade]:
    scope = regrading.scope
    here = Q(responses__response__attempt__sitting__in=scope.sittings, responses__undone_at=None)
    changed = Count("responses", filter=Q(cohort_id=scope.cohort_id) | here)
    rows = _regrades(regrading, question).annotate(changed=changed)  # type: ignore[no-redef]
    return [earlier_regrade(row, scope, row.changed) for row in rows]


def _classes_that_regraded(question: Question) -> int:
    """Count the classes that regraded their own answers and did not undo it."""
    rows = question.regrades.exclude(cohort_id=None).filter(undone_at=None).order_by()
    return rows.values("cohort_id").distinct().count()


def _versions(question: Question) -> list[QuestionVersion]:
    """Return the versions that somebody answered, and the current one, newest first."""
    is_answered = Exists(Response.objects.filter(version=OuterRef("pk")))
    rows = question.versions.filter(is_answered | Q(pk=question.current_id))
    return list(rows.order_by("-number"))
