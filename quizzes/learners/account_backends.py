"""The account of a session, read at once with all that the frame of every page asks of it.

Its learner, whether it teaches and whether it is in a class: one query, where each took one. Who
may sign in is decided as before, by Django (user names) and allauth (addresses).

A session names the backend that opened it. Those of earlier releases stand behind these two in the
settings, so that their sessions go on; they are never asked for a password.
"""

from functools import cache
from typing import Any

from allauth.account.auth_backends import AuthenticationBackend
from django.contrib.auth.backends import ModelBackend
from django.core.exceptions import PermissionDenied
from django.db.models import BooleanField, Exists, ExpressionWrapper, OuterRef, Q
from django.http import HttpRequest

from quizzes.learners.models import User, class_places, teaching_roles
from quizzes.statements import Param, Reader


class _WholeAccount(ModelBackend):
    """Reads accounts with their learner and roles."""

    def get_user(self, user_id: int) -> User | None:
        """Return the account of a session, None where it is gone or closed. One query."""
        user = _accounts().first(user=user_id)
        return user if user is not None and self.user_can_authenticate(user) else None


class NameBackend(_WholeAccount):
    """Opens accounts by user name and password."""


class AddressBackend(_WholeAccount, AuthenticationBackend):  # type: ignore[misc]  # has no types
    """Opens accounts by e-mail address and password."""

    def authenticate(  # type: ignore[override]  # as allauth's
        self, request: HttpRequest | None, **credentials: Any
    ) -> User:
        """Return the account. Raises PermissionDenied: nobody else is asked for the password."""
        user: User | None = super().authenticate(request, **credentials)
        if user is None:
            raise PermissionDenied
        return user


@cache
def _accounts() -> Reader[User]:
    own = User.objects.filter(pk=OuterRef("pk"))
    teaches = Q(is_superuser=True) | Exists(own.filter(teaching_roles()))
    rows = User.objects.filter(pk=Param("user")).select_related("learner")
    return Reader(
        rows.annotate(  # type: ignore[no-redef]
            finds_teaching=ExpressionWrapper(Q(is_active=True) & teaches, BooleanField()),
            knows_classes=Exists(own.filter(class_places())),
        )
    )
