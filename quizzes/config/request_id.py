"""A name for each request, in its answer and in every line of the log that is written for it.

A proxy of ours may have given one (`X-Request-ID`). A visitor's own is not believed: it would let
anybody write into our logs, or mix two people's lines.
"""

import logging
import re
import time
import uuid
from collections.abc import Callable, Mapping
from contextvars import ContextVar

from django.conf import settings
from django.http import HttpRequest, HttpResponse

HEADER = "X-Request-ID"
FORM = re.compile(r"[A-Za-z0-9-]{8,64}", re.ASCII)
# Parts of addresses, by their names in the routes: keys of messages, codes that let people in.
SECRET_PARTS = {"key", "code", "token"}
HIDDEN = "..."
MOST_CHARACTERS = 500  # of an address, or of the words of a refusal, in a line of the log
request_id: ContextVar[str] = ContextVar("request_id", default="")
requests_log = logging.getLogger("ordinal.requests")


class RequestIdFilter(logging.Filter):
    """Gives each record the name of the request that this thread is answering, "" for none.

    Django's own lines about a request name its address: the secrets in it are taken out.
    """

    def filter(self, record: logging.LogRecord) -> bool:
        if not hasattr(record, "request_id"):
            record.request_id = request_id.get()
        request = getattr(record, "request", None)
        if request is not None and isinstance(record.args, tuple):
            match = getattr(request, "resolver_match", None)
            named = match.kwargs if match else {}
            record.args = tuple(
                _for_the_log(one, named) if isinstance(one, str) else one for one in record.args
            )
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


def _for_the_log(path: str, named: Mapping[str, object]) -> str:
    """Return an address without the parts that open something to whoever knows them, not too long.

    It may have 32 KB, each of which may be written as six characters: what collects lines cuts such
    a line in two, and a few hundred of them push all others out of the log that is kept.
    """
    for name in SECRET_PARTS & named.keys():
        path = path.replace(str(named[name]), HIDDEN)
    return cut(path)


def cut(text: str) -> str:
    """Return as much of what a visitor sent as a line of the log needs."""
    return text if len(text) <= MOST_CHARACTERS else text[:MOST_CHARACTERS] + HIDDEN


def _write_line(request: HttpRequest, response: HttpResponse, seconds: float) -> None:
    match = request.resolver_match
    path = _for_the_log(request.path, match.kwargs if match else {})
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
