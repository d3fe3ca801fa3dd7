"""A name for each request, in its answer and in every line of the log that is written for it.

A proxy of ours may have given one (`X-Request-ID`). A visitor's own is not believed: it would let
anybody write into our logs, or mix two people's lines.
"""

import logging
import re
import time
import uuid
from collections.abc import Callable
from contextvars import ContextVar

from django.conf import settings
from django.http import HttpRequest, HttpResponse

HEADER = "X-Request-ID"
FORM = re.compile(r"[A-Za-z0-9-]{8,64}", re.ASCII)
request_id: ContextVar[str] = ContextVar("request_id", default="")
requests_log = logging.getLogger("ordinal.requests")


class RequestIdFilter(logging.Filter):
    """Gives each record the name of the request that this thread is answering, "" for none."""

    def filter(self, record: logging.LogRecord) -> bool:
        if not hasattr(record, "request_id"):
            record.request_id = request_id.get()
        return True


class RequestIdMiddleware:
    """Names the request first, before anything can write a line about it."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self._get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        name = _given_by_our_proxy(request) or uuid.uuid4().hex
        token, began = request_id.set(name), time.monotonic()
        try:
            response = self._get_response(request)
            response[HEADER] = name
            if settings.REQUEST_LINES:
                _write_line(request, response, time.monotonic() - began)
            return response
        finally:
            request_id.reset(token)


def _given_by_our_proxy(request: HttpRequest) -> str:
    given = request.headers.get(HEADER, "") if settings.PROXY_COUNT else ""
    return given if FORM.fullmatch(given) else ""


def _write_line(request: HttpRequest, response: HttpResponse, seconds: float) -> None:
    match = request.resolver_match
    facts = {
        "method": request.method,
        "path": request.path,
        "view": match.view_name if match else None,
        "status": response.status_code,
        "milliseconds": round(1000 * seconds, 1),
    }
    requests_log.info("request", extra={"facts": facts})
