"""Pages for requests that were not understood or came too often, each with the right status."""

from http import HTTPStatus

from django.core.exceptions import RequestDataTooBig
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views import defaults

RETRY_SECONDS = 60  # the account pages count by the minute


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Answer 400, or 413 for a form larger than any of ours: scripts show that one in place."""
    response: HttpResponse = defaults.bad_request(request, exception)
    if isinstance(exception, RequestDataTooBig):
        response.status_code = HTTPStatus.REQUEST_ENTITY_TOO_LARGE
    return response


def too_many_requests(request: HttpRequest, _exception: Exception | None = None) -> HttpResponse:
    """Answer 429 with when to come again; allauth asks for this page by the name `handler429`."""
    response = render(request, "429.html", status=HTTPStatus.TOO_MANY_REQUESTS)
    response["Retry-After"] = str(RETRY_SECONDS)
    return response
