"""Forms that are the same for every reader except for what belongs to the reader's request.

They can be kept as HTML with placeholders, which each answer replaces: the token against forged
requests, and the account that opened the page, signed. A page may stand open while somebody signs
out, or somebody else in. Then its forms still say whose they are.
"""

from collections.abc import Mapping
from functools import partial
from secrets import token_hex
from typing import Any

from django.core import signing
from django.http import HttpRequest
from django.middleware.csrf import get_token
from django.template.loader import render_to_string
from django.utils.functional import SimpleLazyObject
from django.utils.html import format_html
from django.utils.safestring import SafeString

from quizzes.request_values import RequestValue

TOKEN = "csrfmiddlewaretoken"  # noqa: S105 -- the name of a field
OPENED_BY = "opened_by"  # the name of the field that says whose page it is
_HIDDEN = '<input type="hidden" name="{}" value="{}">'


class FormToken(str):
    """The token of a request's forms, with the signed account that opened the page, "" for none."""

    account: str

    def __new__(cls, token: str, account: str) -> "FormToken":
        made = super().__new__(cls, token)
        made.account = account
        return made


_OWN_TOKEN: RequestValue[FormToken] = RequestValue("form_token")
# Drawn by each process, so that no author can write them.
_PLACEHOLDER = FormToken(token_hex(), token_hex())


def render_for_all(template: str, facts: Mapping[str, Any]) -> SafeString:
    """Return a template's HTML with placeholders. It gets these facts alone, no request."""
    return SafeString(render_to_string(template, {**facts, "csrf_token": _PLACEHOLDER}))


def with_token(html: SafeString, request: HttpRequest) -> SafeString:
    """Return such HTML with the token and the account of a request."""
    own = _token_of(request)
    # Safe: a token has letters and digits alone, a signature also hyphens, colons, underscores.
    text = html.replace(_PLACEHOLDER, own).replace(_PLACEHOLDER.account, own.account)
    return SafeString(text)


def token(request: HttpRequest) -> dict[str, object]:
    """Give templates the token of a request, the same in all forms of a page."""
    return {"csrf_token": SimpleLazyObject(partial(_token_of, request))}


def fields_of(request: HttpRequest) -> SafeString:
    """Return the hidden fields of a form that no template writes, as `csrf_token` writes them."""
    return hidden_fields(_token_of(request))


def hidden_fields(token: object) -> SafeString:
    """Return Django's field and, where somebody is signed in, the one that names the account."""
    field = format_html(_HIDDEN, TOKEN, token)
    account = getattr(token, "account", "")
    return field + format_html(_HIDDEN, OPENED_BY, account) if account else field


def account_that_opened(form: Mapping[str, Any]) -> int | None:
    """Return the key of the account that opened the page of a form; None for none or a forgery."""
    try:
        return int(_signer().unsign(str(form.get(OPENED_BY, ""))))
    except (signing.BadSignature, ValueError):
        return None


def _signer() -> signing.Signer:
    return signing.Signer(salt=OPENED_BY)


def _token_of(request: HttpRequest) -> FormToken:
    # Django masks it each time it is asked, 0.1 ms of a page for each form. Once an answer
    # is what BREACH asks for: it compares answers.
    found = _OWN_TOKEN.get(request)
    if found is None:
        user = getattr(request, "user", None)
        is_known = user is not None and user.is_authenticated
        account = _signer().sign(str(user.pk)) if user is not None and is_known else ""
        found = _OWN_TOKEN.set(request, FormToken(get_token(request), account))
    return found
