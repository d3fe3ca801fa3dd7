"""A new course in the browser: its name, title and summary; the account becomes its owner."""

from django import forms
from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from quizzes.authoring.begun_courses import TakenError, begin_course, files_of_new_course
from quizzes.content_files.typed_text import isolate
from quizzes.courses.models import Course
from quizzes.learners.instructors import instructors_only
from quizzes.lessons.lesson_fields import MAX_TITLE
from quizzes.teaching.access import editor_of
from quizzes.teaching.addresses import address_in
from quizzes.teaching.forms import SlugField

MAX_SUMMARY = 2_000


class NameForm(forms.Form):
    """The name of a course that is new."""

    slug = SlugField(
        help_text="Lower-case words joined by hyphens. It cannot be changed later.",
    )

    def clean_slug(self) -> str:
        slug = str(self.cleaned_data["slug"])
        if Course.objects.filter(slug=slug).exists():
            raise forms.ValidationError(f"there is already a course {slug}")
        return slug


class NewCourseForm(NameForm):
    """What a new course begins with."""

    title = forms.CharField(max_length=MAX_TITLE)
    summary = forms.CharField(
        max_length=MAX_SUMMARY,
        widget=forms.Textarea(attrs={"rows": 3}),
        help_text="What a learner can do after this course, in one or two sentences.",
    )
    example = forms.BooleanField(
        required=False,
        label="Begin with an example: one lesson, question, quiz and exercise, to change",
    )


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@instructors_only
def new_course(request: HttpRequest) -> HttpResponse:
    """Begin a course that belongs to no folder."""
    account = editor_of(request)
    if not account.is_instructor:
        raise PermissionDenied("only instructors can begin courses")
    form = NewCourseForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        files = files_of_new_course(**form.cleaned_data)
        for problem in files.problems:
            form.add_error(problem.key if problem.key in form.fields else None, problem.message)
        if not files.problems:
            try:
                course = begin_course(files, owner=account, act="began the course")
            except TakenError as error:
                form.add_error("slug", str(error))
            else:
                words = f"{isolate(course.title)} is begun, and you are its owner."
                messages.success(request, words)
                return redirect(address_in(course, "contents"))
    status = 400 if form.errors else 200
    return render(request, "teaching/contents/new_course.html", {"form": form}, status=status)
