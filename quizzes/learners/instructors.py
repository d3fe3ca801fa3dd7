"""Accounts that may teach: find an account by its name, let only instructors see a page.

A stranger may sign up under a name that looks like another person's e-mail address, or give that
address as their own: until an address is verified, it says nothing about its owner. An operator who
types an address must not put a stranger among the instructors, so a name finds an account only if
no other account could be meant, and an address only if its account is known to hold it.
"""

from collections.abc import Callable, Iterable
from functools import wraps

from allauth.account.models import EmailAddress
from django.contrib.auth.views import redirect_to_login
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse

from quizzes.content_files.typed_text import without_invisible
from quizzes.learners.models import User


class AccountError(Exception):
    """This account cannot be given or lose the role."""


class NoSuchAccountError(AccountError):
    """No account has this user name or e-mail address."""


class DoubtfulAccountError(AccountError):
    """Several accounts could be meant, or the address was never verified."""


def find_account(name: str) -> User:
    """Return the account with this user name or e-mail address, in capitals or not.

    A user name written exactly comes before those that differ in capitals, as at sign-in. Raises
    NoSuchAccountError, DoubtfulAccountError.
    """
    name = without_invisible(name).strip()
    certain = {*_with_username(name), *_who_verified(name)} or set(_made_with_address(name))
    if len(certain) == 1:
        return certain.pop()
    if certain:
        raise DoubtfulAccountError(
            f"{name!r} may be any of the accounts {_names(certain)}: give the exact user name"
        )
    if unverified := [row.user for row in _rows_of(name)]:
        raise DoubtfulAccountError(
            f"{name!r} is the address of {_names(unverified)}, but was never verified: somebody"
            " else may have typed it. Give the user name of the account that you know"
        )
    raise NoSuchAccountError(f"{name!r}: no account has this user name or e-mail address")


def _with_username(name: str) -> list[User]:
    alike = list(User.objects.filter(username__iexact=name))
    return [user for user in alike if user.username == name] or alike


def _who_verified(address: str) -> list[User]:
    return [row.user for row in _rows_of(address) if row.verified]


def _rows_of(address: str) -> list[EmailAddress]:
    return list(EmailAddress.objects.filter(email__iexact=address).select_related("user"))


def _made_with_address(address: str) -> list[User]:
    """Return accounts to which an operator gave the address; a visitor's address has a row."""
    told = {row.user_id for row in _rows_of(address)}
    return list(User.objects.filter(email__iexact=address).exclude(pk__in=told)) if address else []


def _names(users: Iterable[User]) -> str:
    return ", ".join(sorted(repr(user.username) for user in users))


View = Callable[..., HttpResponse]


def instructors_only(view: View) -> View:
    """Ask visitors to sign in, and refuse accounts that neither are instructors nor have a role."""
    return _only(view, lambda user: user.finds_teaching, "this page is for instructors")


def superusers_only(view: View) -> View:
    """Ask visitors to sign in, and refuse accounts that do not run the site."""
    return _only(view, lambda user: user.is_superuser, "this page is for superusers")


def _only(view: View, may: Callable[[User], bool], refusal: str) -> View:
    @wraps(view)
    def guarded(request: HttpRequest, *args: object, **kwargs: object) -> HttpResponse:
        if not request.user.is_authenticated:
            return redirect_to_login(request.get_full_path())
        if not isinstance(request.user, User) or not may(request.user):
            raise PermissionDenied(refusal)
        return view(request, *args, **kwargs)

    return guarded
