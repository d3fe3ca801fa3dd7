"""Refusing forms in another encoding than UTF-8: our pages are UTF-8, so no browser sends one.

Django reads a multipart form in whatever encoding its sender names, among them ones that make text
which no database takes, and ones that are none at all: an error of ours, where the fault is theirs.
"""

from collections.abc import Callable

from django.core.exceptions import BadRequest
from django.http import HttpRequest, HttpResponse

UTF_8 = "utf-8"  # as Django asks of other forms


class OnlyUtf8Middleware:
    """Answer 400 to a request whose content type names another encoding."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        named = (request.content_params or {}).get("charset", UTF_8)
        if named.lower() != UTF_8:
            raise BadRequest(f"charset={named!r}: expected utf-8")
        return self.get_response(request)
