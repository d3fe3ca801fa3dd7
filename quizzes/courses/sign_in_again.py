"""Work that was sent without the session it was typed in: kept, and restored in its form.

A page stands open while its session ends, or while somebody signs out or in in another tab. What
is sent from it then must neither be lost nor count for somebody else. Every form says whose page it
is (`pages/form_placeholders.py`), so this can be decided before any view is asked:

- Nobody is signed in: the work waits in the visitor's session, on the server, and its owner is
  asked to sign in. Then the page is shown with the work in its form; the button is pressed again.
- The same account is signed in, by another tab, and the form's token is of before: the same,
  without signing in.
- Another account is signed in: nothing is kept or sent. The answer has the text, to be copied.

Nothing is sent by itself. An intruder at an open page could let somebody else's sign-in send what
the intruder wrote; so the owner sees it first, except for hidden fields. A form of another site is
never kept: its `Origin` tells. Passwords are never kept.
"""

import json
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, fields, replace
from http import HTTPStatus
from typing import Any
from urllib.parse import urlsplit

from django.conf import settings
from django.contrib import messages
from django.contrib.auth.views import redirect_to_login
from django.http import (
    HttpRequest,
    HttpResponse,
    HttpResponseBase,
    HttpResponseRedirect,
    JsonResponse,
)
from django.shortcuts import render
from django.template.loader import render_to_string
from django.utils.http import url_has_allowed_host_and_scheme
from django.views.csrf import csrf_failure as refuse_forged
from django_htmx.http import HttpResponseClientRedirect

from quizzes.limits.limits import ROWS, LimitReachedError, rows_of
from quizzes.pages.filled_forms import fill_form
from quizzes.pages.form_placeholders import OPENED_BY, TOKEN, account_that_opened
from quizzes.request_values import RequestValue

KEPT = "unsent_work"  # in the session
LASTS = 3600  # seconds, for a forgotten password too
MOST_BYTES = 256 * 1024
MOST_FORMS = 5  # of several tabs, the newest
NOBODY = 0  # no account has this key
CAME_BACK = "came-back"  # the place within the page
# Pages that have no work in them: of accounts, where passwords are typed, and what stores nothing.
WITHOUT_WORK = (
    *("account_", "mfa_", "usersessions_", "socialaccount_", "openid_connect_"),
    *("admin:", "teaching:end-view"),
)
PREVIEWS = {"teaching:question-preview", "teaching:lesson-preview"}
NOT_TYPED = {"do", "revision", "back", "key"}

SIGNED_OUT = (
    "You are signed out, and nothing has been sent yet. Sign in, and what you typed will "
    "be restored; then press the button again."
)
NOT_YOURS = "What was typed here earlier belongs to another account. It was discarded, not sent."
TRY_AGAIN = "You are signed out. Sign in again in another tab, or with the button in this form."
ANOTHER = "This page was opened with a different account. Nothing was saved."


@dataclass(frozen=True)
class UnsentWork:
    """A form that was sent without its session."""

    account: int | None  # whose page it was; None for a visitor's
    action: str  # where it was sent
    page: str  # where it stood
    fields: Mapping[str, Sequence[str]]
    sent_at: float  # seconds since 1970
    has_files: bool  # which are not kept

    @property
    def typed(self) -> list[tuple[str, str]]:
        """Return the texts that a person may have typed, by the name of their field."""
        return typed_texts(self.fields)


_COLUMNS = {column.name for column in fields(UnsentWork)}


def typed_texts(sent: Mapping[str, Sequence[str]]) -> list[tuple[str, str]]:
    """Return the texts of a form that a person may have typed, by the name of their field."""
    shown = (name for name in sent if _may_be_kept(name) and name not in NOT_TYPED)
    return [(name, text) for name in shown for text in sent[name] if text.strip()]


def _may_be_kept(name: str) -> bool:
    return name not in {TOKEN, OPENED_BY} and "password" not in name


# ---- what waits


def keep(request: HttpRequest, account: int | None) -> bool:
    """Keep what this request sends in its session; return False where it is too much.

    Of visitors it costs the bytes that they may have kept: a session may be new, and addresses are
    as long as texts.
    """
    work = UnsentWork(
        account=account,
        action=request.get_full_path(),
        page=_page_of(request),
        fields={name: texts for name, texts in request.POST.lists() if _may_be_kept(name)},
        sent_at=time.time(),
        has_files=bool(request.FILES),
    )
    size = len(json.dumps(asdict(work), ensure_ascii=False).encode("utf-8", "replace"))
    if size > MOST_BYTES:
        return False
    if not request.user.is_authenticated:
        try:
            ROWS.spend(request, 1 + rows_of(size))
        except LimitReachedError:
            return False
    others = [one for one in _all(request) if _path(one.action) != _path(work.action)]
    _store(request, [*others[1 - MOST_FORMS :], work])
    return True


def _all(request: HttpRequest) -> list[UnsentWork]:
    # Another release may have kept it, with other columns.
    rows = (row for row in request.session.get(KEPT, ()) if row.keys() == _COLUMNS)
    works = (UnsentWork(**row) for row in rows)
    return [work for work in works if 0 <= time.time() - work.sent_at < LASTS]


def _store(request: HttpRequest, works: Sequence[UnsentWork]) -> None:
    if works:
        request.session[KEPT] = [asdict(one) for one in works]
    else:
        request.session.pop(KEPT, None)


def unsent_work(request: HttpRequest) -> UnsentWork | None:
    """Return the unsent work for the page of this request, to its owner alone."""
    own = request.user.pk if request.user.is_authenticated else None
    here = request.get_full_path()
    for one in reversed(_all(request)):
        if one.account in {None, own} and here in {one.page, _path(one.page)}:
            return one
    return None


def forget_work(request: HttpRequest, action: str) -> None:
    """Drop the work that waits for this address: it was sent, or has no page to be sent to."""
    works = _all(request)
    rest = [one for one in works if _path(one.action) != _path(action)]
    if len(rest) != len(works):
        _store(request, rest)


def drop_work_of_others(*, request: HttpRequest, user: Any, **_: object) -> None:
    """Receive `user_logged_in`: what waits for another account is dropped, unseen."""
    works = _all(request) if hasattr(request, "session") else []
    own = [one for one in works if one.account in {None, user.pk}]
    if len(own) != len(works):
        _store(request, own)
        messages.info(request, NOT_YOURS, fail_silently=True)


def _path(address: str) -> str:
    return urlsplit(address).path


def _page_of(request: HttpRequest) -> str:
    """Return the page that a form was sent from, if the browser names it; else the form's."""
    address = request.headers.get("HX-Current-URL") or request.headers.get("Referer", "")
    host, secure = request.get_host(), request.is_secure()
    if not address or not url_has_allowed_host_and_scheme(address, {host}, require_https=secure):
        return request.get_full_path()
    parts = urlsplit(address)
    page = f"{parts.path}?{parts.query}" if parts.query else parts.path
    # A path that begins with two slashes would name a host.
    return page if url_has_allowed_host_and_scheme(page, None) else request.get_full_path()


# ---- asking to sign in


def ask_to_sign_in(request: HttpRequest, account: int | None) -> HttpResponse:
    """Keep what was sent for this account, and lead to the sign-in and from there back.

    What is too much to be kept is shown, to be copied.
    """
    if not keep(request, account):
        return show_typed(request)
    messages.warning(request, SIGNED_OUT)
    return _elsewhere(request, redirect_to_login(f"{_page_of(request)}#{CAME_BACK}").url)


def show_typed(request: HttpRequest, status: int = HTTPStatus.FORBIDDEN) -> HttpResponse:
    """Answer with the text of a form that was not sent, to be copied."""
    typed = typed_texts(dict(request.POST.lists()))
    context = {"typed": typed, "is_signed_out": not request.user.is_authenticated}
    return render(request, "site/not_sent.html", context, status=status)


def _elsewhere(request: HttpRequest, address: str) -> HttpResponse:
    """Lead the whole page to an address, also where a script sent the form."""
    is_htmx = request.headers.get("HX-Request")
    return HttpResponseClientRedirect(address) if is_htmx else HttpResponseRedirect(address)


def sign_in_first(
    request: HttpRequest, noun: str, *, owner: int | None = NOBODY
) -> HttpResponse | None:
    """Ask a visitor who is signed out to sign in to their own work; None when signed in.

    The work may be theirs: they signed out, or their session ended, while the page stood open. Work
    that does not exist gets the same answer, so that nobody learns which numbers there are. What a
    form sent that does not say whose page it is, is kept for `owner`, the key of an account.
    """
    if request.user.is_authenticated:
        return None
    is_kept = request.method == "POST" and bool(typed_texts(dict(request.POST.lists())))
    if is_kept and not keep(request, owner):
        return show_typed(request)
    context = {"noun": noun, "is_kept": is_kept, "back": f"{request.get_full_path()}#{CAME_BACK}"}
    return render(request, "courses/sign_in.html", context, status=404)


# ---- before the views, and after them


class SignInAgainMiddleware:
    """Let no form be sent for another account than the one that opened its page."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self._get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self._get_response(request)
        # A page that did not look at the session shows nothing of anybody, and may be cached.
        if not request.session.accessed or KEPT not in request.session:
            return response
        if request.method == "GET" and not request.headers.get("HX-Request"):
            return _brought_back(request, response)
        if request.method == "POST" and _SENT.get(request) and response.status_code < 400:
            forget_work(request, request.get_full_path())
        return response

    def process_view(self, request: HttpRequest, *_: object) -> HttpResponseBase | None:
        """Answer a form whose page another account had opened, or somebody who signed out."""
        if request.method != "POST" or not _has_work(request):
            return None
        owner = account_that_opened(request.POST)
        own = request.user.pk if request.user.is_authenticated else None
        if owner is None or owner == own:
            _SENT.set(request, True)
            return None
        return _of_another(request, owner)


_SENT: RequestValue[bool] = RequestValue("sent_by_owner")


def _has_work(request: HttpRequest) -> bool:
    match = request.resolver_match
    return match is not None and not match.view_name.startswith(WITHOUT_WORK)


def _stays_in_page(request: HttpRequest) -> bool:
    """Say whether a script sent this beside a form that stays as it is: a draft, a preview."""
    if request.headers.get("HX-Request"):
        return getattr(request.resolver_match, "view_name", "") in PREVIEWS
    return "text/html" not in request.headers.get("Accept", "text/html")


def _of_another(request: HttpRequest, owner: int) -> HttpResponse:
    if _stays_in_page(request):
        # The form itself may be sent meanwhile, and the answer to that has the cookie of a new
        # session with the work. The old session is gone, so this answer would delete the cookie.
        request.COOKIES.pop(settings.SESSION_COOKIE_NAME, None)
        message = ANOTHER if request.user.is_authenticated else TRY_AGAIN
        return JsonResponse({"message": message}, status=403)
    if not request.user.is_authenticated:
        return ask_to_sign_in(request, owner)
    context = {"typed": typed_texts(dict(request.POST.lists()))}
    return render(request, "site/opened_by_another.html", context, status=403)


def csrf_failure(request: HttpRequest, reason: str = "") -> HttpResponse:
    """Answer a form whose token does not fit: of this site, its work is restored.

    Signing in, in another tab, changes the token of all pages that stand open. A form of another
    site, or of a browser that takes no cookies, gets Django's page.
    """
    user = getattr(request, "user", None)
    is_ours = request.headers.get("Origin") == f"{request.scheme}://{request.get_host()}"
    can_return = bool(request.COOKIES) and _has_work(request) and not _stays_in_page(request)
    if user is None or not is_ours or not can_return:
        return refuse_forged(request, reason)
    owner = account_that_opened(request.POST)
    if owner is not None and owner != (user.pk if user.is_authenticated else None):
        return _of_another(request, owner)
    if not keep(request, owner if owner is not None else user.pk):
        return show_typed(request)
    response = _elsewhere(request, f"{_page_of(request)}#{CAME_BACK}")
    if request.headers.get("HX-Request"):  # it is on this page: a new fragment alone loads nothing
        response["HX-Refresh"] = "true"
    return response


def _brought_back(request: HttpRequest, response: HttpResponse) -> HttpResponse:
    """Put what waits for the page of this answer into its form, or show it to be copied."""
    work = unsent_work(request)
    if work is None or response.streaming:
        return response
    if 300 <= response.status_code < 400:
        return _led_on(request, response, work)
    if not response.headers.get("Content-Type", "").startswith("text/html"):
        return response
    filled = None
    if response.status_code == 200:
        note = render_to_string("site/came_back.html", {"work": work})
        filled = fill_form(
            response.content.decode(),
            page=request.get_full_path(),
            action=work.action,
            values=work.fields,
            note=note,
        )
    if filled is None:
        forget_work(request, work.action)
        context = {"typed": work.typed, "is_signed_out": False, "page": work.page}
        return render(request, "site/not_sent.html", context, status=response.status_code)
    response.content = filled.encode()
    return response


def _led_on(request: HttpRequest, response: HttpResponse, work: UnsentWork) -> HttpResponse:
    """Let the work come back on the page that its own page leads to."""
    to = response.headers.get("Location", "")
    if to.startswith("/") and not to.startswith((settings.LOGIN_URL, "//", "/accounts/")):
        others = [one for one in _all(request) if one != work]
        _store(request, [*others, replace(work, page=to.partition("#")[0])])
    return response
