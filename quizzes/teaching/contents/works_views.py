"""The works of a course, which its steps name as their sources: list them, and add one."""

from typing import Any

from django import forms
from django.contrib import messages
from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from quizzes.authoring.canonical_form import course_file
from quizzes.authoring.course_files import read_course_files
from quizzes.content_files.files import MemoryFiles
from quizzes.content_files.typed_text import isolate
from quizzes.courses.audit import record
from quizzes.courses.drafts import lock_course
from quizzes.courses.models import Course
from quizzes.teaching.access import editor_of, editors_only, for_viewers
from quizzes.teaching.addresses import address_in
from quizzes.teaching.forms import SlugField

MOST_WORKS = 500  # of a course
MAX_TEXT = 500
MAX_ADDRESS = 500


class WorkForm(forms.Form):
    """A work: its name in the course, what learners read, and where it is."""

    name = SlugField(help_text="Lower-case words joined by hyphens, such as vaswani-2017.")
    text = forms.CharField(
        max_length=MAX_TEXT, help_text="Author, year and title, as learners read them."
    )
    url = forms.CharField(max_length=MAX_ADDRESS, help_text="It begins with https://")

    def check_as_file(self, course: Course) -> None:
        """Add the faults that course.yaml would have with this work, in the same words."""
        work = {key: self.cleaned_data.get(key, "") for key in ("text", "url")}
        works = {self.cleaned_data.get("name", "work"): work}
        facts = {"title": course.title, "summary": course.summary, "lessons": [], "sources": works}
        files = read_course_files(MemoryFiles(course.slug, {"course.yaml": course_file(facts)}))
        for problem in files.problems:
            self.add_error(problem.key if problem.key in work else None, problem.message)


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@for_viewers
def works(request: HttpRequest, course: Course) -> HttpResponse:
    """Show the works of a course; an editor adds one."""
    if request.method == "POST":
        editors_only(request)
    form = WorkForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        form.check_as_file(course)
        if form.is_valid() and _add(request, course, form):
            return redirect(address_in(course, "works"))
    context: dict[str, Any] = {"form": form, "works": sorted(course.sources.items())}
    return render(
        request, "teaching/contents/works.html", context, status=400 if form.errors else 200
    )


def _add(request: HttpRequest, course: Course, form: WorkForm) -> bool:
    """Store the work, unless its name is taken or there are too many; then say so in the form."""
    name = form.cleaned_data["name"]
    with transaction.atomic():
        lock_course(course.pk)
        course.refresh_from_db(fields=["sources"])
        if name in course.sources:
            form.add_error("name", f"there is already a work {name}")
        elif len(course.sources) >= MOST_WORKS:
            form.add_error(None, f"the course has {MOST_WORKS} works, which is the most")
        else:
            work = {key: form.cleaned_data[key] for key in ("text", "url")}
            Course.objects.filter(pk=course.pk).update(sources={**course.sources, name: work})
            record(by=editor_of(request), act="added the work", about=name, course=course)
    if form.errors:
        return False
    messages.success(request, f"{isolate(name)} can be named by steps now.")
    return True
