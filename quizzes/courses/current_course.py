"""The course that a request is about: the one its address names, else the home course."""

from collections.abc import Callable
from functools import wraps
from http import HTTPStatus
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import render
from django.utils.functional import SimpleLazyObject

from quizzes.courses.models import LATER, Course
from quizzes.courses.old_names import moved


def home_course() -> Course | None:
    """Return the first course of the site, None on a site without courses. One query."""
    return Course.objects.defer(*LATER).first()


def in_course(view: Callable[..., HttpResponseBase]) -> Callable[..., HttpResponseBase]:
    """Give a view the course that its address names by slug; 404 where there is none.

    The request remembers it, so that the frame of the page leads to the lists of this course.
    What is not found, or was withdrawn, may have another name by now; then its address leads on.
    """

    @wraps(view)
    def found(request: HttpRequest, course: str, *args: Any, **kwargs: Any) -> HttpResponseBase:
        # With the key of the home course: the frame of the page names every other course.
        rows = Course.objects.annotate(home_pk=Course.objects.values("pk")[:1])
        row = rows.defer(*LATER).filter(slug=course).first()
        if row is None:
            raise Http404(f"there is no course {course}")
        vars(request)["course"] = row
        try:
            response = view(request, row, *args, **kwargs)
        except Http404:
            if (elsewhere := moved(request, row)) is not None:
                return elsewhere
            raise
        if response.status_code in {HTTPStatus.NOT_FOUND, HTTPStatus.GONE}:
            return moved(request, row) or response
        return response

    return found


def withdrawn(request: HttpRequest, noun: str, title: str) -> HttpResponse:
    """Answer 410 for a lesson, quiz or exercise that is no longer part of its course."""
    return render(request, "courses/withdrawn.html", {"noun": noun, "title": title}, status=410)


def sign_in_first(request: HttpRequest, noun: str) -> HttpResponse | None:
    """Answer 404 with the way to sign in to a visitor who is signed out; None when signed in.

    The work may be theirs: they signed out, or their session ended, while the page stood open. Work
    that does not exist gets the same answer, so that nobody learns which numbers there are.
    """
    if request.user.is_authenticated:
        return None
    return render(request, "courses/sign_in.html", {"noun": noun}, status=404)


def with_course(request: HttpRequest) -> dict[str, object]:
    """Give every template `course`: the one of the page, else the home course.

    Looked up when a template asks, so that a page without the frame costs no query.
    """
    named = getattr(request, "course", None)
    return {"course": named or SimpleLazyObject(home_course)}
