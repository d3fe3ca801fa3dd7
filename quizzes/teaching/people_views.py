"""Superusers' pages: accounts, who of them is an instructor, links to a new password."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, HttpResponseBadRequest
from django.shortcuts import get_object_or_404, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from quizzes.learners.instructors import AccountError, set_instructor
from quizzes.learners.models import User
from quizzes.learners.password_again import password_first
from quizzes.learners.roles import superusers_only
from quizzes.teaching.access import back_or
from quizzes.teaching.lists import asked, page_of
from quizzes.teaching.people import (
    ROLES,
    PasswordLinkError,
    found_people,
    without_link,
)
from quizzes.teaching.people import send_password_link as send_link

TEACHES = {"yes": True, "no": False}


def _list_shown(request: HttpRequest) -> str:
    return back_or(request, "teaching:people").url


@never_cache
@require_safe
@superusers_only
def people(request: HttpRequest) -> HttpResponse:
    """Every account, with a search."""
    words, role = asked(request, "q"), asked(request, "role")
    page = page_of(request, found_people(words, role=role))
    context = {
        "page": page,
        "people": [(account, without_link(account)) for account in page],
        "words": words,
        "roles": ROLES,
        "role": role,
    }
    return render(request, "teaching/people.html", context)


@require_POST
@superusers_only
@password_first(_list_shown)
def change_role(request: HttpRequest, number: int) -> HttpResponse:
    """Make an account an instructor, or no longer one."""
    account = get_object_or_404(User, pk=number)
    teaches = TEACHES.get(request.POST.get("teaches", ""))
    if teaches is None:
        return HttpResponseBadRequest("teaches: must be yes or no", content_type="text/plain")
    try:
        messages.success(request, set_instructor(user=account, teaches=teaches))
    except AccountError as refused:
        messages.error(request, f"{refused}. Nothing was changed.")
    return back_or(request, "teaching:people")


@require_POST
@superusers_only
@password_first(_list_shown)
def send_password_link(request: HttpRequest, number: int) -> HttpResponse:
    """Send the account a link with which its owner chooses a new password."""
    account = get_object_or_404(User, pk=number)
    try:
        address = send_link(request, account)
    except PasswordLinkError as refused:
        messages.error(request, str(refused))
    else:
        messages.success(request, f"A link to a new password was sent to {address}.")
    return back_or(request, "teaching:people")
