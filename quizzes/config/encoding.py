"""Refuse forms in another encoding than UTF-8: our pages are UTF-8, so no browser sends one.

Django reads a multipart form in any encoding that its sender names, even one that makes text which
no database takes, or one that does not exist: our error, although the fault is the sender's.
"""

import codecs
from collections.abc import Callable

from django.core.exceptions import BadRequest
from django.http import HttpRequest, HttpResponse

MULTIPART = "multipart/form-data"  # Django itself refuses other forms
UTF_8 = "utf-8"


class OnlyUtf8Middleware:
    """Answer 400 to a multipart form whose content type names another encoding."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        named = (request.content_params or {}).get("charset") or UTF_8
        if request.content_type == MULTIPART and not _is_utf_8(named):
            raise BadRequest(f"charset={named!r}: expected utf-8")
        return self.get_response(request)


def _is_utf_8(name: str) -> bool:
    """Say whether a name means UTF-8, which has several names: `utf8` is one of them."""
    try:
        return codecs.lookup(name).name == UTF_8
    except (LookupError, ValueError):  # unknown, or not even a name
        return False
