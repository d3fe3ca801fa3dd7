"""A class's attempts at quizzes, and one attempt as its learner saw it."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from quizzes.assessment.models import Quiz
from quizzes.assessment.presenters import Result, attempt_questions
from quizzes.classes.access import attempts_seen
from quizzes.classes.models import Cohort
from quizzes.courses.audit import record_opening
from quizzes.teaching.access import editor_of, for_class_staff
from quizzes.teaching.lists import attempt_rows, newest_page, requested_filter
from quizzes.teaching.people.members import members_by_learner, requested_member, with_members

STATES = {"submitted": "Submitted", "open": "Not submitted"}


@never_cache
@require_safe
@for_class_staff
def attempts(request: HttpRequest, cohort: Cohort) -> HttpResponse:
    """Every attempt at a quiz that the class sees, newest first, by quiz, state and member."""
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
        "rows": with_members(cohort, page.object_list),
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
    rows = attempts_seen(cohort).select_related("learner__user", "quiz")
    found = get_object_or_404(rows, pk=number)
    record_opening(
        by=editor_of(request), about=f"attempt {number}", course=cohort.course, cohort=cohort.slug
    )
    questions = attempt_questions(found)
    context = {
        "attempt": found,
        "member": members_by_learner(cohort, [found.learner_id]).get(found.learner_id),
        "questions": questions,
        "result": Result.of(questions),
    }
    return render(request, "teaching/people/attempt.html", context)
