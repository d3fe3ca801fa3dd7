"""How often a learner may have code run. Counted on the rows, so it holds across processes."""

import math
from datetime import datetime, timedelta

from quizzes.exercises.assigned_work import submit_rules
from quizzes.exercises.models import Exercise, Submission
from quizzes.exercises.models.submission import SubmissionQuerySet
from quizzes.learners.models import Learner

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


def refuse_too_many(*, learner: Learner, kind: str, now: datetime) -> None:
    """Raise TooMany when the learner should wait before submitting another row of this kind."""
    mine = Submission.objects.filter(learner=learner)
    if mine.ungraded().count() >= WAITING_AT_ONCE:
        raise TooMany(
            f"{WAITING_AT_ONCE} of your submissions are already waiting. "
            "Wait for their verdicts first.",
            retry_after_seconds=5,
        )
    if kind == Submission.Kind.CHECK:
        _refuse_quick_checks(mine, now)
    else:
        _refuse_many_submits(mine, now, anonymous=learner.user_id is None)
    if learner.user_id is None:
        _refuse_when_crowded()


def _refuse_quick_checks(mine: SubmissionQuerySet, now: datetime) -> None:
    if _since(mine, now - CHECK_EVERY, now).filter(kind=Submission.Kind.CHECK).exists():
        raise TooMany(
            "You can use Check once a second. Try again in a moment.", retry_after_seconds=1
        )


def _refuse_many_submits(mine: SubmissionQuerySet, now: datetime, *, anonymous: bool) -> None:
    allowed = SUBMITS_A_MINUTE_ANONYMOUS if anonymous else SUBMITS_A_MINUTE
    recent = _since(mine, now - MINUTE, now).filter(kind=Submission.Kind.SUBMIT)
    times = list(recent.order_by("-submitted_at").values_list("submitted_at", flat=True)[:allowed])
    if len(times) < allowed:
        return
    wait = max(1, math.ceil((times[-1] + MINUTE - now).total_seconds()))
    more = (
        f" With an account, you can submit {SUBMITS_A_MINUTE} times a minute." if anonymous else ""
    )
    raise TooMany(
        f"You can submit {allowed} times a minute. Try again in {wait} s, "
        f"or use Check in the meantime.{more}",
        retry_after_seconds=wait,
    )


def _since(mine: SubmissionQuerySet, begin: datetime, now: datetime) -> SubmissionQuerySet:
    return mine.filter(submitted_at__gt=begin, submitted_at__lte=now + CLOCKS_APART)


def _refuse_when_crowded() -> None:
    crowd = Submission.objects.ungraded().filter(learner__user=None)
    if crowd.count() >= ANONYMOUS_WAITING_AT_ONCE:
        raise TooMany(
            "Too many submissions are waiting right now. Try again in 15 seconds.",
            retry_after_seconds=15,
        )
