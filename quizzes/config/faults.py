"""Pages for requests that were wrong or came too often, each with the right status."""

from http import HTTPStatus

from django.core.exceptions import DisallowedHost, RequestDataTooBig
from django.http import HttpRequest, HttpResponse, HttpResponseBadRequest, JsonResponse
from django.shortcuts import render
from django.template.loader import render_to_string

RETRY_SECONDS = 60  # the account pages count by the minute
TOO_LARGE = "This is larger than the site takes. Nothing was changed."


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


def _too_large(request: HttpRequest) -> HttpResponse:
    """Answer with a page, or with a sentence for scripts, which show it in their own place.

    A browser asks for HTML when it goes to an address; our scripts accept any type.
    """
    status = HTTPStatus.REQUEST_ENTITY_TOO_LARGE
    if "text/html" in request.headers.get("Accept", "text/html"):
        return render(request, "413.html", status=status)
    return JsonResponse({"message": TOO_LARGE}, status=status)
