"""Instructors' pages of a course's contents: what it has, the order of lessons, its files."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, HttpResponseBadRequest
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from quizzes.authoring.course_zip import write_zip
from quizzes.authoring.lesson_order import StaleOrderError, move_lesson, order_token
from quizzes.content_files.typed_text import isolate
from quizzes.courses.audit import record
from quizzes.courses.models import Course
from quizzes.lessons.pictures.course_pictures import picture_rows
from quizzes.teaching.access import editor_of, for_editors, for_viewers
from quizzes.teaching.addresses import address_in
from quizzes.teaching.contents.rows import contents_of
from quizzes.teaching.studio_views import LISTS, PAGES

DIRECTIONS = {"up": -1, "down": 1}


@never_cache
@require_safe
@for_viewers
def contents(request: HttpRequest, course: Course) -> HttpResponse:
    """Show everything that a course has, in its order, with what is draft, edited or withdrawn."""
    shown = contents_of(course, {*PAGES, "exercise"})
    new = [(kind, address_in(course, LISTS[kind])) for kind in PAGES]
    context = {
        **{"contents": shown, "order": order_token(shown.order), "new": new},
        "pictures": picture_rows(course),
    }
    return render(request, "teaching/contents/contents.html", context)


@require_POST
@for_editors
def move(request: HttpRequest, course: Course) -> HttpResponse:
    """Move a lesson one place up or down."""
    slug, by = request.POST.get("lesson", ""), DIRECTIONS.get(request.POST.get("direction", ""))
    if by is None:
        return HttpResponseBadRequest("direction: must be up or down", content_type="text/plain")
    try:
        lesson = move_lesson(
            course,
            slug,
            by=by,
            shown=request.POST.get("order", ""),
            editor=editor_of(request),
        )
    except StaleOrderError:
        messages.error(
            request, "Not moved: the order was changed after you opened this page. Check it first."
        )
        return redirect(address_in(course, "contents"))
    messages.success(request, f"{isolate(lesson.title)} is lesson {lesson.number} now.")
    return redirect(f"{address_in(course, 'contents')}#lesson-{slug}")


@never_cache
@require_safe
@for_editors
def download(request: HttpRequest, course: Course) -> HttpResponse:
    """Send the files of a course as a zip: what `export_content` writes into a folder."""
    data = write_zip(course)
    if request.method == "GET":
        record(by=editor_of(request), act="downloaded the course", course=course)
    name = f'attachment; filename="{course.slug}.zip"'
    headers = {"Content-Disposition": name, "X-Content-Type-Options": "nosniff"}
    return HttpResponse(data, content_type="application/zip", headers=headers)
