"""The learner of a request: the account's learner, or the learner in the browser's cookie."""

import uuid
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from datetime import timedelta

from django.conf import settings
from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.utils import timezone
from django.utils.crypto import salted_hmac
from django.utils.functional import SimpleLazyObject

from quizzes.learners.models import Learner
from quizzes.limits.learner_cookie import COOKIE_LASTS, FORMER_NAME, cookie_text, named_learner
from quizzes.limits.limits import NEWCOMER_ROWS, ROWS, LimitReachedError
from quizzes.page_reads import reading_page
from quizzes.request_values import RequestValue

READS = {"GET", "HEAD"}  # the methods of pages that only read
SEEN_AGAIN_AFTER = timedelta(hours=1)  # one write an hour tells an active learner from an idle one
AT_ONCE = timedelta(minutes=1)  # within which all first posts of one newcomer arrive
LEARNER: RequestValue[object] = RequestValue("learner")  # lazy, for templates
# The learner of each account that a request had, by the account's key.
_LEARNERS: RequestValue[dict[int | None, Learner | None]] = RequestValue("learners")
_COOKIE_CHANGE: RequestValue[Learner | None] = RequestValue("cookie_change")
_LEFT: RequestValue[bool] = RequestValue("left")


def _account(request: HttpRequest) -> int | None:
    user = getattr(request, "user", None)
    return user.pk if user is not None and user.is_authenticated else None


def cookie_learner(request: HttpRequest) -> Learner | None:
    """Return the learner without an account that this browser's signed cookie names."""
    named = named_learner(request)
    if named is None:
        return None
    # An adopted learner belongs to its account: the cookie alone, left on a shared machine after
    # signing out, must not open it.
    return Learner.objects.filter(uuid=named, user=None).first()


def current_learner(request: HttpRequest) -> Learner | None:
    """Return the learner; None for a visitor that has done nothing yet. Writes nothing."""
    known = _LEARNERS.get_or_set(request, dict)
    account = _account(request)
    if account not in known:
        known[account] = cookie_learner(request) if account is None else _own_learner(request)
    return known[account]


def _own_learner(request: HttpRequest) -> Learner | None:
    """Return the learner of the account, which was read with the session's account."""
    try:
        learner: Learner = request.user.learner  # type: ignore[union-attr]  # nobody anonymous
    except Learner.DoesNotExist:
        return None
    return learner


def show_as(
    request: HttpRequest, learner: Learner, *, course: int | None = None, cohort: int | None = None
) -> None:
    """Let the pages of this request, which must not write, show what this learner sees.

    If the keys of a course and of a class of it are named, only their reviews and their work.
    """
    learner.only_course, learner.only_class = course, cohort
    _LEARNERS.get_or_set(request, dict)[_account(request)] = learner


def learner_for_writing(request: HttpRequest, *, rows: float = 1) -> Learner:
    """Return the learner and make a row for a newcomer: call it inside a POST only.

    `rows`: how many more the caller is about to store. Raises LimitReachedError when too much is
    stored for visitors without an account, of this address or all together.
    """
    account = _account(request)
    learner = current_learner(request)
    if account is None and (cost := _cost(learner, rows)):
        ROWS.spend(request, cost)
    if learner is None:
        if account is None:
            learner = _newcomer(request)
            _COOKIE_CHANGE.set(request, learner)
        else:
            learner, _ = Learner.objects.get_or_create(user_id=account)
        _LEARNERS.of(request)[account] = learner
        return learner
    is_back = timezone.now() - learner.last_seen_at > SEEN_AGAIN_AFTER
    if is_back or not learner.is_claimed:
        learner.is_claimed = True
        there = Learner.objects.filter(pk=learner.pk)
        if not there.update(last_seen_at=timezone.now(), is_claimed=True):  # forgotten just now
            _LEARNERS.of(request)[account] = None
            return learner_for_writing(request, rows=0)
        if is_back and account is None:
            _COOKIE_CHANGE.set(request, learner)  # its year begins again
    return learner


@contextmanager
def kept_learner(request: HttpRequest, *, rows: float = 1) -> Iterator[Learner]:
    """Give the learner to a block of a POST that may keep nothing: then no newcomer is kept either.

    A row without anything of its owner's would only be there to be forgotten. `rows` as above.
    """
    if current_learner(request) is not None:
        yield learner_for_writing(request, rows=rows)
        return
    if _account(request) is None and (wait := ROWS.wait(request, _cost(None, rows))):
        raise LimitReachedError(wait)  # which costs no transaction
    try:
        with transaction.atomic():  # a newcomer that is refused gives back what it took
            yield learner_for_writing(request, rows=rows)
    except BaseException:
        _LEARNERS.of(request).pop(_account(request), None)
        _COOKIE_CHANGE.clear(request)
        raise


def _cost(learner: Learner | None, rows: float) -> float:
    return max(0.0, rows) + (NEWCOMER_ROWS if learner is None else 0)


def _newcomer(request: HttpRequest) -> Learner:
    """Make a learner; several first posts of one page, sent at once, get the same one.

    The secret of the page's CSRF token tells such posts from those of other visitors. It counts for
    a minute only, so that it never becomes a second key to a learner.
    """
    secret = request.META.get("CSRF_COOKIE")
    if not secret:
        return Learner.objects.create()
    digest = salted_hmac("quizzes.learners.newcomer", secret, algorithm="sha256").digest()
    learner, made = Learner.objects.get_or_create(uuid=uuid.UUID(bytes=digest[:16], version=4))
    if made or (learner.user_id is None and timezone.now() - learner.created_at < AT_ONCE):
        return learner
    return Learner.objects.create()


def forget_cookie(request: HttpRequest) -> None:
    """Let the answer to this request clear the cookie: its learner belongs to an account now."""
    _COOKIE_CHANGE.set(request, None)


def note_leaving(*, request: HttpRequest | None, **_: object) -> None:
    """Receive `user_logged_out`, which follows signing out as well as deleting one's data."""
    if request is not None:
        _LEFT.set(request, True)


def remember(request: HttpRequest, response: HttpResponse) -> None:
    """Write or clear the cookie when this request made, saw again or gave away a learner.

    After signing out or deleting, the browser is told to forget the texts that pages kept in it.
    """
    if _LEFT.get(request):
        response["Clear-Site-Data"] = '"storage"'
    if not _COOKIE_CHANGE.is_set(request):
        return
    learner = _COOKIE_CHANGE.of(request)
    if learner is None:
        for name in {settings.LEARNER_COOKIE_NAME, FORMER_NAME} & set(request.COOKIES):
            response.delete_cookie(name, samesite="Lax")
        return
    response.set_cookie(
        settings.LEARNER_COOKIE_NAME,
        cookie_text(learner.uuid),
        max_age=COOKIE_LASTS,
        httponly=True,
        samesite="Lax",
        secure=settings.SESSION_COOKIE_SECURE,
    )


class LearnerMiddleware:
    """Give templates the lazy learner of a request; keep the cookie up to date.

    A page that only reads makes each query about its learner once.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        LEARNER.set(request, SimpleLazyObject(lambda: current_learner(request)))
        with reading_page() if request.method in READS else nullcontext():
            response = self.get_response(request)
        remember(request, response)
        return response
