"""The list of where an account is signed in: it has every session that opens the account.

allauth lists a session when it is opened, by its key. A session that goes on under another key
would be missing: Django gives it one when SECRET_KEY was changed and a former key still opens it.
Sessions that were opened before the site had the list are missing too. A session that is not in the
list cannot be ended by its owner, and it may be a thief's.
"""

from contextlib import suppress

from allauth.mfa.models import Authenticator
from allauth.usersessions.models import UserSession
from django.conf import settings
from django.contrib.auth import HASH_SESSION_KEY, SESSION_KEY
from django.contrib.sessions.backends.base import UpdateError
from django.contrib.sessions.models import Session
from django.core import signing
from django.http import HttpRequest
from django.utils import timezone
from django.utils.crypto import constant_time_compare

from quizzes.learners.allauth_internals import end_other_sessions
from quizzes.learners.models import User
from quizzes.limits.client_address import client_address

LISTED = "listed_as"  # in the session: the key under which it is in the list, signed


def list_session(*, request: HttpRequest, **_: object) -> None:
    """Receive allauth's `user_logged_in` in place of its own receiver.

    That one looks first which sessions of the list have ended, as its page does, and both have
    Django open each. A session that a former SECRET_KEY signed gets another key there, which its
    browser does not have: one sign-in after a change of the key signed the account out everywhere
    else. Here `open_sessions` looks, and a periodic task deletes what has ended.
    """
    UserSession.objects.create_from_request(request)
    request.session[LISTED] = _note(request)


# The note is signed because the session's key alone would tell of a new SECRET_KEY too late. Django
# gives the session its new key when something first asks for `request.user`, which may be the page
# that shows the list. The signature differs before that, so the account is asked for here. Until
# the session is saved, its row has the new key and opens nothing, and the list would leave it out.
# So the session is saved at once.
def _note(request: HttpRequest) -> str:
    return signing.Signer(salt=LISTED).sign(str(request.session.session_key))


def keep_listed(request: HttpRequest) -> None:
    """List the session of this request unless its note says that it is; then nothing is asked.

    Visitors get no session.
    """
    if settings.SESSION_COOKIE_NAME not in request.COOKIES:
        return
    session = request.session
    if SESSION_KEY not in session or session.get(LISTED) == _note(request):
        return
    if not request.user.is_authenticated or client_address(request) is None:
        return
    former = str(session.get(LISTED, "")).partition(":")[0]
    list_session(request=request)
    was = UserSession.objects.filter(user=request.user, session_key=former).first()
    if was is not None:  # the session began when it was opened, not when its key changed
        now = UserSession.objects.filter(session_key=session.session_key)
        now.update(created_at=was.created_at)
    with suppress(UpdateError):  # it was ended meanwhile: Django's own middleware answers 400
        session.save()


def open_sessions(user: User) -> list[UserSession]:
    """Return the list of an account's open sessions, the oldest first. It changes none of them."""
    signatures = [user.get_session_auth_hash(), *user.get_session_auth_fallback_hash()]
    listed = UserSession.objects.filter(user=user)
    stored = Session.objects.filter(
        session_key__in=listed.values("session_key"), expire_date__gt=timezone.now()
    )
    is_open = {
        row.session_key for row in stored if row.get_decoded().get(HASH_SESSION_KEY) in signatures
    }
    return [row for row in listed.order_by("created_at", "pk") if row.session_key in is_open]


def lock_account(request: HttpRequest) -> User | None:
    """Return the account of this request as it is now, locked; None if its session has ended.

    A request that waited for somebody else's server has read account and session seconds ago. Since
    then the owner may have set a password, or an operator may have closed the account. Call it in a
    transaction.
    """
    session = request.session
    if not isinstance(request.user, User):
        return None
    user = User.objects.select_for_update().filter(pk=request.user.pk, is_active=True).first()
    if user is None or not session.session_key or not session.exists(session.session_key):
        return None
    known = str(session.get(HASH_SESSION_KEY, ""))
    return user if constant_time_compare(known, user.get_session_auth_hash()) else None


def end_sessions(user: User) -> None:
    """End every session of an account, for an operator."""
    for session in UserSession.objects.filter(user=user):
        session.end()


def end_others(
    *, request: HttpRequest, user: User, authenticator: Authenticator, **_: object
) -> None:
    """Receive `authenticator_added`: sessions that no code was asked of end with it.

    Recovery codes come with a second factor, or replace others: they end nothing by themselves.
    """
    if authenticator.type != Authenticator.Type.RECOVERY_CODES:
        end_other_sessions(request, user)
