"""Requests of visitors from other addresses, with and without the cookie of a learner."""

from django.http import HttpResponse
from django.test import RequestFactory

from quizzes.learners.identity import learner_for_writing, remember

VISITOR, OTHER = "203.0.113.7", "203.0.113.8"


def request_from(address: str = VISITOR, **more: str):
    return RequestFactory().post("/", REMOTE_ADDR=address, **more)


def cookie_of(address: str = VISITOR) -> dict[str, str]:
    """Return the cookie of a learner that has just been made."""
    answer, request = HttpResponse(), request_from(address)
    learner_for_writing(request)
    remember(request, answer)
    return {name: morsel.value for name, morsel in answer.cookies.items()}


def with_cookies(cookies: dict[str, str], address: str = VISITOR):
    request = request_from(address)
    request.COOKIES.update(cookies)
    return request
