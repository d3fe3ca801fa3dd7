"""Instructors' pages about one course: its overview, whether it is listed, a copy of it."""

from collections.abc import Callable
from datetime import timedelta
from functools import partial

from django import forms
from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.db.models import Q
from django.http import HttpRequest, HttpResponse, HttpResponseBadRequest
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from quizzes.assessment.models import Attempt
from quizzes.authoring.copies import CopyError, copy_course
from quizzes.classes.publishing.editable_kinds import drafts_in
from quizzes.content_files.fields import MAX_SLUG, is_slug
from quizzes.content_files.typed_text import isolate
from quizzes.courses.audit import record
from quizzes.courses.models import Course
from quizzes.courses.roles import learners_not_counted
from quizzes.teaching.access import ROLE, editor_of, for_owners, for_viewers
from quizzes.teaching.addresses import address_in
from quizzes.teaching.count_cache import cached_count
from quizzes.teaching.lists import learners_of
from quizzes.teaching.overview import MOST_FAILURES, failures_in, refused_in, with_counts
from quizzes.teaching.people.submission_views import recent_submissions

RECENTLY = timedelta(days=7)
LISTED = {"yes": True, "no": False}


@never_cache
@require_safe
@for_viewers
def course_overview(request: HttpRequest, course: Course) -> HttpResponse:
    """Show what a course has, what its class did lately, and the work that needs somebody first."""
    this = Course.objects.filter(pk=course.pk)
    lately, counted_at = cached_count(*recent_counts(course))
    context = {
        "counted": with_counts(this).get(),
        "refused": refused_in(this),
        "drafts": drafts_in(course).select_related("edited_by").order_by("kind", "pk"),
        "may_copy": editor_of(request).is_instructor,
        "counted_at": counted_at,
        **lately,
    }
    if ROLE.of(request).may_edit:
        failures = failures_in(this)
        context |= {"failures": failures[:MOST_FAILURES], "failures_count": failures.count()}
    return render(request, "teaching/course.html", context)


def recent_counts(course: Course) -> tuple[str, Callable[[], dict[str, int]]]:
    """Return the name of the last days' count, and the function that counts it."""
    return f"last days of course {course.pk}", partial(_lately, course)


def _lately(course: Course) -> dict[str, int]:
    """Return the numbers of the class's work in the last days."""
    since, apart = timezone.now() - RECENTLY, learners_not_counted(course).values("pk")
    over = Attempt.objects.handed_in(timezone.now()).filter(quiz__course=course)
    taken = over.filter(Q(submitted_at__gte=since) | Q(submitted_at=None, deadline_at__gte=since))
    active = learners_of(course).filter(last_seen_at__gte=since).exclude(pk__in=apart)
    sent = recent_submissions(course).filter(submitted_at__gte=since)
    return {
        "active": active.count(),
        "taken": taken.exclude(learner__in=apart).count(),
        "handed_in": sent.exclude(learner__in=apart).count(),
    }


@require_POST
@for_owners
def change_listing(request: HttpRequest, course: Course) -> HttpResponse:
    """Put a course on the list of courses, or take it from there."""
    listed = LISTED.get(request.POST.get("listed", ""))
    if listed is None:
        return HttpResponseBadRequest("listed: must be yes or no", content_type="text/plain")
    Course.objects.filter(pk=course.pk).update(is_listed=listed)
    act = "listed the course" if listed else "took the course from the list"
    record(by=editor_of(request), act=act, course=course)
    words = (
        "is now on the list of courses"
        if listed
        else "is no longer listed; people need its address to find it"
    )
    messages.success(request, f"{isolate(course.title)} {words}.")
    return redirect(address_in(course, "course"))


@require_POST
@for_owners
def make_home(request: HttpRequest, course: Course) -> HttpResponse:
    """Make a course the home course of the site, which is for those who run the site to say."""
    if not editor_of(request).is_superuser:
        raise PermissionDenied("only superusers can choose the home course")
    course.make_home()
    record(by=editor_of(request), act="made the home course", course=course)
    messages.success(request, f"{isolate(course.title)} is now the home course of this site.")
    return redirect(address_in(course, "course"))


class CopyForm(forms.Form):
    """The name and title of a copy."""

    slug = forms.CharField(
        max_length=MAX_SLUG,
        help_text="Lower-case words joined by hyphens. It cannot be changed later.",
    )
    title = forms.CharField(max_length=200)

    def clean_slug(self) -> str:
        slug = str(self.cleaned_data["slug"])
        if not is_slug(slug):
            raise forms.ValidationError(f"{slug!r}: must be lower-case words joined by hyphens")
        if Course.objects.filter(slug=slug).exists():
            raise forms.ValidationError(f"there is already a course {slug}")
        return slug


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@for_viewers
def copy(request: HttpRequest, course: Course) -> HttpResponse:
    """Copy a course; the account that does becomes the owner of the copy, which is not listed."""
    if not editor_of(request).is_instructor:
        raise PermissionDenied("only instructors can copy courses")
    form = CopyForm(request.POST or None, initial={"title": f"{course.title} (copy)"})
    if request.method == "POST" and form.is_valid():
        try:
            new = copy_course(course, owner=editor_of(request), **form.cleaned_data)
        except CopyError as error:
            form.add_error(None, str(error))
        else:
            messages.success(
                request,
                f"{isolate(new.title)} is a copy of {isolate(course.title)} and belongs to you.",
            )
            return redirect(address_in(new, "course"))
    return render(request, "teaching/copy.html", {"form": form}, status=400 if form.errors else 200)
