"""The roster of a class: a file in, in two steps, and out; links for learners who have not come."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, HttpResponseBadRequest
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from quizzes.classes.exports.csv_lines import COMMA, csv_lines
from quizzes.classes.models import Cohort, Membership
from quizzes.classes.roster import Plan, RosterError, apply_roster, plan_of
from quizzes.classes.roster_files import (
    MOST_BYTES,
    WRITERS,
    RosterFile,
    read_roster,
    write_roster,
)
from quizzes.classes.services import invite
from quizzes.courses.audit import record
from quizzes.learners.password_again import ask_password, must_type_password
from quizzes.teaching.access import editor_of, for_class_instructors
from quizzes.teaching.addresses import class_address
from quizzes.teaching.downloads import csv_file, separator_of
from quizzes.teaching.lists import key_in

FORMS = {
    "plain": "Ordinal's own form",
    "moodle": "Moodle's form",
    "canvas": "Canvas's form",
}
State = Membership.State


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@for_class_instructors
def roster(request: HttpRequest, cohort: Cohort) -> HttpResponse:
    """Take a file, or text that was pasted, and show what it would change; store nothing."""
    if request.method != "POST":
        return render(request, "teaching/people/roster.html", {"cohort": cohort})
    given = request.FILES.get("file")
    data: bytes = given.read(MOST_BYTES + 1) if given else request.POST.get("text", "").encode()
    return _shown(request, cohort, read_roster(data), data)


def _shown(
    request: HttpRequest,
    cohort: Cohort,
    read: RosterFile,
    data: bytes,
    *,
    problem: str = "",
    remove: set[int] | None = None,
) -> HttpResponse:
    plan = plan_of(cohort, read) if read.form else Plan(refused=list(read.faults))
    context = {
        "cohort": cohort,
        "roster": read,
        "form_name": FORMS.get(read.form, ""),
        "plan": plan,
        "text": data.decode("utf-8-sig", "replace") if not plan.refused else "",
        "problem": problem,
        "remove": remove or set(),
    }
    status = 400 if plan.refused else 409 if problem else 200
    return render(request, "teaching/people/roster_plan.html", context, status=status)


@never_cache
@require_POST
@for_class_instructors
def apply(request: HttpRequest, cohort: Cohort) -> HttpResponse:
    """Store all of what the table said, or nothing. Roles of staff take the password."""
    data = request.POST.get("text", "").encode()
    ticked = request.POST.getlist("remove")
    remove = {key for one in ticked if (key := key_in(one)) is not None}
    read = read_roster(data)
    roles = {one.role for one in read.people} - {"", Membership.Role.STUDENT}
    if roles and must_type_password(request):
        return ask_password(request, page=class_address(cohort, "class-roster"))
    digest = request.POST.get("digest", "")
    try:
        plan = apply_roster(
            cohort=cohort, roster=read, by=editor_of(request), digest=digest, remove=remove
        )
    except RosterError as error:
        problem = f"Nothing was stored: {error}."
        return _shown(request, cohort, read, data, problem=problem, remove=remove)
    messages.success(
        request,
        f"The roster was applied: {len(plan.added)} added, {len(plan.changed)} changed,"
        f" {len(plan.unchanged)} unchanged, {len(remove)} removed.",
    )
    return redirect(class_address(cohort, "class-people"))


@never_cache
@require_safe
@for_class_instructors
def download(request: HttpRequest, cohort: Cohort) -> HttpResponse:
    """Give the roster as a file, in our form, Moodle's or Canvas's."""
    form = request.GET.get("as", "plain")
    if form not in WRITERS:
        words = f"as: must be one of {', '.join(WRITERS)}"
        return HttpResponseBadRequest(words, content_type="text/plain")
    members = Membership.objects.filter(cohort=cohort, state__in=[State.ACTIVE, State.INVITED])
    record(
        by=editor_of(request), act="exported the roster", course=cohort.course, cohort=cohort.slug
    )
    separator = separator_of(request) if form == "plain" else COMMA
    lines = write_roster(members.order_by("name", "pk"), form, separator)
    return csv_file(lines, f"{cohort.slug}-roster.csv")


@never_cache
@require_POST
@for_class_instructors
def links(request: HttpRequest, cohort: Cohort) -> HttpResponse:
    """Make a personal link for everybody who has not come, and give them as a file."""
    invited = list(
        Membership.objects.filter(cohort=cohort, state=State.INVITED)
        .select_related("cohort__course")
        .order_by("name", "pk")
    )
    if any(Membership.Role(one.role).teaches for one in invited) and must_type_password(request):
        return ask_password(request, page=class_address(cohort, "class-people"))
    secrets = invite(members=invited, by=editor_of(request))
    rows = [["email", "name", "external_id", "link"]]
    for one in invited:
        link = request.build_absolute_uri(reverse("classes:invited", args=[secrets[one.pk]]))
        rows.append([one.email, one.name, one.external_id, link])
    return csv_file(csv_lines(rows, separator_of(request)), f"{cohort.slug}-links.csv")
