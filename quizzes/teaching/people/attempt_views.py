"""A class's attempts at quizzes, and one attempt as its learner saw it."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from quizzes.assessment.models import Attempt, Quiz, Response
from quizzes.assessment.presenters import Result, attempt_questions
from quizzes.classes.access import attempts_seen, subjects_of_work
from quizzes.classes.log import record_opening_for_class
from quizzes.classes.messages import comment_on_response, comments_on_answers
from quizzes.classes.models import Cohort
from quizzes.content_files.typed_text import read_whole_number
from quizzes.teaching.access import editor_of, for_class_staff
from quizzes.teaching.addresses import class_address
from quizzes.teaching.lists import attempt_rows, newest_page, requested_filter
from quizzes.teaching.people.forms import AnswerCommentForm
from quizzes.teaching.people.members import (
    ListedWork,
    members_by_learner,
    requested_member,
    with_members,
)

STATES = {"submitted": "Submitted", "open": "Not submitted"}


@never_cache
@require_safe
@for_class_staff
def attempts(request: HttpRequest, cohort: Cohort) -> HttpResponse:
    """Show every attempt at a quiz that the class sees, newest first, by quiz, state and member."""
    found = attempts_seen(cohort)
    quiz, state, member = (
        requested_filter(request, "quiz"),
        requested_filter(request, "state"),
        requested_member(request, cohort),
    )
    if quiz:
        found = found.filter(quiz__slug=quiz)
    if state in STATES:
        now = timezone.now()
        found = found.open(now) if state == "open" else found.handed_in(now)
    if member:
        found = found.filter(learner__user=member.user_id)
    page = newest_page(request, found.only("pk"), with_facts=attempt_rows)
    context = {
        "page": page,
        "rows": with_members(cohort, map(ListedWork, page.object_list)),
        "quizzes": Quiz.objects.filter(course=cohort.course_id)
        .order_by("title")
        .only("slug", "title"),
        "quiz": quiz,
        "states": STATES,
        "state": state,
        "member": member,
    }
    return render(request, "teaching/people/attempts.html", context)


@never_cache
@require_safe
@for_class_staff
def attempt(request: HttpRequest, cohort: Cohort, number: int) -> HttpResponse:
    """Show an attempt as its learner saw it: the versions, the order of options, the choices."""
    work = _seen(cohort, number)
    record_opening_for_class(cohort, editor_of(request), subjects_of_work(cohort, work))
    return _page(request, cohort, work)


def _seen(cohort: Cohort, number: int) -> Attempt:
    rows = attempts_seen(cohort).select_related("learner__user", "quiz")
    return get_object_or_404(rows, pk=number)


def _page(
    request: HttpRequest,
    cohort: Cohort,
    attempt: Attempt,
    form: AnswerCommentForm | None = None,
    commented: int = 0,
) -> HttpResponse:
    """Show an attempt; with a form that was refused, open at the question it is about."""
    questions = attempt_questions(attempt)
    context = {
        "attempt": attempt,
        "member": members_by_learner(cohort, [attempt.learner_id]).get(attempt.learner_id),
        "questions": questions,
        "result": Result.of(questions),
        "comments": list(comments_on_answers(attempt).filter(cohort=cohort)),
        "form": form,
        "commented": commented,
    }
    status = 200 if form is None else 400
    return render(request, "teaching/people/attempt.html", context, status=status)


@require_POST
@for_class_staff
def comment(request: HttpRequest, cohort: Cohort, number: int) -> HttpResponse:
    """Write a comment on the answer to one question of an attempt."""
    found = _seen(cohort, number)
    order = read_whole_number(request.POST.get("question", ""))
    response = get_object_or_404(Response, attempt=found, order=order or 0, is_dropped=False)
    form = AnswerCommentForm(request.POST)
    if not form.is_valid():
        return _page(request, cohort, found, form, response.order)
    text = form.cleaned_data["text"]
    comment_on_response(response=response, cohort=cohort, by=editor_of(request), text=text)
    messages.success(request, f"The comment on question {response.order} was sent.")
    return redirect(class_address(cohort, "class-attempt", number))
