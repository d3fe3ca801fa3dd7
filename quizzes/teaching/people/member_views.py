"""The people of a class: the list, one person's page, and what instructors do with a person."""

from collections.abc import Callable
from datetime import datetime

from django.contrib import messages
from django.core.exceptions import ValidationError
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.text import get_text_list
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from quizzes.classes import view_as
from quizzes.classes.dates import on_the_wall
from quizzes.classes.enrollment import same_person
from quizzes.classes.link_mails.words import link_words
from quizzes.classes.log import record_opening_for_class
from quizzes.classes.members import LISTED, find_members, sections_of
from quizzes.classes.models import Assignment, Cohort, Membership
from quizzes.classes.moved_dates.moved_due_dates import MemberDates, dates_of_member, move_due_dates
from quizzes.classes.services import (
    ClassError,
    change_member,
    invite,
    merge_members,
    remove_member,
    restore_member,
)
from quizzes.content_files.typed_text import isolate, read_whole_number
from quizzes.learners.models import Learner
from quizzes.learners.password_again import ask_password, must_type_password
from quizzes.teaching.access import CLASS_ROLE, editor_of, for_class_instructors, for_class_staff
from quizzes.teaching.addresses import class_address
from quizzes.teaching.lists import page_of, requested_filter
from quizzes.teaching.people.forms import MemberForm, MoveDatesForm
from quizzes.teaching.people.learner_work import work_of

State, Role = Membership.State, Membership.Role
MOST_NAMED = 10  # assignments in a message
STATES = {"": "All except removed", **dict(State.choices), State.ACTIVE.value: "Joined"}


@never_cache
@require_safe
@for_class_staff
def people(request: HttpRequest, cohort: Cohort) -> HttpResponse:
    """Show all people of the class, by words, section, role and state, and likely doubles."""
    words, section, role, state = (
        requested_filter(request, name) for name in ("q", "section", "role", "state")
    )
    rows = find_members(cohort, words, section=section, role=role if role in Role.values else "")
    states = [state] if state in State.values else LISTED
    rows = rows.filter(state__in=states).select_related("user", "link_mail")
    page = page_of(request, rows.order_by("name", "email", "pk"))
    now = timezone.now()
    doubtful = Membership.objects.filter(cohort=cohort, state__in=LISTED)
    doubles = same_person(list(doubtful.select_related("user")))
    invited = Membership.objects.in_bulk(doubles)
    context = {
        "cohort": cohort,
        "page": page,
        "members": [(member, link_words(member, now)) for member in page],
        "words": words,
        "sections": sections_of(cohort),
        "section": section,
        "roles": Role.choices,
        "role": role,
        "states": STATES,
        "state": state,
        "doubles": [(invited[pk], other) for pk, other in doubles.items() if pk in invited],
        "may_manage": CLASS_ROLE.of(request).may_manage,
    }
    return render(request, "teaching/people/people.html", context)


def _member(cohort: Cohort, number: int) -> Membership:
    rows = Membership.objects.filter(cohort=cohort)
    rows = rows.select_related("user", "cohort__course", "link_mail")
    return get_object_or_404(rows, pk=number)


@never_cache
@require_http_methods(["GET", "HEAD"])
@for_class_staff
def member(request: HttpRequest, cohort: Cohort, number: int) -> HttpResponse:
    """Show one person: what the roster says, and their work in the class."""
    membership = _member(cohort, number)
    return _page(request, cohort, membership, MemberForm(instance=membership))


def _page(
    request: HttpRequest,
    cohort: Cohort,
    member: Membership,
    form: MemberForm,
    *,
    status: int = 200,
    link: str = "",
    move_form: MoveDatesForm | None = None,
) -> HttpResponse:
    learner = Learner.objects.filter(user=member.user_id).first() if member.user_id else None
    shown = learner is not None and member.state == State.ACTIVE
    if shown:
        record_opening_for_class(cohort, editor_of(request), [member.as_subject()])
    context = {
        "cohort": cohort,
        "member": member,
        "form": form,
        "link": link,
        "link_words": link_words(member, timezone.now()),
        "may_manage": CLASS_ROLE.of(request).may_manage,
        "in_list": f"?member={member.pk}",
        "dates": _dates(cohort, member),
        "move_form": move_form or MoveDatesForm(),
        "can_be_viewed": member.role == Role.STUDENT and shown,
        **(work_of(cohort, learner) if learner and shown else {}),
    }
    return render(request, "teaching/people/member.html", context, status=status)


def _dates(cohort: Cohort, member: Membership) -> list[MemberDates]:
    """Return the dates of a student, none of staff or of a deleted person."""
    if member.role != Role.STUDENT or member.state == State.DELETED:
        return []
    return dates_of_member(cohort, member)


@require_POST
@for_class_staff
def move_dates(request: HttpRequest, cohort: Cohort, number: int) -> HttpResponse:
    """Move everything due to a student between two days by some days."""
    member = _member(cohort, number)
    form = MoveDatesForm(request.POST)
    if not _dates(cohort, member):
        messages.error(request, "Nothing was changed: this person has no assignments.")
        return redirect(class_address(cohort, "class-member", number))
    if form.is_valid():
        try:
            moved = move_due_dates(member=member, by=editor_of(request), **form.cleaned_data)
        except ValidationError as error:
            form.add_error(None, error.messages)
        except OverflowError:
            days = form.cleaned_data["days"]
            form.add_error("days", f"A date {days} days later is outside the calendar.")
        else:
            if moved:
                messages.success(request, _moved_words(moved, cohort))
                return redirect(class_address(cohort, "class-member", number))
            first, last = form.cleaned_data["first"], form.cleaned_data["last"]
            form.add_error(None, f"Nothing is due from {first} to {last}.")
    return _page(request, cohort, member, MemberForm(instance=member), status=400, move_form=form)


def _moved_words(moved: list[tuple[Assignment, datetime]], cohort: Cohort) -> str:
    """Return the message that names each assignment with its new due date, at most ten."""
    now = timezone.now()
    names = [
        f"“{isolate(assignment.title)}” (due {on_the_wall(due, cohort.zone, now)})"
        for assignment, due in moved[:MOST_NAMED]
    ]
    if len(moved) > MOST_NAMED:
        names.append(f"{len(moved) - MOST_NAMED} more")
    return f"Moved {get_text_list(names, 'and')}."


@require_POST
@for_class_instructors
def change(request: HttpRequest, cohort: Cohort, number: int) -> HttpResponse:
    """Change what the class says of a person. Another role takes the password, as in courses."""
    member = _member(cohort, number)
    form = MemberForm(request.POST, instance=_member(cohort, number))
    if form.is_valid():
        if form.cleaned_data["role"] != member.role and must_type_password(request):
            return ask_password(request, page=class_address(cohort, "class-member", number))
        try:
            change_member(member=member, by=editor_of(request), **form.cleaned_data)
        except ClassError as error:
            form.add_error(None, f"{error}.")
        else:
            messages.success(request, "Saved.")
            return redirect(class_address(cohort, "class-member", number))
    return _page(request, cohort, member, form, status=400)


def _done(
    request: HttpRequest, cohort: Cohort, number: int, deed: Callable[[], object], words: str
) -> HttpResponse:
    try:
        deed()
    except ClassError as error:
        messages.error(request, f"{error}. Nothing was changed.")
    else:
        messages.success(request, words)
    there = Membership.objects.filter(pk=number).exists()
    page = ("class-member", number) if there else ("class-people",)
    return redirect(class_address(cohort, *page))


@require_POST
@for_class_instructors
def remove(request: HttpRequest, cohort: Cohort, number: int) -> HttpResponse:
    """Remove a person; work and marks stay."""
    person = _member(cohort, number)
    words = f"{isolate(person.label)} is no longer in the class."
    return _done(
        request, cohort, number, lambda: remove_member(member=person, by=editor_of(request)), words
    )


@require_POST
@for_class_instructors
def restore(request: HttpRequest, cohort: Cohort, number: int) -> HttpResponse:
    """Take a removed person back."""
    person = _member(cohort, number)
    words = f"{isolate(person.label)} is back in the class."
    return _done(
        request, cohort, number, lambda: restore_member(member=person, by=editor_of(request)), words
    )


@require_POST
@for_class_instructors
def merge(request: HttpRequest, cohort: Cohort, number: int) -> HttpResponse:
    """Make one person of an invited row and of the row of the account that joined."""
    member = _member(cohort, number)
    other = _member(cohort, read_whole_number(request.POST.get("joined", "")) or 0)
    words = f"{isolate(member.label)} and {isolate(other.label)} are now listed as one person."
    return _done(
        request,
        cohort,
        other.pk,
        lambda: merge_members(invited=member, joined=other, by=editor_of(request)),
        words,
    )


@never_cache
@require_POST
@for_class_instructors
def invitation(request: HttpRequest, cohort: Cohort, number: int) -> HttpResponse:
    """Make a personal link, and show it this once. One that makes staff takes the password."""
    member = _member(cohort, number)
    if Role(member.role).teaches and must_type_password(request):
        return ask_password(request, page=class_address(cohort, "class-member", number))
    secrets = invite(members=[member], by=editor_of(request))
    if member.pk not in secrets:
        messages.error(request, f"{isolate(member.label)} has already joined. Nothing was changed.")
        return redirect(class_address(cohort, "class-member", number))
    link = request.build_absolute_uri(reverse("classes:invited", args=[secrets[member.pk]]))
    return _page(request, cohort, member, MemberForm(instance=member), link=link)


@require_POST
@for_class_instructors
def view(request: HttpRequest, cohort: Cohort, number: int) -> HttpResponse:
    """Show the pages of the course as this student sees them."""
    try:
        view_as.begin(request, member=_member(cohort, number), by=editor_of(request))
    except view_as.ViewAsError as error:
        messages.error(request, f"Nothing was changed: {error}.")
        return redirect(class_address(cohort, "class-member", number))
    return redirect(cohort.course.get_absolute_url())


@require_POST
def end_view(request: HttpRequest) -> HttpResponse:
    """Show one's own pages again."""
    member = view_as.end(request)
    if member is None:
        return redirect("teaching:index")
    return redirect(class_address(member.cohort, "class-member", member.pk))
