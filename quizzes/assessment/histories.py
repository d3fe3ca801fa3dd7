"""Quizzes as a list shows them, and what one learner did with a quiz."""

from dataclasses import dataclass

from django.db.models import Count, Exists, OuterRef, Q, QuerySet

from quizzes.assessment.models import Attempt, Instance, Quiz
from quizzes.learners.models import Learner


@dataclass(frozen=True)
class History:
    """A learner's attempts at one quiz: the open one, the latest submitted and the best."""

    open: Attempt | None
    latest: Attempt | None
    best: Attempt | None
    submitted: int


def quizzes_counted() -> QuerySet[Quiz]:
    """Return the quizzes, each with `asked`: how many questions an attempt at it asks.

    `waiting` are those that will be asked once a worker has drawn their first numbers.
    """
    drawn = Exists(Instance.objects.filter(version__question=OuterRef("places__question")))
    fixed = Q(places__question__current__generator={})
    there = Q(places__question__current__isnull=False)
    coming = there & ~fixed & Q(places__question__current__problem="") & ~Q(drawn)
    counted = Quiz.objects.annotate(
        asked=Count("places", filter=there & (fixed | Q(drawn))),
        waiting=Count("places", filter=coming),
    )
    return counted.order_by("place", "pk")


def history_of(learner: Learner | None, quiz: Quiz) -> History:
    """Return what this learner did with a quiz. One query."""
    if learner is None:
        return History(None, None, None, 0)
    found = Attempt.objects.filter(learner=learner, quiz=quiz)
    attempts = list(found.scored().order_by("-submitted_at", "-pk"))
    submitted = [attempt for attempt in attempts if attempt.submitted_at]
    return History(
        open=next((attempt for attempt in attempts if not attempt.submitted_at), None),
        latest=submitted[0] if submitted else None,
        best=max(submitted, key=_share, default=None),
        submitted=len(submitted),
    )


def _share(attempt: Attempt) -> float:
    return attempt.right / max(attempt.asked, 1)
