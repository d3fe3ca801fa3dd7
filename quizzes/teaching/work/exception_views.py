"""Instructors' pages: exceptions from an assignment and extra time, for one member or many."""

from typing import Any

from django.contrib import messages
from django.core.exceptions import ValidationError
from django.db.models import Q, QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from quizzes.classes.assignments import remove_exceptions, set_exceptions, set_extra_time
from quizzes.classes.marks.reader import assignments_of, students
from quizzes.classes.models import Cohort, Membership
from quizzes.teaching.access import editor_of, for_class_staff
from quizzes.teaching.addresses import class_address
from quizzes.teaching.lists import key_in, requested_filter
from quizzes.teaching.work.forms import ExceptionForm, ExtraTimeForm

MOST = 2000  # members that can be chosen at once


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@for_class_staff
def exceptions(request: HttpRequest, cohort: Cohort, number: int) -> HttpResponse:
    """List who has rules of their own in an assignment; POST gives or takes them."""
    found = get_object_or_404(assignments_of(cohort, hidden_too=True), pk=number)
    found.cohort = cohort
    data = request.POST if request.POST.get("do") == "set" else None
    form = ExceptionForm(data, assignment=found)
    here = class_address(cohort, "class-exceptions", number)
    chosen = _chosen(request, cohort)
    if request.method == "POST" and not chosen:
        form = ExceptionForm(data, assignment=found)
        messages.error(request, "Nobody was chosen: tick at least one name. Nothing was changed.")
    elif request.POST.get("do") == "remove":
        gone = remove_exceptions(assignment=found, members=chosen, by=editor_of(request))
        messages.success(request, f"{_members(gone)} as the class again.")
        return redirect(here)
    elif request.method == "POST" and form.is_valid():
        try:
            values = form.cleaned_data
            count = set_exceptions(
                assignment=found, members=chosen, values=values, by=editor_of(request)
            )
        except ValidationError as error:
            form.add_faults(error)
        else:
            messages.success(request, f"{_members(count)} by rules of their own now.")
            return redirect(here)
    context = {
        "cohort": cohort,
        "assignment": found,
        "form": form,
        "own_rules": found.exceptions.select_related("membership__user", "made_by").order_by(
            "membership__name"
        ),
        **_people(request, cohort, chosen),
    }
    status = 400 if request.method == "POST" else 200
    return render(request, "teaching/work/exceptions.html", context, status=status)


def _members(count: int) -> str:
    return f"{count} member{' goes' if count == 1 else 's go'}"


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@for_class_staff
def extra_time(request: HttpRequest, cohort: Cohort) -> HttpResponse:
    """List the extra time of members; POST gives it to those that are chosen."""
    form = ExtraTimeForm(request.POST or None)
    chosen = _chosen(request, cohort)
    if request.method == "POST" and not chosen:
        messages.error(request, "Nobody was chosen: tick at least one name. Nothing was changed.")
    elif request.method == "POST" and form.is_valid():
        percent = form.cleaned_data["percent"]
        count = set_extra_time(members=chosen, percent=percent, by=editor_of(request))
        words = f"{count} member{' has' if count == 1 else 's have'} {percent} % extra time now."
        messages.success(request, words)
        return redirect(class_address(cohort, "class-extra-time"))
    context = {"cohort": cohort, "form": form, **_people(request, cohort, chosen)}
    status = 400 if request.method == "POST" else 200
    return render(request, "teaching/work/extra_time.html", context, status=status)


def _chosen(request: HttpRequest, cohort: Cohort) -> list[Membership]:
    """Return the members of the class that the form ticks, or all that its filter shows."""
    if request.method != "POST":
        return []
    if request.POST.get("all") == "yes":
        return list(_filtered(request, cohort).select_related("cohort__course", "user"))
    typed = request.POST.getlist("member")[:MOST]
    keys = [key for one in typed if (key := key_in(one)) is not None]
    return list(students(cohort).filter(pk__in=keys).select_related("cohort__course", "user"))


def _filtered(request: HttpRequest, cohort: Cohort) -> QuerySet[Membership]:
    found = students(cohort).exclude(state=Membership.State.DELETED)
    section, words = requested_filter(request, "section"), requested_filter(request, "q")
    if section:
        found = found.filter(section=section)
    if words:
        named = Q(name__icontains=words) | Q(user__username__icontains=words)
        found = found.filter(named | Q(email__icontains=words) | Q(external_id__icontains=words))
    if requested_filter(request, "extra"):
        found = found.filter(extra_time_percent__gt=0)
    return found


def _people(request: HttpRequest, cohort: Cohort, chosen: list[Membership]) -> dict[str, Any]:
    """Return the members that the filter of the address shows. Two queries."""
    sections = students(cohort).exclude(section="").order_by("section")
    return {
        "people": _filtered(request, cohort).select_related("user"),
        "chosen": {one.pk for one in chosen},
        "sections": sections.values_list("section", flat=True).distinct(),
        "section": requested_filter(request, "section"),
        "words": requested_filter(request, "q"),
        "extra": requested_filter(request, "extra"),
    }
