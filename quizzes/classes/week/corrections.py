"""What the course regraded in a class, for its instructors, who may decline it."""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db.models import CharField, Count, F, QuerySet, Value

from quizzes.assessment.models import RegradedResponse
from quizzes.classes.models import Assignment
from quizzes.exercises.models import TrialVerdict

COLUMNS = ("sort", "slug", "since", "works")


@dataclass(frozen=True)
class CourseRegrade:
    """One question or exercise of which the course regraded work of this class."""

    kind: str  # question or exercise
    slug: str
    at: datetime
    works: int  # answers or submissions of the class


def regrades_by_the_course(
    assigned: Collection[Assignment], members: Collection[int], since: datetime
) -> list[CourseRegrade]:
    """Return the regrades of the whole course that stand, newest first. One query.

    Answers are those to assigned quizzes; `members` are the learners of the class.
    """
    sittings = [one.sitting for one in assigned if one.quiz_id]
    exercises = [one.exercise_id for one in assigned if one.exercise_id]
    answers = RegradedResponse.objects.filter(
        regrade__cohort_id=None,
        regrade__at__gte=since,
        response__attempt__sitting__in=sittings,
        undone_at=None,
    )
    code = TrialVerdict.objects.filter(
        regrade__cohort_id=None,
        regrade__exercise__in=exercises,
        regrade__applied_at__gte=since,
        applied_at__isnull=False,
        undone_at=None,
        submission__learner__in=list(members),
    )
    rows = [
        _counted(answers, "question", "regrade__question__slug", "regrade__at"),
        _counted(code, "exercise", "regrade__exercise__slug", "regrade__applied_at"),
    ]
    regrades = [CourseRegrade(*row) for row in rows[0].union(rows[1], all=True)]
    return sorted(regrades, key=lambda regrade: regrade.at, reverse=True)


def _counted(
    rows: QuerySet[Any], kind: str, slug: str, at: str
) -> QuerySet[Any, tuple[str, str, datetime, int]]:
    named = rows.order_by().annotate(
        sort=Value(kind, output_field=CharField()), slug=F(slug), since=F(at)
    )
    grouped: QuerySet[Any, tuple[str, str, datetime, int]] = (
        named.values("sort", "slug", "since").annotate(works=Count("pk")).values_list(*COLUMNS)
    )
    return grouped
