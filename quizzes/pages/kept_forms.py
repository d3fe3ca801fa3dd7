"""Forms that are the same for every reader but for the token against forged requests.

They can be kept as HTML with a placeholder, which each answer replaces by its reader's token.
"""

from collections.abc import Mapping
from functools import partial
from secrets import token_hex
from typing import Any

from django.http import HttpRequest
from django.middleware.csrf import get_token
from django.template.loader import render_to_string
from django.utils.functional import SimpleLazyObject
from django.utils.safestring import SafeString

_REMEMBERED = "_token_of_kept_forms"  # where a request remembers its own
_PLACEHOLDER = token_hex()  # drawn by each process, so that no author can write it


def render_for_all(template: str, facts: Mapping[str, Any]) -> SafeString:
    """Return a template's HTML with the placeholder. It gets these facts alone, no request."""
    return SafeString(render_to_string(template, {**facts, "csrf_token": _PLACEHOLDER}))


def with_token(html: SafeString, request: HttpRequest) -> SafeString:
    """Return such HTML with the token of a request."""
    # Safe: a token has letters and digits alone.
    return SafeString(html.replace(_PLACEHOLDER, _token_of(request)))


def token(request: HttpRequest) -> dict[str, object]:
    """Give templates the token of a request, the same in all forms of a page."""
    return {"csrf_token": SimpleLazyObject(partial(_token_of, request))}


def _token_of(request: HttpRequest) -> str:
    # Django masks it anew each time it is asked, 0.1 ms of a page for each form. Once an answer
    # is what BREACH asks for: it compares answers.
    found: str | None = vars(request).get(_REMEMBERED)
    if found is None:
        found = vars(request)[_REMEMBERED] = get_token(request)
    return found
