"""Instructors' pages: the table of marks, and one mark with its reasons."""

from typing import Any

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from quizzes.assessment.models import Attempt
from quizzes.classes.assignments import override_mark
from quizzes.classes.marks.cells import Total, at_two_digits
from quizzes.classes.marks.reader import MemberMarks, learner_key, marks, students
from quizzes.classes.marks.words import short_mark, short_state, why
from quizzes.classes.members import sections_of
from quizzes.classes.models import Assignment, Cohort, MarkOverride, Membership
from quizzes.exercises.models import Submission
from quizzes.teaching.access import CLASS_ROLE, editor_of, for_class_staff
from quizzes.teaching.addresses import class_address
from quizzes.teaching.lists import requested_filter
from quizzes.teaching.work.forms import OverrideForm

A_PAGE = 100
MOST_WORK = 50


@never_cache
@require_safe
@for_class_staff
def table(request: HttpRequest, cohort: Cohort) -> HttpResponse:
    """Show the marks of the class: a line for each member, a column for each assignment."""
    section, words = requested_filter(request, "section"), requested_filter(request, "q")
    removed = bool(requested_filter(request, "removed"))
    members = students(cohort, words, section=section, removed_too=removed)
    keys = Paginator(members.values_list("pk", flat=True), A_PAGE)
    page = keys.get_page(request.GET.get("page"))
    shown = members.filter(pk__in=list(page.object_list))
    found = marks(cohort, members=shown)
    context = {
        "cohort": cohort,
        "assignments": [
            {"assignment": assignment, "points": at_two_digits(assignment.points)}
            for assignment in found.assignments
        ],
        "rows": [_row(cohort, member) for member in found.members],
        "page": page,
        "sections": sections_of(cohort),
        "section": section,
        "words": words,
        "removed": removed,
    }
    return render(request, "teaching/work/marks.html", context)


def _row(cohort: Cohort, member_marks: MemberMarks) -> dict[str, Any]:
    member, total = member_marks.membership, member_marks.total
    # Made by hand: `reverse` for each of 4000 cells would take longer than the marks.
    start = class_address(cohort, "class-marks")
    return {
        "member": member,
        "label": member.label,
        "cells": [
            {
                "mark": short_mark(cell),
                "state": short_state(cell),
                "address": f"{start}{assignment.pk}/{member.pk}/",
                "title": assignment.title,
            }
            for assignment, _, cell in member_marks.cells
        ],
        "total": total,
        "standing": _standing(total),
        "earned": at_two_digits(total.earned),
        "possible": at_two_digits(total.possible),
    }


def _standing(total: Total) -> str:
    """Return what may still change a total, "" where nothing does by itself."""
    if total.so_far:
        return "so far"
    return "" if total.is_final else "not final"


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@for_class_staff
def mark(request: HttpRequest, cohort: Cohort, number: int, member: int) -> HttpResponse:
    """Show why a mark is what it is, and the work behind it; POST sets it by hand."""
    rows = students(cohort, removed_too=True).filter(pk=member)
    person = get_object_or_404(rows.select_related("user__learner"), pk=member)
    assignment = get_object_or_404(
        Assignment.objects.select_related("quiz__course", "exercise", "lesson"),
        pk=number,
        cohort=cohort,
    )
    may_manage = CLASS_ROLE.of(request).may_manage
    form = OverrideForm(request.POST or None)
    if request.method == "POST":
        if not may_manage:
            raise PermissionDenied("only instructors of the class can set marks by hand")
        if form.is_valid():
            made = override_mark(
                assignment=assignment,
                membership=person,
                points=form.cleaned_data["points"],
                reason=form.cleaned_data["reason"],
                by=editor_of(request),
            )
            messages.success(request, _said(made))
            return redirect(class_address(cohort, "class-mark", number, member))
    now = timezone.now()
    found = marks(cohort, now=now, members=rows, hidden_too=True).members[0].cell(number)
    if found is None:
        raise Http404(f"there is no mark for assignment {number}")
    _, rule, cell = found
    context = {
        "cohort": cohort,
        "person": person,
        "assignment": assignment,
        "rule": rule,
        "cell": cell,
        "mark": short_mark(cell),
        "points": at_two_digits(rule.points),
        "why": why(cell, rule, cohort.zone, now),
        "own": person.exceptions.filter(assignment=assignment).first(),
        "overrides": person.overrides.filter(assignment=assignment).select_related("by"),
        "form": form if may_manage else None,
        **_work_of(assignment, person),
    }
    return render(request, "teaching/work/mark.html", context, status=400 if form.errors else 200)


def _said(made: MarkOverride) -> str:
    """Return the message about a mark that was set by hand, or taken back."""
    if made.points is None:
        return "Taken back. Staff see the reason below; the student does not."
    words, most = "The student sees the reason with the mark.", made.assignment.points
    if made.points <= most:
        return f"Saved. {words}"
    given = f"{at_two_digits(made.points)} of {at_two_digits(most)}"
    return f"Saved. {given}: more than the assignment is worth. {words}"


def _work_of(assignment: Assignment, person: Membership) -> dict[str, Any]:
    """Return a member's work in an assignment, newest first. One query."""
    learner = learner_key(person)
    if learner is None:
        return {}
    if assignment.quiz_id is not None:
        mine = Attempt.objects.filter(learner=learner, sitting=assignment.sitting)
        return {"attempts": mine.with_points().order_by("-started_at")[:MOST_WORK]}
    if assignment.exercise_id is not None:
        code = Submission.objects.filter(
            learner=learner,
            exercise_version__exercise=assignment.exercise_id,
            kind=Submission.Kind.SUBMIT,
        )
        rows = code.select_related("exercise_version__exercise").defer(
            "report", "code", "exercise_version__files", "exercise_version__proof"
        )
        return {"submissions": rows.order_by("-submitted_at")[:MOST_WORK]}
    return {}
