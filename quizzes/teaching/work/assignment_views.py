"""Instructors' pages: the assignments of a class."""

from collections.abc import Sequence
from datetime import datetime, timedelta
from decimal import Decimal
from typing import Any

from django.contrib import messages
from django.core.exceptions import ValidationError
from django.db.models import Count, QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from quizzes.assessment.models import Attempt, Quiz
from quizzes.assessment.quiz_drafts import set_class_only
from quizzes.classes.assignments import (
    StaleAssignmentError,
    has_begun,
    questions_without_numbers,
    remove_assignment,
    save_assignment,
)
from quizzes.classes.log import record_for_class
from quizzes.classes.marks.reader import assignments_of
from quizzes.classes.models import Assignment, AssignmentException, Cohort
from quizzes.classes.rules import Rule
from quizzes.content_files.typed_text import isolate
from quizzes.courses.models import Course
from quizzes.courses.roles import role_in
from quizzes.exercises.services import published_exercises
from quizzes.lessons.models import Lesson
from quizzes.teaching.access import (
    editor_of,
    for_class_instructors,
    for_class_staff,
    revision_in,
)
from quizzes.teaching.addresses import class_address
from quizzes.teaching.work.forms import AssignmentForm
from quizzes.teaching.work.time_line import time_line_of


@never_cache
@require_safe
@for_class_staff
def assignments(request: HttpRequest, cohort: Cohort) -> HttpResponse:
    """List what is assigned, and what can be."""
    rows = list(
        assignments_of(cohort, hidden_too=True).annotate(
            own_rules=Count("exceptions", distinct=True)
        )
    )
    begun = _begun(rows)
    now = timezone.now()
    rules = [row.rule_for() for row in rows]
    line = time_line_of(rules, now, cohort.zone)
    context = {
        "cohort": cohort,
        "line": line,
        "rows": [
            {
                "assignment": row,
                "state": _state(row, rule, now),
                "begun": begun.get(row.sitting, 0) if row.quiz_id else None,
                "is_closed": rule.is_closed(now),
                "span": span,
            }
            for row, rule, span in zip(rows, rules, line.spans, strict=True)
        ],
        "kinds": _to_assign(cohort),
    }
    return render(request, "teaching/work/assignments.html", context)


def _begun(rows: Sequence[Assignment]) -> dict[int | None, int]:
    """Count the learners who have begun each assigned quiz. One query."""
    sittings = [row.sitting for row in rows if row.quiz_id]
    counted = Attempt.objects.filter(sitting__in=sittings).order_by().values_list("sitting")
    return dict(counted.annotate(Count("learner", distinct=True)))


def _state(assignment: Assignment, rule: Rule, now: datetime) -> str:
    if not assignment.is_visible:
        return "Hidden"
    if now < rule.opens_at:
        return "Not open yet"
    if rule.is_closed(now):
        return "Closed"
    return "Past due" if rule.is_due(now) else "Open"


def _to_assign(cohort: Cohort) -> list[dict[str, Any]]:
    """Return the things of the course that can be assigned, by kind. Three queries."""
    course = cohort.course
    lessons = _lessons(course).order_by("number")
    quizzes = Quiz.objects.filter(course=course).open().order_by("place", "pk")
    return [
        {"kind": "quiz", "label": "Quizzes", "things": list(quizzes.values_list("slug", "title"))},
        {
            "kind": "exercise",
            "label": "Exercises",
            "things": list(published_exercises(course).values_list("slug", "current__title")),
        },
        {
            "kind": "lesson",
            "label": "Lessons",
            "things": list(lessons.values_list("slug", "title")),
        },
    ]


def _lessons(course: Course) -> QuerySet[Lesson]:
    """Return the lessons that can be assigned: nobody has to read a reference."""
    there = Lesson.objects.filter(course=course, withdrawn_at=None)
    return there.exclude(form=Lesson.Form.REFERENCE)


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@for_class_instructors
def new(request: HttpRequest, cohort: Cohort) -> HttpResponse:
    """Ask for dates and rules of what the address names; POST assigns it."""
    named = _named_thing(request, cohort)
    if named is None:
        return redirect(class_address(cohort, "class-assignments"))
    now = timezone.now().astimezone(cohort.zone).replace(second=0, microsecond=0)
    end = now.replace(hour=23, minute=59) + timedelta(days=7)
    made = Assignment(
        cohort=cohort,
        points=Decimal(10),
        opens_at=now,
        due_at=end,
        closes_at=end + timedelta(days=7),
        is_visible=True,
        **named,
    )
    form = AssignmentForm(request.POST or None, cohort=cohort, assignment=made)
    if request.method == "POST" and form.is_valid() and _saved(request, form) is not None:
        messages.success(request, f"“{isolate(made.title)}” is assigned.{_hidden_words(made)}")
        return redirect(class_address(cohort, "class-assignments"))
    context = {"cohort": cohort, "form": form, "assignment": made, "is_new": True}
    return _page(request, form, context)


def _named_thing(request: HttpRequest, cohort: Cohort) -> dict[str, Any] | None:
    """Return the work that the address names; None where it names nothing. Raises Http404.

    `?quiz=codes` and `?work=quiz:codes`, which the picker of all kinds sends, name the same work.
    """
    course = cohort.course
    rows: dict[str, Any] = {
        "quiz": Quiz.objects.filter(course=course),
        "exercise": published_exercises(course),
        "lesson": _lessons(course),
    }
    work_kind, _, name = request.GET.get("work", "").partition(":")
    for kind, there in rows.items():
        slug = request.GET.get(kind, name if kind == work_kind else "")
        slug = slug[:200].replace("\0", "")
        if slug:
            return {kind: get_object_or_404(there, slug=slug)}
    return None


def _saved(request: HttpRequest, form: AssignmentForm) -> list[AssignmentException] | None:
    """Save a valid form; put the faults that only the service sees into it, and return None then.

    Return the exceptions that give less than the class by what was changed.
    """
    made = form.put_in()
    revision = revision_in(request) if made.pk else None
    try:
        return save_assignment(assignment=made, by=editor_of(request), revision=revision)
    except ValidationError as error:
        form.add_faults(error)
    except StaleAssignmentError:
        form.add_error(
            None,
            "Somebody else has changed this assignment since you opened it. Your changes were "
            "not saved. Open the assignment in another tab and compare.",
        )
    return None


def _hidden_words(assignment: Assignment) -> str:
    return "" if assignment.is_visible else " The class cannot see it yet."


def _page(request: HttpRequest, form: AssignmentForm, context: dict[str, Any]) -> HttpResponse:
    quiz = form.assignment.quiz
    if quiz is not None:
        context["lacking"] = questions_without_numbers(quiz.pk)
        context["is_open_to_all"] = quiz.is_open and not quiz.class_only
        role = role_in(context["cohort"].course, request.user)
        context["may_make_class_only"] = role is not None and role.may_edit
    status = 400 if form.errors else 200
    return render(request, "teaching/work/assignment.html", context, status=status)


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@for_class_instructors
def assignment(request: HttpRequest, cohort: Cohort, number: int) -> HttpResponse:
    """Show the dates and rules of an assignment; POST changes them."""
    found = get_object_or_404(assignments_of(cohort, hidden_too=True), pk=number)
    found.cohort = cohort
    form = AssignmentForm(request.POST or None, cohort=cohort, assignment=found)
    if request.method == "POST" and form.is_valid() and (less := _saved(request, form)) is not None:
        messages.success(request, f"Saved “{isolate(found.title)}”.{_hidden_words(found)}")
        if less:  # the page of exceptions names them, and lifts them
            return redirect(class_address(cohort, "class-exceptions", number))
        return redirect(class_address(cohort, "class-assignments"))
    context = {
        "cohort": cohort,
        "form": form,
        "assignment": found,
        "may_remove": not has_begun(found),
        "own_rules": found.exceptions.count(),
    }
    return _page(request, form, context)


@require_POST
@for_class_instructors
def remove(request: HttpRequest, cohort: Cohort, number: int) -> HttpResponse:
    """Delete an assignment that nobody has begun."""
    found = get_object_or_404(assignments_of(cohort, hidden_too=True), pk=number)
    title = isolate(found.title)
    if remove_assignment(assignment=found, by=editor_of(request)):
        messages.success(request, f"“{title}” is no longer assigned.")
        return redirect(class_address(cohort, "class-assignments"))
    messages.error(
        request,
        f"“{title}” was not removed: it has already opened, or it contains work or marks. Hide it"
        " instead, so that no marks are lost.",
    )
    return redirect(class_address(cohort, "class-assignment", number))


@require_POST
@for_class_instructors
def change_class_only(request: HttpRequest, cohort: Cohort, number: int) -> HttpResponse:
    """Hide an assigned quiz from everybody outside of classes, or let all find it again.

    It belongs to the course, so it takes an editor of the course as well.
    """
    found = get_object_or_404(assignments_of(cohort, hidden_too=True), pk=number)
    role = role_in(cohort.course, request.user)
    if found.quiz is None:
        raise Http404(f"assignment {number} is not a quiz")
    if role is None or not role.may_edit:
        messages.error(request, "Only editors of a course can choose who can find its quizzes.")
        return redirect(class_address(cohort, "class-assignment", number))
    hides = request.POST.get("class_only") == "yes"
    set_class_only(quiz=found.quiz, class_only=hides, by=editor_of(request))
    act = "made for classes only" if hides else "opened to everybody"
    record_for_class(cohort, editor_of(request), act, [found.quiz.as_subject()])
    words = (
        "Only classes that it is assigned to can find it now."
        if hides
        else "Everybody can find it now."
    )
    messages.success(request, f"{isolate(found.quiz.title)}: {words}")
    return redirect(class_address(cohort, "class-assignment", number))
