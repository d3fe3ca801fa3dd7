"""The page for a request that was not understood, with the status that says which kind it was."""

from http import HTTPStatus

from django.core.exceptions import RequestDataTooBig
from django.http import HttpRequest, HttpResponse
from django.views import defaults


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Answer 400, or 413 for a form larger than any of ours: scripts show that one in place."""
    response: HttpResponse = defaults.bad_request(request, exception)
    if isinstance(exception, RequestDataTooBig):
        response.status_code = HTTPStatus.REQUEST_ENTITY_TOO_LARGE
    return response
