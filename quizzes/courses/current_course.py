"""The course that a request is about: the one its address names, else the home course."""

from collections.abc import Callable
from functools import cache, wraps
from http import HTTPStatus
from typing import Any

from django.db.models import QuerySet, SlugField
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import render
from django.utils.functional import SimpleLazyObject

from quizzes.courses.content import cached_content, note_token
from quizzes.courses.models import LATER, Course
from quizzes.courses.old_names import moved
from quizzes.request_values import RequestValue
from quizzes.statements import Param, Reader

COURSE: RequestValue[Course] = RequestValue("course")  # the one that the address names


def home_course() -> Course | None:
    """Return the first course of the site, None on a site without courses. One query."""
    return next(iter(all_courses()), None)


def all_courses() -> list[Course]:
    """Return the courses of the site, the home course first. One query."""
    return [note_token(course) for course in _all_courses().read()]


def course_named(slug: str) -> Course | None:
    """Return a course by its slug, without its sources and order. One query."""
    course = _named_course().first(slug=slug)
    return course and note_token(course)


@cache
def _all_courses() -> Reader[Course]:
    return Reader(_with_home())


@cache
def _named_course() -> Reader[Course]:
    return Reader(_with_home().filter(slug=Param("slug", SlugField())))


def _with_home() -> QuerySet[Course]:
    """Return courses with the key of the home course: the frame of a page names every other."""
    rows = Course.objects.annotate(home_pk=Course.objects.values("pk")[:1])  # type: ignore[no-redef]
    return rows.defer(*LATER)


@cached_content
def course_sources(course: int) -> dict[str, dict[str, str]]:
    """Return the works that a course cites, by key."""
    rows = Course.objects.filter(pk=course).values_list("sources", flat=True)
    return next(iter(rows), {})


def in_course(view: Callable[..., HttpResponseBase]) -> Callable[..., HttpResponseBase]:
    """Give a view the course that its address names by slug; 404 where there is none.

    The request remembers it, so that the frame of the page leads to the lists of this course.
    What is not found, or was withdrawn, may have another name by now; then its address leads on.
    """

    @wraps(view)
    def answer(request: HttpRequest, course: str, *args: Any, **kwargs: Any) -> HttpResponseBase:
        row = course_named(course)
        if row is None:
            raise Http404(f"there is no course {course}")
        COURSE.set(request, row)
        try:
            response = view(request, row, *args, **kwargs)
        except Http404:
            if (elsewhere := moved(request, row)) is not None:
                return elsewhere
            raise
        if response.status_code in {HTTPStatus.NOT_FOUND, HTTPStatus.GONE}:
            return moved(request, row) or response
        return response

    return answer


def withdrawn(request: HttpRequest, noun: str, title: str) -> HttpResponse:
    """Answer 410 for a lesson, quiz or exercise that is no longer part of its course."""
    return render(request, "courses/withdrawn.html", {"noun": noun, "title": title}, status=410)


def with_course(request: HttpRequest) -> dict[str, object]:
    """Give every template `course`: the one of the page, else the home course.

    Looked up when a template asks, so that a page without the frame costs no query.
    """
    return {"course": COURSE.get(request) or SimpleLazyObject(home_course)}
