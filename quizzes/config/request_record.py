"""What is recorded of each request: its name, a line of the log, and its numbers for `/metrics`."""

import logging
import re
import time
import uuid
from collections.abc import Callable

from django.conf import settings
from django.http import HttpRequest, HttpResponse

from quizzes.config.request_id import cut, path_for_log, request_id
from quizzes.operations.metrics import allow_any_host, count_request

HEADER = "X-Request-ID"
FORM = re.compile(r"[A-Za-z0-9-]{8,64}", re.ASCII)
requests_log = logging.getLogger("ordinal.requests")


class RequestRecordMiddleware:
    """Names a request before anything can write a line about it, and records its answer."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self._get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        name = _name_of_proxy(request) or uuid.uuid4().hex
        token, began = request_id.set(name), time.monotonic()
        try:
            allow_any_host(request)
            response = self._get_response(request)
            response[HEADER] = name
            seconds = time.monotonic() - began
            count_request(request, response, seconds)
            if settings.REQUEST_LINES:
                _write_line(request, response, seconds)
            return response
        finally:
            request_id.reset(token)


def _name_of_proxy(request: HttpRequest) -> str:
    name = request.headers.get(HEADER, "") if settings.PROXY_COUNT else ""
    return name if FORM.fullmatch(name) else ""


def _write_line(request: HttpRequest, response: HttpResponse, seconds: float) -> None:
    match = request.resolver_match
    path = path_for_log(request.path, match.kwargs if match else {})
    method = cut(request.method or "")
    milliseconds = round(1000 * seconds, 1)
    facts = {
        "method": method,
        "path": path,
        "view": match.view_name if match else None,
        "status": response.status_code,
        "milliseconds": milliseconds,
    }
    said = (method, path, response.status_code, milliseconds)
    requests_log.info("%s %s: %s in %s ms", *said, extra={"facts": facts})
