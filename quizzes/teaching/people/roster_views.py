"""The roster of a class: a file in, in two steps, and out; links for learners who have not come.

A file whose columns nobody knows takes a step more: the page asks which column is which, and the
class remembers it for the next such file.
"""

from django.conf import settings
from django.contrib import messages
from django.http import HttpRequest, HttpResponse, HttpResponseBadRequest
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from quizzes.classes.exports.csv_lines import COMMA, csv_lines
from quizzes.classes.log import record_for_class
from quizzes.classes.models import Cohort, Membership
from quizzes.classes.rosters.column_memory import remember_columns
from quizzes.classes.rosters.columns import (
    FORMS,
    MEANINGS,
    Columns,
    ColumnsError,
    chosen_columns,
)
from quizzes.classes.rosters.identity import Identity, identities_of, unknown_people
from quizzes.classes.rosters.plan import Plan, RosterError, apply_roster, plan_of
from quizzes.classes.rosters.reader import RosterFile, read_roster
from quizzes.classes.rosters.table import ENCODINGS, MOST_BYTES, WINDOWS, TableError, decode
from quizzes.classes.rosters.writers import WRITERS, write_roster
from quizzes.classes.services import invite
from quizzes.content_files.typed_text import read_whole_number
from quizzes.learners.password_again import ask_password, must_type_password
from quizzes.teaching.access import editor_of, for_class_instructors
from quizzes.teaching.addresses import class_address
from quizzes.teaching.downloads import csv_file, separator_of

State = Membership.State


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@for_class_instructors
def roster(request: HttpRequest, cohort: Cohort) -> HttpResponse:
    """Take a file, or text that was pasted, and show what it would change; store no person.

    `choose` asks which column is which; `first` and `column` say it, and the class remembers it.
    """
    if request.method != "POST":
        unknown = unknown_people(*_members_and_people(cohort))
        context = {"cohort": cohort, "unknown": unknown, "mail_is_on": settings.CLASS_MAIL}
        return render(request, "teaching/people/roster.html", context)
    file = request.FILES.get("file")
    data: bytes = file.read(MOST_BYTES + 1) if file else _typed(request)
    read = read_roster(data, cohort.roster_columns)
    if read.columns is None:
        return _plan_page(request, cohort, read, data)
    if "column" not in request.POST:
        asks = read.asks or "choose" in request.POST
        return (_columns_page if asks else _plan_page)(request, cohort, read, data)
    try:
        columns = _chosen(request, read)
    except ColumnsError as error:
        return _columns_page(request, cohort, read, data, problem=str(error))
    remember_columns(cohort=cohort, columns=columns)
    return _plan_page(request, cohort, read_roster(data, columns=columns), data)


def _typed(request: HttpRequest) -> bytes:
    """Return the text of a form; a browser sends its lines with two characters at their ends."""
    return request.POST.get("text", "").replace("\r\n", "\n").encode()


def _how_read(request: HttpRequest, read: RosterFile) -> dict[str, object]:
    """Return the context about how the file was read, also for the steps after it was chosen.

    What comes back from a page is text, which says nothing of the file; pasted text has none.
    """
    of_file = read.table.encoding if request.FILES and read.table else ""
    encoding = of_file or request.POST.get("encoding", "")
    encoding = encoding if encoding in ENCODINGS else ""
    return {
        "encoding": encoding,
        "is_guess": encoding == WINDOWS,
        "separator": read.table.separator_words if read.table else "",
    }


def _text_of(data: bytes) -> str:
    """Return a file as the text that comes back with the next step; "" where it is none."""
    try:
        return decode(data)[0]
    except TableError:
        return ""


def _chosen(request: HttpRequest, read: RosterFile) -> Columns:
    has_header = request.POST.get("first") != "person"
    return chosen_columns(read.first, request.POST.getlist("column"), has_header=has_header)


def _columns_page(
    request: HttpRequest, cohort: Cohort, read: RosterFile, data: bytes, *, problem: str = ""
) -> HttpResponse:
    """Ask which column is which; a choice that cannot be stands in the lists still."""
    assert read.columns is not None
    sent = request.POST.getlist("column")
    chosen = sent if len(sent) == len(read.columns.meanings) else read.columns.meanings
    first = request.POST.get("first") or ("names" if read.columns.has_header else "person")
    context = {
        "cohort": cohort,
        **_how_read(request, read),
        "text": _text_of(data),
        "problem": problem,
        "first": first,
        "meanings": list(MEANINGS.items()),
        "columns": list(zip(read.columns.names, chosen, read.samples, strict=True)),
    }
    status = 400 if problem else 200
    return render(request, "teaching/people/roster_columns.html", context, status=status)


def _plan_page(
    request: HttpRequest,
    cohort: Cohort,
    read: RosterFile,
    data: bytes,
    *,
    problem: str = "",
    remove: set[int] | None = None,
) -> HttpResponse:
    is_read = read.columns is not None and not read.asks
    plan = plan_of(cohort, read) if is_read else Plan(refused=list(read.faults))
    context = {
        "cohort": cohort,
        "roster": read,
        "form_name": FORMS[read.columns.form] if read.columns else "",
        **_how_read(request, read),
        "plan": plan,
        "text": _text_of(data),
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
    data = _typed(request)
    ticked = request.POST.getlist("remove")
    remove = {key for one in ticked if (key := read_whole_number(one)) is not None}
    read = read_roster(data, cohort.roster_columns)
    if read.asks:
        return _columns_page(request, cohort, read, data)
    roles = {person.role for person in read.people} - {"", Membership.Role.STUDENT}
    if roles and must_type_password(request):
        return ask_password(request, page=class_address(cohort, "class-roster"))
    try:
        plan = apply_roster(
            cohort=cohort,
            roster=read,
            by=editor_of(request),
            digest=request.POST.get("digest", ""),
            remove=remove,
            accounts_are_theirs=request.POST.get("accounts") == "yes",
        )
    except RosterError as error:
        problem = f"Nothing was saved: {error}."
        return _plan_page(request, cohort, read, data, problem=problem, remove=remove)
    messages.success(
        request,
        f"The roster was applied: {len(plan.added)} added, {len(plan.changed)} changed,"
        f" {len(plan.unchanged)} unchanged, {len(remove)} removed.",
    )
    return redirect(class_address(cohort, "class-people"))


def _members_and_people(cohort: Cohort) -> tuple[list[Membership], dict[int, Identity]]:
    """Return the members that a roster lists, and who all of the class are. Two queries."""
    rows = Membership.objects.filter(cohort=cohort, state__in=[State.ACTIVE, State.INVITED])
    return list(rows.select_related("user").order_by("name", "pk")), identities_of(cohort)


@never_cache
@require_safe
@for_class_instructors
def download(request: HttpRequest, cohort: Cohort) -> HttpResponse:
    """Give the roster as a file, in our form, Moodle's or Canvas's."""
    form = request.GET.get("as", "plain")
    if form not in WRITERS:
        words = f"as: must be one of {', '.join(WRITERS)}"
        return HttpResponseBadRequest(words, content_type="text/plain")
    members, people = _members_and_people(cohort)
    record_for_class(cohort, editor_of(request), "exported the roster")
    separator = separator_of(request) if form == "plain" else COMMA
    lines = write_roster([people[member.pk] for member in members], form, separator)
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
