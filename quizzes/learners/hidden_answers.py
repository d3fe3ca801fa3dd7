"""Whether a learner may see answers, reasons and marks of a question or an exercise now.

A room that knows a reason to hide them, for a while, fills the hook; every page, count and export
that would tell an answer asks here. Without such a room all is shown.
What is hidden is asked for once and compared by name, so that a list takes no query for each row.
"""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Protocol

from django.utils import timezone

from quizzes.hooks import Hook
from quizzes.learners.models import Learner

FOUND_ONCE = timedelta(seconds=5)


@dataclass(frozen=True)
class Hidden:
    """A question, a quiz or an exercise, by the key of its course, its kind and its name.

    A quiz is named where its score is hidden, beside its questions; of an exercise "solution" hides
    the right solution alone, and not what the learner reached.
    """

    course: int
    kind: str  # "question", "quiz", "exercise" or "solution"
    slug: str


class Answerable(Protocol):
    """A question, a quiz or an exercise, as the rooms above this one have it."""

    course_id: int
    slug: str


@Hook
def find_hidden_answers(learner: Learner, now: datetime) -> Collection[Hidden]:  # noqa: ARG001
    """Return the things whose answers a learner may not see at a time, in all courses."""
    return ()


def hidden_answers(learner: Learner | None, now: datetime | None = None) -> frozenset[Hidden]:
    """Return the things whose answers a learner may not see now, in all courses.

    It is found once for a page: a learner's object lives for one request.
    """
    if learner is None:
        return frozenset()
    at = now or timezone.now()
    if learner.hidden_answers is None or abs(at - learner.hidden_answers[0]) >= FOUND_ONCE:
        learner.hidden_answers = at, frozenset(find_hidden_answers(learner, at))
    return learner.hidden_answers[1]


def may_show(learner: Learner | None, thing: Answerable, now: datetime | None = None) -> bool:
    """Return whether a learner may see answers and marks of a question or an exercise now."""
    named = Hidden(thing.course_id, type(thing).__name__.lower(), thing.slug)
    return named not in hidden_answers(learner, now)


def hidden_slugs(
    learner: Learner | None, course: int, kind: str, now: datetime | None = None
) -> set[str]:
    """Return the names of the things of one kind in a course that are hidden."""
    return {
        one.slug
        for one in hidden_answers(learner, now)
        if one.course == course and one.kind == kind
    }
