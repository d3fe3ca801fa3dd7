"""What the site uses of django-allauth's internal modules, which a new version may change.

This module alone imports them, and uses private names, so that a change of version is looked at in
one place.
"""

# Which account a name opens is decided by one of its private methods.
from allauth.account.auth_backends import AuthenticationBackend

# A code of a second factor counts for some minutes; only the records of the session have its time.
from allauth.account.internal.flows.login import get_authentication_records, record_authentication

# An account that a command made has an address in its field alone, and no row of allauth's.
from allauth.account.internal.flows.manage_email import sync_user_email_address

# A sign-in counts as typing the password, and posts that were kept by an earlier release are
# dropped. The public decorator can only wrap a view, and would keep the post.
from allauth.account.internal.flows.reauthentication import (
    STATE_SESSION_KEY,
    reauthenticate_by_password,
)

# An adapter that refuses a sign-in must end the one that is under way.
from allauth.account.internal.stagekit import clear_login

# Names and addresses are folded as the sign-in folds them, or wrong passwords for one account would
# be counted apart.
from allauth.account.internal.userkit import filter_users_by_email, get_user_by_username

# The signal that the receiver below is connected to.
from allauth.account.signals import user_logged_in

# A secret that cannot be opened is replaced by one that nobody knows.
from allauth.mfa.totp.internal.auth import generate_totp_secret

# A new second factor ends all other sessions. The public view ends them only by its form.
from allauth.usersessions.internal.flows.sessions import end_other_sessions

# Its receiver of a sign-in lists the session; `own_sessions.list_session` takes its place.
from allauth.usersessions.signals import on_user_logged_in
from django.core.exceptions import ImproperlyConfigured

from quizzes.learners.models import User


def disconnect_session_list() -> None:
    """Disconnect allauth's receiver of a sign-in, once allauth has connected it.

    Raises ImproperlyConfigured where it is not connected: both would list each session, and after a
    change of SECRET_KEY allauth's would end others (`own_sessions.list_session`).
    """
    if not user_logged_in.disconnect(on_user_logged_in):
        raise ImproperlyConfigured(
            "allauth.usersessions has not connected on_user_logged_in: put it before"
            " quizzes.learners in INSTALLED_APPS, and see what its version does on a sign-in"
        )


class ExactNameBackend(AuthenticationBackend):  # type: ignore[misc]  # allauth has no types
    """allauth's backend, in which a name as it is stored opens its account before all others.

    Sign-up refuses a name that differs from another only in capitals; `createsuperuser` does not.
    """

    def _authenticate_by_username(self, username: str, password: str) -> User | None:
        user = User.objects.filter(username=username).first()
        opened: User | None = (
            super()._authenticate_by_username(username, password)
            if user is None
            else self._check_password(user, password)
        )
        return opened


__all__ = [
    "STATE_SESSION_KEY",
    "ExactNameBackend",
    "clear_login",
    "disconnect_session_list",
    "end_other_sessions",
    "filter_users_by_email",
    "generate_totp_secret",
    "get_authentication_records",
    "get_user_by_username",
    "reauthenticate_by_password",
    "record_authentication",
    "sync_user_email_address",
]
