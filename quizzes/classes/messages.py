"""What staff write to a class: announcements to all, comments on one person's work."""

import logging
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from functools import cache

from allauth.account.models import EmailAddress
from django.conf import settings
from django.core.mail import send_mail
from django.db import transaction
from django.db.models import CharField, Count, F, OuterRef, Q, QuerySet, Subquery, Value
from django.db.models.functions import Coalesce
from django.utils import timezone

from quizzes.assessment.models import Attempt, Response
from quizzes.classes.access import classes_taught_by, subjects_of_work
from quizzes.classes.log import record_for_class
from quizzes.classes.models import Announcement, Cohort, Comment, Membership
from quizzes.exercises.models import Submission
from quizzes.learners.models import Learner, User
from quizzes.learners.progress import COLUMNS, NO_TIME, Row
from quizzes.page_reads import is_reading, read_once
from quizzes.pages.markdown import count_lines
from quizzes.statements import Param, Reader

log = logging.getLogger(__name__)
State = Membership.State
LONG_AGO = datetime(1970, 1, 1, tzinfo=UTC)


class MessageError(Exception):
    """This cannot be said; the message says why."""


# ---- announcements


@transaction.atomic
def announce(
    *,
    cohort: Cohort,
    by: User,
    title: str,
    text: str,
    to: Collection[Membership] | None = None,
) -> Announcement:
    """Send an announcement to a class, or to these members of it alone."""
    announcement = Announcement.objects.create(
        cohort=cohort, by=by, title=title.strip(), text=text, is_for_all=to is None
    )
    if to is not None:
        announcement.to.set(to)
    # Members who read until later than now, by a clock that was put back since, would miss it.
    by_now = Membership.objects.filter(cohort=cohort, last_seen_at__gte=announcement.published_at)
    by_now.update(last_seen_at=announcement.published_at - timedelta(microseconds=1))
    record_for_class(cohort, by, "announced", [announcement.as_subject()])
    return announcement


@transaction.atomic
def take_back(*, announcement: Announcement, by: User) -> None:
    """Delete an announcement; nobody reads it any more."""
    subjects = [announcement.as_subject()]
    record_for_class(announcement.cohort, by, "deleted an announcement", subjects)
    announcement.delete()


# ---- comments


@transaction.atomic
def comment_on(
    *, submission: Submission, cohort: Cohort, by: User, text: str, line: int | None = None
) -> Comment:
    """Write a comment on a submission, on one line of its code or on all. Raises MessageError."""
    lines = count_lines(submission.code)
    if line is not None and line > lines:
        raise MessageError(f"line {line}: the code has {lines} line{'s' * (lines != 1)}")
    made = Comment.objects.create(cohort=cohort, submission=submission, line=line, text=text, by=by)
    _note(made, by, "commented on")
    transaction.on_commit(lambda: send_notice(made))
    return made


@transaction.atomic
def comment_on_response(*, response: Response, cohort: Cohort, by: User, text: str) -> Comment:
    """Write a comment on one answer of a quiz."""
    made = Comment.objects.create(cohort=cohort, response=response, text=text, by=by)
    _note(made, by, "commented on")
    transaction.on_commit(lambda: send_notice(made))
    return made


@transaction.atomic
def withdraw_comment(*, comment: Comment, by: User) -> None:
    """Take a comment back: its learner does not see it any more."""
    if Comment.objects.filter(pk=comment.pk, withdrawn_at=None).update(withdrawn_at=timezone.now()):
        _note(comment, by, "took back a comment on")


def _note(comment: Comment, by: User, act: str) -> None:
    subjects = subjects_of_work(comment.cohort, comment.work)
    record_for_class(comment.cohort, by, act, subjects, comment.place)


def comments_on(
    submission: Submission | Param, *, cohort: Cohort | None = None
) -> QuerySet[Comment]:
    """Return the comments on a submission that stand, by line; of one class, if it is given."""
    rows = Comment.objects.filter(submission=submission, withdrawn_at=None).select_related("by")
    rows = rows.filter(cohort=cohort) if cohort else rows
    return rows.order_by(F("line").asc(nulls_first=True), "at", "pk")


def comments_on_answers(attempt: Attempt | Param) -> QuerySet[Comment]:
    """Return the comments on the answers of an attempt that stand, oldest first."""
    rows = Comment.objects.filter(response__attempt=attempt, withdrawn_at=None)
    return rows.select_related("by", "response")


def comments_read_by(user: User, work: Submission | Attempt) -> list[Comment]:
    """Return the comments on work that an account reads. One query, none without a class.

    Those on its own work, of classes in which it still has a place, and those of classes that it
    teaches: staff of one class read nothing that staff of another wrote.
    """
    if not (user.is_superuser or user.knows_classes):
        return []
    reader = _readable_comments(type(work), is_superuser=user.is_superuser)
    return reader.read(work=work.pk, user=user.pk)


@cache
def _readable_comments(kind: type[Submission | Attempt], *, is_superuser: bool) -> Reader[Comment]:
    user, work = Param("user"), Param("work")
    rows = comments_on(work) if kind is Submission else comments_on_answers(work)
    places = Membership.objects.filter(user=user, state=State.ACTIVE)
    mine = Q(submission__learner__user=user) | Q(response__attempt__learner__user=user)
    taught = classes_taught_by(user, is_superuser=is_superuser)
    readable = Q(mine, cohort__in=places.values("cohort")) | Q(cohort__in=taught.values("pk"))
    return Reader(rows.filter(readable).select_related("cohort"))


def comments_to(learner: Learner) -> QuerySet[Comment]:
    """Return the comments on a learner's work that stand, newest first.

    Only of classes in which the learner still has a place.
    """
    return comments_on_work(learner.pk, learner.user_id)


def comments_on_work(learner: int | Param, user: int | Param | None) -> QuerySet[Comment]:
    """Return the same for a learner and an account by their keys."""
    mine = Q(submission__learner=learner) | Q(response__attempt__learner=learner)
    places = Membership.objects.filter(user=user, state=State.ACTIVE)
    rows = Comment.objects.filter(mine, withdrawn_at=None, cohort__in=places.values("cohort"))
    return rows.order_by("-at", "-pk")


# ---- what is unread


@dataclass(frozen=True)
class Unread:
    """How many announcements and comments an account has not read, and whether it has a class.

    `comments` are those of each class, by its key.
    """

    count: int = 0
    has_class: bool = False
    comments: Mapping[int, int] = field(default_factory=dict)


UNREAD = "unread"  # a kind of rows beside progress


def unread_of(user: User) -> Unread:
    """Count what an account has not read, in all its classes.

    One query, none where the page has read the progress of the account's learner. Its own
    announcements are read. For an account that the session brought along, no query finds out that
    it has no class.
    """
    if not user.knows_classes:
        return Unread()
    learner = getattr(user, "learner", None) if is_reading() else None
    if learner is not None:
        return unread_by(learner)
    return _unread_in(_unread().read(user=user.pk))


def unread_by(learner: Learner) -> Unread:
    """Count what the account of a learner has not read, as `unread_of` does."""
    if not learner.may_be_in_class:
        return Unread()
    user = learner.user_id
    return _unread_in(read_once((UNREAD, learner.pk), lambda: _unread().read(user=user)))


def _unread_in(rows: Iterable[Row]) -> Unread:
    counts = {cohort: (news, notes) for *_, cohort, news, notes, _, _ in rows}
    comments = {cohort: notes for cohort, (_, notes) in counts.items()}
    return Unread(sum(map(sum, counts.values())), bool(counts), comments)


@cache
def _unread() -> Reader[Row]:
    return Reader(unread_rows())


def unread_rows() -> QuerySet[Membership, Row]:
    """Count announcements and comments in each class of the parameter `user`, beside progress."""
    user = Param("user")
    news = (
        Announcement.objects.told_to(OuterRef(OuterRef("pk")))
        .filter(
            cohort=OuterRef("cohort"),
            published_at__gt=Coalesce(OuterRef("last_seen_at"), Value(LONG_AGO)),
        )
        .exclude(by=user)
    )
    # Two halves: a condition that joins both would read all comments of the class.
    notes = [
        Comment.objects.filter(
            **{owner: user}, cohort=OuterRef("cohort"), seen_at=None, withdrawn_at=None
        )
        for owner in ("submission__learner__user", "response__attempt__learner__user")
    ]
    counted = Membership.objects.filter(user=user, state=State.ACTIVE).annotate(
        row_kind=Value(UNREAD, output_field=CharField()),
        row_slug=Value("", output_field=CharField()),
        row_text=Value("", output_field=CharField()),
        row_key=F("cohort"),
        row_left=_number(news),
        row_sitting=_number(notes[0]) + _number(notes[1]),
        row_at=NO_TIME,
        row_until=NO_TIME,
    )
    return counted.order_by().values_list(*COLUMNS)


def _number(rows: QuerySet[Announcement] | QuerySet[Comment]) -> Coalesce:
    counted = rows.order_by().values("cohort").annotate(number=Count("pk")).values("number")
    return Coalesce(Subquery(counted), 0)


@transaction.atomic
def mark_read(*, user: User, until: datetime) -> None:
    """Count as read all that was written to an account up to this moment.

    What arrives while the page stands open stays unread.
    """
    places = Membership.objects.filter(user=user, state=State.ACTIVE)
    earlier = Q(last_seen_at=None) | Q(last_seen_at__lt=until)
    places.filter(earlier).update(last_seen_at=until)
    mine = Q(submission__learner__user=user) | Q(response__attempt__learner__user=user)
    unseen = Comment.objects.filter(mine, seen_at=None, at__lte=until)
    Comment.objects.filter(pk__in=unseen.values("pk")).update(seen_at=timezone.now())


# ---- mail about a comment


def send_notice(comment: Comment) -> None:
    """Tell the learner by mail that there is a comment, not what it says. Failures are logged.

    Off unless CLASS_MAIL is set: mail about learning is for the operator to decide. It goes to
    verified addresses only.
    """
    if not settings.CLASS_MAIL:
        return
    learner = comment.submission.learner if comment.submission else None
    if learner is None and comment.response and comment.response.attempt:
        learner = comment.response.attempt.learner
    user = learner.user if learner else None
    rows = EmailAddress.objects.filter(user=user, verified=True, primary=True)
    address = rows.first() if user else None
    if address is None:
        return
    try:
        send_mail(
            f"A comment on your work in {comment.cohort.title}",
            "An instructor in your class has commented on your work.\n\n"
            "Sign in and open Messages to read it.\n",
            None,
            [address.email],
        )
    except OSError:
        log.exception("no notice of comment %s could be sent", comment.pk)
