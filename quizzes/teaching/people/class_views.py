"""Classes: the list with the form that opens one, and the settings of a class."""

from collections.abc import Callable

from django.conf import settings as django_settings
from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.db.models import Count, Q
from django.http import HttpRequest, HttpResponse, HttpResponseBadRequest
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from quizzes.classes.access import courses_to_teach, taught_classes
from quizzes.classes.models import Cohort, Membership
from quizzes.classes.moved_dates.next_term import model_classes
from quizzes.classes.services import (
    ClassError,
    change_class,
    open_class,
    renew_code,
    set_archived,
    set_joining,
)
from quizzes.content_files.typed_text import isolate
from quizzes.learners.instructors import instructors_only
from quizzes.teaching.access import editor_of, for_class_instructors
from quizzes.teaching.addresses import class_address
from quizzes.teaching.people.forms import ClassForm, OpenClassForm
from quizzes.teaching.people.next_term_views import next_term_address
from quizzes.teaching.people.time_zones import listed_name

State, Role = Membership.State, Membership.Role


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@instructors_only
def classes(request: HttpRequest) -> HttpResponse:
    """List the classes an account teaches; POST opens one."""
    account = editor_of(request)
    courses = courses_to_teach(account)
    models = model_classes(account)
    form = OpenClassForm(request.POST or None, courses=courses, models=models)
    if request.method == "POST":
        if not account.is_instructor:
            raise PermissionDenied("only instructors can open classes")
        if form.is_valid():
            if form.cleaned_data.pop("model", None) is not None:
                return redirect(next_term_address(form))
            try:
                cohort = open_class(by=account, **form.cleaned_data)
            except ClassError as error:
                form.add_error("slug", f"{error}.")
            else:
                messages.success(
                    request,
                    f"The class {isolate(cohort.title)} is open. Share the link below with your"
                    " students.",
                )
                return redirect(class_address(cohort))
    mine = taught_classes(account).select_related("course").annotate(students=STUDENTS)
    context = {
        "classes": [one for one in mine if one.archived_at is None],
        "archived": [one for one in mine if one.archived_at is not None],
        "form": form if account.is_instructor else None,
        "has_courses": courses.exists(),
    }
    return render(
        request, "teaching/people/classes.html", context, status=400 if form.errors else 200
    )


STUDENTS = Count(
    "memberships",
    filter=Q(memberships__state=State.ACTIVE, memberships__role=Role.STUDENT),
    distinct=True,
)


@require_safe
def moved(_: HttpRequest) -> HttpResponse:
    """Lead addresses of named work, which once were of courses, to the list of classes."""
    return redirect("teaching:classes", permanent=True)


def join_address(cohort: Cohort) -> str:
    """Return the path of the class's join link."""
    return reverse("classes:join", args=[cohort.join_code])


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@for_class_instructors
def settings(request: HttpRequest, cohort: Cohort) -> HttpResponse:
    """Change the title, days and zone of a class; its join link; put it away."""
    initial = {
        "title": cohort.title,
        "begins_on": cohort.begins_on,
        "ends_on": cohort.ends_on,
        "zone": cohort.timezone,
    }
    form = ClassForm(request.POST or None, initial=initial)
    if request.method == "POST" and form.is_valid():
        is_moved = form.cleaned_data["zone"] != listed_name(cohort.timezone)
        try:
            change_class(cohort=cohort, by=editor_of(request), **form.cleaned_data)
        except ClassError as error:
            form.add_error(None, f"{error}.")
        else:
            words = "Late days now follow the new time zone: check the marks for late work."
            messages.success(request, f"Saved. {words}" if is_moved else "Saved.")
            return redirect(class_address(cohort, "class-settings"))
    context = {
        "cohort": cohort,
        "form": form,
        "join_link": request.build_absolute_uri(join_address(cohort)),
        "retention_days": django_settings.RETENTION_DAYS,
    }
    return render(
        request, "teaching/people/settings.html", context, status=400 if form.errors else 200
    )


def _open(request: HttpRequest, cohort: Cohort) -> str:
    set_joining(cohort=cohort, by=editor_of(request), is_open=True)
    return "Anyone with the link can now join."


def _close(request: HttpRequest, cohort: Cohort) -> str:
    set_joining(cohort=cohort, by=editor_of(request), is_open=False)
    return "The join link is closed. Personal invitations still work."


def _renew(request: HttpRequest, cohort: Cohort) -> str:
    renew_code(cohort=cohort, by=editor_of(request))
    return "The class has a new link. The old link no longer works."


def _archive(request: HttpRequest, cohort: Cohort) -> str:
    set_archived(cohort=cohort, by=editor_of(request), is_archived=True)
    return "The class has been archived: nobody can join it."


def _take_back(request: HttpRequest, cohort: Cohort) -> str:
    set_archived(cohort=cohort, by=editor_of(request), is_archived=False)
    return "The class has been restored. Its join link is closed."


DEEDS: dict[str, Callable[[HttpRequest, Cohort], str]] = {
    "open": _open,
    "close": _close,
    "renew": _renew,
    "archive": _archive,
    "take-back": _take_back,
}


@require_POST
@for_class_instructors
def change(request: HttpRequest, cohort: Cohort) -> HttpResponse:
    """Open, close or renew the join link; archive the class or take it back."""
    deed = DEEDS.get(request.POST.get("do", ""))
    if deed is None:
        return HttpResponseBadRequest(
            f"do: must be one of {', '.join(DEEDS)}", content_type="text/plain"
        )
    messages.success(request, deed(request, cohort))
    return redirect(class_address(cohort, "class-settings"))
