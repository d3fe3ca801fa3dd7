"""Instructors' pages: exceptions from an assignment and extra time, for one member or many."""

from collections.abc import Collection, Iterable, Mapping
from typing import Any

from django.contrib import messages
from django.core.exceptions import ValidationError
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.text import get_text_list
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from quizzes.classes.assignments import (
    ON_PURPOSE,
    lift_exceptions,
    remove_exceptions,
    set_exceptions,
    set_extra_time,
)
from quizzes.classes.marks.reader import assignments_of, students
from quizzes.classes.members import sections_of
from quizzes.classes.models import Assignment, AssignmentException, Cohort, Membership
from quizzes.classes.rules import DATES, LIMITS, below_class
from quizzes.content_files.typed_text import isolate, read_whole_number
from quizzes.teaching.access import editor_of, for_class_staff
from quizzes.teaching.addresses import class_address
from quizzes.teaching.lists import requested_filter
from quizzes.teaching.work.forms import ExceptionForm, ExtraTimeForm

MOST = 2000  # members that can be chosen at once
MOST_NAMES = 50  # that a message lists
LACKING = {
    "due_at": "due date",
    "closes_at": "closing date",
    "attempts": "limit of attempts",
    "minutes": "limit of minutes",
}


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@for_class_staff
def exceptions(request: HttpRequest, cohort: Cohort, number: int) -> HttpResponse:
    """List who has rules of their own in an assignment; POST gives, lifts or takes them."""
    assignment = get_object_or_404(assignments_of(cohort, hidden_too=True), pk=number)
    assignment.cohort = cohort
    deed = request.POST.get("do", "")
    form = ExceptionForm(request.POST if deed == "set" else None, assignment=assignment)
    chosen = _chosen(request, cohort)
    if request.method == "POST" and not chosen:
        messages.error(request, "Nobody was selected: tick at least one name. Nothing was changed.")
    elif deed in ACTIONS:
        words = ACTIONS[deed](assignment, chosen, request)
        messages.success(request, words)
        return redirect(class_address(cohort, "class-exceptions", number))
    elif request.method == "POST" and form.is_valid():
        try:
            changed = set_exceptions(
                assignment=assignment,
                members=chosen,
                values=form.cleaned_data,
                clear=form.cleaned_data["clear"],
                by=editor_of(request),
            )
        except ValidationError as error:
            form.add_faults(error)
        else:
            messages.success(request, _change_words(assignment, chosen, changed, form.cleaned_data))
            return redirect(class_address(cohort, "class-exceptions", number))
    rows = assignment.exceptions.select_related("membership__user", "made_by")
    own_rules = list(rows.order_by("membership__name"))
    context = {
        "cohort": cohort,
        "assignment": assignment,
        "form": form,
        "rows": [_row(assignment, own) for own in own_rules],
        "less": _less_than_class(assignment, own_rules),
        **_people(request, cohort, chosen),
    }
    status = 400 if request.method == "POST" else 200
    return render(request, "teaching/work/exceptions.html", context, status=status)


def _lift(assignment: Assignment, chosen: Collection[Membership], request: HttpRequest) -> str:
    changed = lift_exceptions(assignment=assignment, members=chosen, by=editor_of(request))
    return (
        f"Lifted for {_names(changed)}."
        if changed
        else "No exception here had an earlier date or a lower limit than the class."
    )


def _remove(assignment: Assignment, chosen: Collection[Membership], request: HttpRequest) -> str:
    changed = remove_exceptions(assignment=assignment, members=chosen, by=editor_of(request))
    return (
        f"The class’s rules apply to {_names(changed)} again."
        if changed
        else "Nobody in this selection had an exception."
    )


ACTIONS = {"lift": _lift, "remove": _remove}


def _change_words(
    assignment: Assignment,
    chosen: Collection[Membership],
    changed: Collection[Membership],
    values: Mapping[str, Any],
) -> str:
    """Return the message about new exceptions: whom they changed, and what does not count."""
    keys = {member.pk for member in changed}
    same = [member for member in chosen if member.pk not in keys]
    words = [f"Changed for {_names(changed)}."] if changed else []
    if same:
        words.append(f"Nothing changed for {_names(same)}.")
    if same and [name for name, value in values.items() if value] == ["note"]:
        words.append("A note can only be saved with an exception.")
    lacking = [
        noun
        for name, noun in LACKING.items()
        if values.get(name) and getattr(assignment, name) is None
    ]
    if changed and lacking and not values["earlier_on_purpose"]:
        nouns = get_text_list(lacking, "and no")
        words.append(f"The class has no {nouns}: tick “{ON_PURPOSE}” to set one for a member.")
    return " ".join(words)


def _names(members: Iterable[Membership]) -> str:
    """Return names in a row, those after the fiftieth as a number."""
    names = [isolate(member.label) or "nameless" for member in members]
    if len(names) > MOST_NAMES:
        names[MOST_NAMES:] = [f"{len(names) - MOST_NAMES} more"]
    return str(get_text_list(names, "and"))


def _row(assignment: Assignment, own: AssignmentException) -> dict[str, Any]:
    """Return an exception for the table, with the fields in which the class's value counts."""
    lesser = () if own.earlier_on_purpose else below_class(assignment, own)
    dates = [{"at": getattr(own, name), "is_idle": name in lesser} for name in DATES]
    limits = [{"number": getattr(own, name), "is_idle": name in lesser} for name in LIMITS]
    return {"own": own, "dates": dates, "limits": limits}


def _less_than_class(
    assignment: Assignment, own_rules: Iterable[AssignmentException]
) -> list[dict[str, Any]]:
    """Return the exceptions that give less than the class, by accident and on purpose."""
    less = [(own, names) for own in own_rules if (names := below_class(assignment, own))]
    groups = []
    for on_purpose in (False, True):
        rows = [(own, names) for own, names in less if own.earlier_on_purpose == on_purpose]
        if not rows:
            continue
        is_earlier = any(name in DATES for _, names in rows for name in names)
        members = [own.membership for own, _ in rows]
        groups.append(
            {
                "on_purpose": on_purpose,
                "count": len(rows),
                "than": "earlier than the class’s dates"
                if is_earlier
                else "lower than the class’s limits",
                "names": _names(members),
                "members": members,
            }
        )
    return groups


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@for_class_staff
def extra_time(request: HttpRequest, cohort: Cohort) -> HttpResponse:
    """List the extra time of members; POST gives it to those that are chosen."""
    form = ExtraTimeForm(request.POST or None)
    chosen = _chosen(request, cohort)
    if request.method == "POST" and not chosen:
        messages.error(request, "Nobody was selected: tick at least one name. Nothing was changed.")
    elif request.method == "POST" and form.is_valid():
        percent = form.cleaned_data["percent"]
        count = set_extra_time(members=chosen, percent=percent, by=editor_of(request))
        words = (
            f"{count} member{' now has' if count == 1 else 's now have'} {percent} % extra time."
        )
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
    keys = [key for one in typed if (key := read_whole_number(one)) is not None]
    return list(students(cohort).filter(pk__in=keys).select_related("cohort__course", "user"))


def _filtered(request: HttpRequest, cohort: Cohort) -> QuerySet[Membership]:
    section, words = requested_filter(request, "section"), requested_filter(request, "q")
    rows = students(cohort, words, section=section).exclude(state=Membership.State.DELETED)
    return rows.filter(extra_time_percent__gt=0) if requested_filter(request, "extra") else rows


def _people(request: HttpRequest, cohort: Cohort, chosen: list[Membership]) -> dict[str, Any]:
    """Return the members that the filter of the address shows. Two queries."""
    return {
        "people": _filtered(request, cohort).select_related("user"),
        "chosen": {one.pk for one in chosen},
        "sections": sections_of(cohort),
        "section": requested_filter(request, "section"),
        "words": requested_filter(request, "q"),
        "extra": requested_filter(request, "extra"),
    }
