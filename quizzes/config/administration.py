"""The administration: it signs in and asks for the password as the rest of the site does."""

from collections.abc import Callable
from functools import wraps
from typing import Any

from allauth.account.decorators import secure_admin_login
from django.contrib.admin import AdminSite
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect

from quizzes.learners.password_again import SAFE, ask_password, must_type_password

View = Callable[..., HttpResponseBase]


class Administration(AdminSite):
    """Django's administration, in which an open session reads and a typed password changes.

    Its rows are the accounts themselves: with an old session alone an intruder could give any
    account a confirmed e-mail address of their own and have a password sent to it.
    """

    def login(self, request: HttpRequest, extra_context: Any = None) -> HttpResponse:
        """Send a visitor to the site's own page: one place asks and counts wrong passwords."""
        page: HttpResponse = secure_admin_login(super().login)(request, extra_context)
        return page

    def password_change(self, *_: Any, **__: Any) -> HttpResponse:  # type: ignore[override]
        """Send to the site's own page, which counts wrong passwords and writes to the address."""
        return redirect("account_change_password")

    def admin_view(self, view: View, cacheable: bool = False) -> View:  # type: ignore[override]
        """Ask for the password before a change, if it was not given in the last minutes."""
        if getattr(view, "__name__", "") == "logout":
            return super().admin_view(view, cacheable)
        return super().admin_view(_asking(view), cacheable)


def _asking(view: View) -> View:
    @wraps(view)
    def asking(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        if request.method in SAFE or not must_type_password(request):
            return view(request, *args, **kwargs)
        return ask_password(request, page=request.get_full_path())

    return asking
