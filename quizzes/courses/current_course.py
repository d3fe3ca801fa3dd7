"""The course that a request is about: the one its address names, else the home course."""

from collections.abc import Callable
from functools import wraps
from typing import Any, TypeVar

from django.db.models import Q
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import render
from django.utils.functional import SimpleLazyObject

from quizzes.courses.models import Course

R = TypeVar("R", bound=HttpResponseBase)
_IS_HOME = Q(pk=Course.objects.values("pk")[:1])  # asked with the course: pages ask for both


def home_course() -> Course | None:
    """Return the first course of the site, None on a site without courses. One query."""
    return Course.objects.first()


def in_course(view: Callable[..., R]) -> Callable[..., R]:
    """Give a view the course that its address names by slug; 404 where there is none.

    The request remembers it, so that the frame of the page leads to the lists of this course.
    """

    @wraps(view)
    def found(request: HttpRequest, course: str, *args: Any, **kwargs: Any) -> R:
        # The annotation fills the cached property of this name.
        rows = Course.objects.annotate(is_home=_IS_HOME)  # type: ignore[no-redef]
        row = rows.filter(slug=course).first()
        if row is None:
            raise Http404(f"there is no course {course}")
        vars(request)["course"] = row
        return view(request, row, *args, **kwargs)

    return found


def withdrawn(request: HttpRequest, noun: str, title: str) -> HttpResponse:
    """Answer 410 for a lesson, quiz or exercise that is no longer part of its course."""
    return render(request, "courses/withdrawn.html", {"noun": noun, "title": title}, status=410)


def with_course(request: HttpRequest) -> dict[str, object]:
    """Give every template `course`: the one of the page, else the home course.

    Looked up when a template asks, so that a page without the frame costs no query.
    """
    named = getattr(request, "course", None)
    return {"course": named or SimpleLazyObject(home_course)}
