"""Announcements of a class: the list with the form that writes one."""

from django.contrib import messages
from django.db.models import Count
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from quizzes.classes.access import students_of
from quizzes.classes.messages import announce, take_back
from quizzes.classes.models import Announcement, Cohort
from quizzes.content_files.typed_text import isolate
from quizzes.pages.markdown import render_markdown
from quizzes.teaching.access import editor_of, for_class_instructors
from quizzes.teaching.addresses import class_address
from quizzes.teaching.lists import page_of
from quizzes.teaching.people.forms import AnnouncementForm


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@for_class_instructors
def announcements(request: HttpRequest, cohort: Cohort) -> HttpResponse:
    """List what the class was told; POST tells it something more."""
    form = AnnouncementForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        announce(cohort=cohort, by=editor_of(request), **form.cleaned_data)
        number = students_of(cohort).count()
        messages.success(
            request,
            f"Sent to {number} student{'s' * (number != 1)}: they can read it under Messages.",
        )
        return redirect(class_address(cohort, "class-announcements"))
    told = Announcement.objects.filter(cohort=cohort).annotate(told=Count("to"))
    page = page_of(request, told.select_related("by").order_by("-published_at", "-pk"))
    context = {
        "cohort": cohort,
        "page": page,
        "rows": [(one, render_markdown(one.text, headings_from=3)) for one in page],
        "form": form,
    }
    return render(
        request, "teaching/people/announcements.html", context, status=400 if form.errors else 200
    )


@require_POST
@for_class_instructors
def remove(request: HttpRequest, cohort: Cohort, number: int) -> HttpResponse:
    """Delete an announcement."""
    announcement = get_object_or_404(Announcement, cohort=cohort, pk=number)
    take_back(announcement=announcement, by=editor_of(request))
    messages.success(request, f"“{isolate(announcement.title)}” was deleted.")
    return redirect(class_address(cohort, "class-announcements"))
