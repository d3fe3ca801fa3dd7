"""Pages for requests that were wrong or came too often, each with the right status."""

import sys
from http import HTTPStatus

from django.core.exceptions import DisallowedHost, RequestDataTooBig
from django.db import OperationalError
from django.http import HttpRequest, HttpResponse, HttpResponseBadRequest, JsonResponse
from django.shortcuts import render
from django.template.loader import render_to_string
from django.views import defaults

from quizzes.operations.machine import name_fault, note_fault

RETRY_SECONDS = 60  # the account pages count by the minute
TOO_LARGE = "What you sent is larger than the site accepts. Nothing was changed."


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Answer 400, or 413 for a form larger than its address takes."""
    if isinstance(exception, RequestDataTooBig):
        return _too_large(request)
    if isinstance(exception, DisallowedHost):
        # Without the request: the frame would ask it for the host, which is the fault itself.
        return HttpResponseBadRequest(render_to_string("400.html", {"wrong_host": True}))
    return render(request, "400.html", status=HTTPStatus.BAD_REQUEST)


def too_many_requests(request: HttpRequest, _exception: Exception | None = None) -> HttpResponse:
    """Answer 429 with the time to come again; allauth looks this page up as `handler429`."""
    response = render(request, "429.html", status=HTTPStatus.TOO_MANY_REQUESTS)
    response["Retry-After"] = str(RETRY_SECONDS)
    return response


def server_error(request: HttpRequest) -> HttpResponse:
    """Answer 500; 503 where the database cannot be read or written now, which will pass.

    Django calls this while it handles the exception, and passes all others but this handler theirs.
    """
    error = sys.exc_info()[1]
    why = name_fault(error) if error else ""
    if error is None or not (isinstance(error, OperationalError) or why):
        return defaults.server_error(request)
    note_fault(why)
    page = render_to_string("503.html")  # without the request, which would ask the database
    status = HTTPStatus.SERVICE_UNAVAILABLE
    return HttpResponse(page, status=status, headers={"Retry-After": str(RETRY_SECONDS)})


def _too_large(request: HttpRequest) -> HttpResponse:
    """Answer with a page, or with a sentence for scripts, which show it in their own place.

    A browser asks for HTML when it goes to an address; our scripts accept any type.
    """
    status = HTTPStatus.REQUEST_ENTITY_TOO_LARGE
    if "text/html" in request.headers.get("Accept", "text/html"):
        return render(request, "413.html", status=status)
    return JsonResponse({"message": TOO_LARGE}, status=status)
