"""The account of a session, read at once with all that the frame of every page asks of it.

Its learner, whether it teaches and whether it is in a class: one query, where each took one. Who
may sign in is decided by allauth.

A session names the backend that opened it. Those of earlier releases stand behind this one in the
settings, so that their sessions go on.
"""

from functools import cache
from typing import Any

from django.core.exceptions import PermissionDenied
from django.db.models import BooleanField, Exists, ExpressionWrapper, OuterRef, Q
from django.http import HttpRequest

from quizzes.learners.allauth_internals import ExactNameBackend
from quizzes.learners.models import User, class_places, teaching_roles
from quizzes.statements import Param, Reader


class AccountBackend(ExactNameBackend):
    """Opens accounts by user name or e-mail address, and a password."""

    def authenticate(self, request: HttpRequest | None, **credentials: Any) -> User:
        """Return the account. Raises PermissionDenied: no backend is asked after this one.

        A backend more would hash a wrong password once more, and the time would tell which names
        have accounts.
        """
        user: User | None = super().authenticate(request, **credentials)
        if user is None:
            raise PermissionDenied
        return user

    def get_user(self, user_id: int) -> User | None:
        """Return the account of a session, None where it is gone or closed. One query."""
        user = _accounts().first(user=user_id)
        return user if user is not None and self.user_can_authenticate(user) else None


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
