"""Puts the learner on the request, and remembers a new one in a cookie."""

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse
from django.utils.functional import SimpleLazyObject

from quizzes.learners.recognition import current_learner, remember


class LearnerMiddleware:
    """Give every request a lazy `learner` for templates; keep the cookie up to date."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        vars(request)["learner"] = SimpleLazyObject(lambda: current_learner(request))
        response = self.get_response(request)
        remember(request, response)
        return response
