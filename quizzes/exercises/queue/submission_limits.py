"""How often a learner may have code run. Counted on the rows, so it holds across processes."""

import math
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import cache
from typing import Any
from uuid import UUID

from django.db.models import Count, Exists, Max, OuterRef, QuerySet, Subquery, UUIDField

from quizzes import statements
from quizzes.exercises.assigned_work import submit_rules
from quizzes.exercises.models import Exercise, Submission
from quizzes.exercises.models.submission import SubmissionQuerySet
from quizzes.learners.models import Learner
from quizzes.statements import Param, Statement, TimeParam, in_utc

CHECK_EVERY = timedelta(seconds=1)
SUBMITS_A_MINUTE = 20
SUBMITS_A_MINUTE_ANONYMOUS = 10
WAITING_AT_ONCE = 4
ANONYMOUS_WAITING_AT_ONCE = 600  # of all together: the next submission would wait about 15 s
MINUTE = timedelta(minutes=1)
# Of the clocks of two hosts. A row of later than that says that a clock was put back since, and
# must not keep its learner waiting until then.
CLOCKS_APART = timedelta(seconds=5)


class TooMany(Exception):  # noqa: N818 -- not an error, an answer
    """The learner must wait `retry_after_seconds`; `str()` says it in a sentence."""

    def __init__(self, message: str, retry_after_seconds: int) -> None:
        super().__init__(message)
        self.retry_after_seconds = retry_after_seconds


class NoneLeft(Exception):  # noqa: N818 -- not an error, an answer
    """Work of a class takes no further Submit; `str()` says why, to the learner."""


def counts_in_a_class(*, learner: Learner, exercise: Exercise, now: datetime) -> bool:
    """Return whether one Submit more can count; NoneLeft where open work allows no more.

    Call it with the learner's row held: then the limit holds for many Submits at once.
    """
    rules = submit_rules(learner, exercise, now)
    if rules.why_not:
        raise NoneLeft(rules.why_not)
    return rules.counts


@dataclass(frozen=True)
class OwnRows:
    """What a learner has sent that decides about the next submission.

    `same`: the key of the row of the same form, if there is one; `waiting` of them are ungraded,
    and the last quick one is due at `last_due`; `checked`: a Check or Run within the last second;
    `submits` of the last minute.
    """

    same: int | None
    waiting: int
    last_due: datetime | None
    checked: bool
    submits: int


def own_rows(*, learner: Learner, key: UUID, now: datetime) -> OwnRows:
    """Read them, with the learner's row held. One query; Learner.DoesNotExist if it is gone.

    It does not take the lock itself: a statement that waits for one counts the rows of before.
    """
    for same, waiting, last_due, checked, submits in _own_rows().rows(
        learner=learner.pk, key=key, now=now
    ):
        return OwnRows(
            same, waiting or 0, last_due and in_utc(last_due), bool(checked), submits or 0
        )
    raise Learner.DoesNotExist(f"learner {learner.pk} was forgotten")


@cache
def _own_rows() -> Statement:
    now, mine = TimeParam("now"), Submission.objects.filter(learner=OuterRef("pk")).order_by()
    ungraded, submits = mine.ungraded(), mine.filter(kind=Submission.Kind.SUBMIT)
    checks = mine.filter(kind__in=(Submission.Kind.CHECK, Submission.Kind.RUN))
    facts = {
        "same": Subquery(mine.filter(key=Param("key", UUIDField())).values("pk")),
        "waiting": _aggregate(ungraded, Count("pk")),
        "last_due": _aggregate(ungraded.filter(slow=False), Max("scheduled_for")),
        "checked": Exists(_since(checks, now - CHECK_EVERY, now)),
        "submits": _aggregate(_since(submits, now - MINUTE, now), Count("pk")),
    }
    learner = Learner.objects.filter(pk=Param("learner")).order_by()
    return statements.select(learner.annotate(**facts).values_list(*facts))


def _aggregate(rows: QuerySet[Submission], aggregate: Any) -> Subquery:
    """Return the aggregate of a learner's rows, NULL for none."""
    return Subquery(rows.values("learner").annotate(value=aggregate).values("value"))


def refuse_too_many(*, learner: Learner, kind: str, now: datetime, own: OwnRows) -> None:
    """Raise TooMany when the learner should wait before submitting another row of this kind."""
    is_run = kind == Submission.Kind.RUN
    if own.waiting >= WAITING_AT_ONCE:
        until = "Wait until they have run." if is_run else "Wait for their verdicts first."
        raise TooMany(
            f"{WAITING_AT_ONCE} of your submissions are already waiting. {until}",
            retry_after_seconds=5,
        )
    anonymous = learner.user_id is None
    allowed = SUBMITS_A_MINUTE_ANONYMOUS if anonymous else SUBMITS_A_MINUTE
    if kind != Submission.Kind.SUBMIT and own.checked:
        button = "Check or Run" if is_run else Submission.Kind(kind).label
        raise TooMany(
            f"You can use {button} once a second. Try again in a moment.", retry_after_seconds=1
        )
    if kind == Submission.Kind.SUBMIT and own.submits >= allowed:
        raise _too_many_submits(learner, now, allowed)
    if anonymous:
        _refuse_when_crowded()


def _too_many_submits(learner: Learner, now: datetime, allowed: int) -> TooMany:
    """Return the refusal, with the time until the first of the last ones is a minute old."""
    mine = Submission.objects.filter(learner=learner, kind=Submission.Kind.SUBMIT)
    recent = _since(mine, now - MINUTE, now).order_by("-submitted_at")
    oldest = list(recent.values_list("submitted_at", flat=True)[:allowed])[-1]
    wait = max(1, math.ceil((oldest + MINUTE - now).total_seconds()))
    more = ""
    if learner.user_id is None:
        more = f" With an account, you can submit {SUBMITS_A_MINUTE} times a minute."
    return TooMany(
        f"You can submit {allowed} times a minute. Try again in {wait} s, "
        f"or use Check in the meantime.{more}",
        retry_after_seconds=wait,
    )


def _since(
    mine: SubmissionQuerySet, begin: datetime | TimeParam, now: datetime | TimeParam
) -> SubmissionQuerySet:
    return mine.filter(submitted_at__gt=begin, submitted_at__lte=now + CLOCKS_APART)


def _refuse_when_crowded() -> None:
    crowd = Submission.objects.ungraded().filter(learner__user=None)
    if crowd.count() >= ANONYMOUS_WAITING_AT_ONCE:
        raise TooMany(
            "Too many submissions are waiting right now. Try again in 15 seconds.",
            retry_after_seconds=15,
        )
