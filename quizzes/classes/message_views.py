"""A learner's page of messages: announcements of their classes, comments on their work.

While somebody of a class views as its student, the page has what was written to that student in
that class, and nothing of other classes; it is read only, as every page then.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from functools import cache

from django.contrib.auth.decorators import login_required
from django.db.models import OuterRef, QuerySet, Subquery
from django.http import HttpRequest, HttpResponse, HttpResponseBadRequest
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.dateparse import parse_datetime
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from quizzes.classes.marks.reader import LATER as LATER_OF_VERSION
from quizzes.classes.messages import LONG_AGO, comments_on_work, comments_to, mark_read
from quizzes.classes.models import Announcement, Comment, Membership
from quizzes.classes.view_as import VIEWED_AS
from quizzes.courses.models import LATER_OF_COURSE
from quizzes.learners.models import Learner, User
from quizzes.learners.services import current_learner
from quizzes.pages.markdown import render_markdown
from quizzes.statements import Param, Reader

MOST = 50  # of each kind, the newest


@never_cache
@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def messages(request: HttpRequest) -> HttpResponse:
    """Show what was written to this account; POST counts it as read."""
    user = request.user
    assert isinstance(user, User)
    if request.method == "POST":
        until = _moment(request)
        if until is None:
            words = "until: must be the time at which the page was made"
            return HttpResponseBadRequest(words, content_type="text/plain")
        mark_read(user=user, until=until)
        return redirect("classes:messages")
    viewed = VIEWED_AS.get(request)
    which = {"user": user.pk, "place": viewed and viewed.pk}
    places = _places(is_viewed=viewed is not None).read(**which)
    reader = user.pk if viewed is None else viewed.user_id
    seen = {row.cohort_id: row.last_seen_at or LONG_AGO for row in places}
    news = _news(is_viewed=viewed is not None).read(**which) if places else []
    written = [
        Message(
            row, row.published_at, row.published_at > seen[row.cohort_id] and row.by_id != reader
        )
        for row in news
    ]
    written += [
        Message(row, row.at, is_new=row.seen_at is None) for row in _comments(request, viewed)
    ]
    written.sort(key=lambda message: message.at, reverse=True)
    context = {
        "places": places,
        "unread": [message for message in written if message.is_new],
        "read": [message for message in written if not message.is_new],
        "now": timezone.now(),
    }
    return render(request, "classes/messages.html", context)


@dataclass(frozen=True)
class Message:
    """An announcement or a comment, when it was written, and whether its reader has not read it."""

    row: Announcement | Comment
    at: datetime
    is_new: bool

    @property
    def html(self) -> str:
        return render_markdown(self.row.text)


def _rows_of_places(*, is_viewed: bool) -> QuerySet[Membership]:
    if is_viewed:
        return Membership.objects.filter(pk=Param("place"))
    return Membership.objects.filter(user=Param("user"), state=Membership.State.ACTIVE)


@cache
def _places(*, is_viewed: bool) -> Reader[Membership]:
    return Reader(_rows_of_places(is_viewed=is_viewed).select_related("cohort"))


@cache
def _news(*, is_viewed: bool) -> Reader[Announcement]:
    """Return what was announced to these places, the newest first."""
    places = _rows_of_places(is_viewed=is_viewed)
    own = places.filter(cohort=OuterRef(OuterRef("cohort"))).values("pk")
    news = Announcement.objects.told_to(Subquery(own))
    there = news.filter(cohort__in=places.order_by().values("cohort"))
    return Reader(there.select_related("cohort", "by")[:MOST])


def _comments(request: HttpRequest, viewed: Membership | None) -> Iterable[Comment]:
    """Return the newest comments on a learner's work; of a viewed student, those of the class."""
    if viewed is None:
        learner = current_learner(request)
    else:
        learner = Learner.objects.filter(user=viewed.user_id).first()
    if learner is None:
        return []
    if viewed is not None:
        return _with_work(comments_to(learner).filter(cohort=viewed.cohort_id))
    return _own_comments().read(learner=learner.pk, user=learner.user_id)


@cache
def _own_comments() -> Reader[Comment]:
    return Reader(_with_work(comments_on_work(Param("learner"), Param("user"))))


def _with_work(comments: QuerySet[Comment]) -> QuerySet[Comment]:
    return comments.select_related(
        "cohort",
        "by",
        "submission__exercise_version__exercise__course",
        "response__attempt__quiz__course",
    ).defer(*LATER)[:MOST]


# Of a submission, its exercise and the courses: long, and not shown.
LATER = (
    "submission__code",
    "submission__report",
    *(f"submission__exercise_version__{name}" for name in LATER_OF_VERSION),
    *(f"submission__exercise_version__exercise__{name}" for name in LATER_OF_COURSE),
    *(f"response__attempt__quiz__{name}" for name in LATER_OF_COURSE),
)


def _moment(request: HttpRequest) -> datetime | None:
    """Return the moment that the form names, at most now."""
    try:
        found = parse_datetime(request.POST.get("until", ""))
    except ValueError:
        return None
    if found is None or found.tzinfo is None:
        return None
    return min(found, timezone.now())
