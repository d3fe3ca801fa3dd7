"""Instructors' pages: this week of a class, and what is done about a known mistake."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, HttpResponseBadRequest, QueryDict
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.http import urlencode
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from quizzes.classes.marks.reader import assignments_of
from quizzes.classes.models import Cohort, Deed, Membership
from quizzes.classes.week.calendar import NotAWeekError, Week
from quizzes.classes.week.corrections import CourseRegrade, regrades_by_the_course
from quizzes.classes.week.day_counts import count_by_day
from quizzes.classes.week.deeds import DeedError, acceptance_of, do_about, take_back
from quizzes.classes.week.reader import (
    MistakeRow,
    ThisWeek,
    mistake_rows,
    read_week,
    step_of,
)
from quizzes.classes.week.signs import Signs, read_signs
from quizzes.classes.week.to_do import needs_help, not_begun, our_failures_among
from quizzes.classes.week.unnamed import read_unnamed
from quizzes.content_files.typed_text import read_whole_number
from quizzes.courses.models import Course
from quizzes.courses.roles import role_in
from quizzes.exercises.failure_picture import captions_of
from quizzes.lessons.models import Step
from quizzes.pages.markdown import render_inline
from quizzes.teaching.access import editor_of, for_class_instructors, for_class_staff
from quizzes.teaching.addresses import address_in, class_address
from quizzes.teaching.lists import requested_filter
from quizzes.teaching.people.class_views import join_address
from quizzes.teaching.people.forms import AnnouncementForm
from quizzes.teaching.week.curve import curve_of

State, Role, Kind = Membership.State, Membership.Role, Deed.Kind
MOST_FAILURES = 20
MOST_HELP = 20
MOST_IN_DIGEST = 5
CAPTIONS = {"reference": "Reference", "yours": "Theirs"}  # of the two pictures


def people_of(cohort: Cohort) -> list[Membership]:
    """Return everybody who has a place in a class, with accounts and learners. One query."""
    rows = Membership.objects.filter(cohort=cohort).select_related("user__learner")
    return list(rows.order_by("name", "pk"))


def students_by_learner(people: Sequence[Membership]) -> dict[int, Membership]:
    """Return the active students among these people, by the keys of their learners."""
    return {
        person.user.learner.pk: person
        for person in people
        if person.state == State.ACTIVE
        and person.role == Role.STUDENT
        and person.user is not None
        and hasattr(person.user, "learner")
    }


@never_cache
@require_safe
@for_class_staff
def this_week(request: HttpRequest, cohort: Cohort) -> HttpResponse:
    """Show the known mistakes of a week, what is due, who needs help, and what failed."""
    name = requested_filter(request, "week")
    try:
        week = Week.named(name, cohort.zone) if name else Week.at(timezone.now(), cohort.zone)
    except NotAWeekError as error:
        return _refused(str(error))
    return _page(request, cohort, week)


def _page(
    request: HttpRequest,
    cohort: Cohort,
    week: Week,
    *,
    about: str = "",
    form: AnnouncementForm | None = None,
) -> HttpResponse:
    """Show a week; `form` is what was typed about one of its mistakes and has a fault."""
    now = timezone.now()
    current = Week.at(now, cohort.zone)
    people = people_of(cohort)
    members = students_by_learner(people)
    found = read_week(cohort, members, week)
    rows = [
        {
            **_brief(cohort, row, found.signs, week, now),
            **_details(cohort, row, week),
            "form": form if row.name == about else None,
        }
        for row in found.rows
    ]
    unnamed = read_unnamed(cohort, found.signs, week)
    context = {
        "cohort": cohort,
        "week": week,
        "is_current": week == current,
        "has_next": week.monday < current.monday,
        "rows": rows,
        "further": [_brief(cohort, row, found.signs, week, now) for row in found.further],
        "students": len(members),
        "invited": sum(one.state == State.INVITED for one in people),
        "unnamed": unnamed,
        "course_role": role_in(cohort.course, request.user) if unnamed.groups else None,
        "staff": [one for one in people if one.state == State.ACTIVE and one.role != Role.STUDENT],
        "join_link": request.build_absolute_uri(join_address(cohort)),
        **(_to_do(cohort, members, now, found) if week == current else {}),
    }
    return render(request, "teaching/week/week.html", context, status=400 if form else 200)


def _to_do(
    cohort: Cohort, members: dict[int, Membership], now: datetime, this_week: ThisWeek
) -> dict[str, Any]:
    sent, assigned = this_week.signs.sent, list(assignments_of(cohort))
    since = this_week.week.previous.begins_at
    failures, helped = our_failures_among(sent), needs_help(sent, members)
    return {
        "corrected": _corrected(cohort, regrades_by_the_course(assigned, members, since)),
        "not_begun": not_begun(cohort, assigned, members, now),
        "helped": helped[:MOST_HELP],
        "helped_more": max(0, len(helped) - MOST_HELP),
        "failures": failures[:MOST_FAILURES],
        "failures_more": max(0, len(failures) - MOST_FAILURES),
    }


def _corrected(cohort: Cohort, regrades: Sequence[CourseRegrade]) -> list[dict[str, Any]]:
    """Return regrades by the course with the page on which the class can decline them."""
    return [
        {
            "regrade": regrade,
            "address": f"{address_in(cohort.course, f'regrade_{regrade.kind}', regrade.slug)}"
            f"?{urlencode({'class': cohort.slug})}",
        }
        for regrade in regrades
    ]


def digest(cohort: Cohort) -> dict[str, Any]:
    """Return the mistakes that concern most in this week of a class. Seven queries at most."""
    now = timezone.now()
    week = Week.at(now, cohort.zone)
    signs = read_signs(cohort, students_by_learner(people_of(cohort)), week.previous.begins_at)
    rows = mistake_rows(cohort, signs, week)
    return {
        "cohort": cohort,
        "week": week,
        "rows": [_brief(cohort, row, signs, week, now) for row in rows[:MOST_IN_DIGEST]],
        "more": max(0, len(rows) - MOST_IN_DIGEST),
    }


def _sentence(row: MistakeRow) -> dict[str, Any]:
    """Return a row with its sentence, and what was done about it, for a form."""
    return {
        "row": row,
        "sentence": render_inline(row.sentence),
        "seen": len(row.deeds),
        "kinds": {done.deed.kind for done in row.deeds},
    }


def _brief(
    cohort: Cohort, row: MistakeRow, signs: Signs, week: Week, now: datetime
) -> dict[str, Any]:
    """Return a row with its sentence, its curve and the step that explains it."""
    return {
        **_sentence(row),
        "step": step_of(cohort, row),
        "curve": curve_of(count_by_day(signs, row.name, week, now)),
    }


def _details(cohort: Cohort, row: MistakeRow, week: Week) -> dict[str, Any]:
    """Return the rest of a row on the page of the week: its pictures, and what can be done."""
    step = step_of(cohort, row)
    return {
        "requirement": render_inline(row.requirement) if row.requirement else "",
        "pictures": _pictures(cohort, row),
        "title": f"A mistake in {row.facts.title or row.facts.exercise}",
        "text": row.sentence + (f"\n\n[The step that explains it]({step})" if step else ""),
        "regrade": _regrade(cohort, row),
        "right": f"{class_address(cohort, 'class-right')}?"
        f"{urlencode({'week': week.name, 'mistake': row.name})}",
    }


def _pictures(cohort: Cohort, row: MistakeRow) -> list[dict[str, str]]:
    """Return what the newest code that can be drawn should give and what it gives, as pictures."""
    for sample in row.samples:
        layers = captions_of(sample.picture, whose="Their") if sample.picture else ()
        if layers:  # a single cell has none
            return [
                {
                    "address": class_address(cohort, "class-picture", sample.submission, layer.name)
                    + f"?v={sample.picture_version}",
                    "caption": CAPTIONS[layer.name],
                    "alt": layer.alt,
                }
                for layer in layers
                if layer.name in CAPTIONS
            ]
    return []


def _regrade(cohort: Cohort, row: MistakeRow) -> str:
    """Return the address for regrading the class's code, once the exercise has no such variant."""
    facts = row.facts
    if facts.is_there or facts.version is None or not row.coders:
        return ""
    address = address_in(cohort.course, "regrade_exercise", facts.exercise)
    return f"{address}?{urlencode({'class': cohort.slug})}"


@require_POST
@for_class_instructors
def deed(request: HttpRequest, cohort: Cohort) -> HttpResponse:
    """Do something about a known mistake, for exactly those whom it concerns in that week."""
    kind, seen = request.POST.get("do", ""), request.POST.get("seen", "")
    members = students_by_learner(people_of(cohort))
    try:
        if kind not in Kind.values:
            raise DeedError(f"do={kind[:20]}: must be one of {', '.join(Kind.values)}")
        found, row = _named(request.POST, cohort, members)
    except (DeedError, NotAWeekError) as error:
        return _refused(str(error))
    week = found.week
    form = AnnouncementForm(request.POST)
    if kind == Kind.TELL and not form.is_valid():
        return _page(request, cohort, week, about=row.name, form=form)
    here = f"{class_address(cohort)}?week={week.name}"
    try:
        done = do_about(
            cohort=cohort,
            row=row,
            week=week,
            members=members,
            kind=Kind(kind),
            by=editor_of(request),
            seen=read_whole_number(seen),
            **(form.cleaned_data if kind == Kind.TELL else {}),
        )
    except DeedError as error:
        messages.error(request, f"Nothing was done: {error}.")
        return redirect(here)
    messages.success(request, _said(cohort.course, row, done))
    step = step_of(cohort, row) if kind == Kind.MEND else ""
    return redirect(step or here)


def _named(
    fields: QueryDict, cohort: Cohort, members: Mapping[int, Membership]
) -> tuple[ThisWeek, MistakeRow]:
    """Return the week and the row that a form names. Raises DeedError or NotAWeekError."""
    name = fields.get("mistake", "").replace("\0", "")[:170]
    found = read_week(cohort, members, Week.named(fields.get("week", ""), cohort.zone))
    row = found.row(name)
    if row is None:
        raise DeedError(f"mistake={name}: nobody made it in {found.week.name}")
    return found, row


@never_cache
@require_safe
@for_class_instructors
def right(request: HttpRequest, cohort: Cohort) -> HttpResponse:
    """Say what changes, and what does not, if this is not a mistake. Stores nothing."""
    members = students_by_learner(people_of(cohort))
    try:
        found, row = _named(request.GET, cohort, members)
    except (DeedError, NotAWeekError) as error:
        return _refused(str(error))
    context = {
        "cohort": cohort,
        "week": found.week,
        "row": _sentence(row),
        "would": acceptance_of(cohort, found, row, members),
    }
    return render(request, "teaching/week/right.html", context)


@require_POST
@for_class_instructors
def undo(request: HttpRequest, cohort: Cohort, number: int) -> HttpResponse:
    """Take back that it is not a mistake; the only thing in a row that can be taken back."""
    here = class_address(cohort)
    try:
        week = Week.named(request.POST.get("week", ""), cohort.zone)
        here = f"{here}?week={week.name}"
        take_back(cohort=cohort, number=number, by=editor_of(request))
        messages.success(request, "Undone: the row no longer says that this is not a mistake.")
    except NotAWeekError as error:
        return _refused(str(error))
    except DeedError as error:
        messages.error(request, f"Nothing was done: {error}.")
    return redirect(here)


def _refused(words: str) -> HttpResponse:
    return HttpResponseBadRequest(words, content_type="text/plain; charset=utf-8")


def _said(course: Course, row: MistakeRow, done: Deed) -> str:
    number = done.members.count()
    people = f"{number} student{'s' * (number != 1)}"
    if done.kind == Kind.TELL:
        verb = "was" if number == 1 else "were"
        return f"{people} {verb} notified under Messages; no other student sees the message."
    if done.kind == Kind.ASK:
        return f"{people} will be asked again in their reviews, from tomorrow on."
    if done.kind == Kind.MEND:
        file = _file_of_step(course, row.facts.step)
        words = f"The text of the step is in the course folder: {file}."
        return words if file else "No step explains this mistake."
    if row.facts.is_built_in:
        return (
            "This mistake is built into the grader and has no file; write to the grader’s "
            "developers."
        )
    if not row.coders:
        return "No mark has changed. Publish a new key for the question, then regrade its answers."
    words = f"The file is {row.facts.file}; the row says what to change. Once the course is loaded"
    return f"{words} without this mistake, the row has a link for grading the submissions again."


def _file_of_step(course: Course, path: str) -> str:
    """Return the file of a step in the folder of its course, "" where there is no such step."""
    lesson, _, slug = path.partition("/")
    found = Step.objects.filter(lesson__course=course, lesson__slug=lesson, slug=slug)
    number = found.values_list("number", flat=True).first()
    return "" if number is None else f"lessons/{lesson}/steps/{number:02}-{slug}.md"
