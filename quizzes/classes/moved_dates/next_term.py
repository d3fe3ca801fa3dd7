"""The next term: a class with the assignments of an earlier one, their dates moved on.

Dates move by whole weeks on the clock of the class, so what was due on a Thursday at 23:59 is so
again, whatever the clocks did in between. Exceptions, extra time and marks stay with their people.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

from django.core.exceptions import ValidationError
from django.db import transaction
from django.db.models import QuerySet

from quizzes.assessment.models import Quiz
from quizzes.classes.access import taught_classes
from quizzes.classes.assignments import questions_without_numbers, save_assignment
from quizzes.classes.dates import days_later
from quizzes.classes.marks.reader import assignments_of
from quizzes.classes.models import Assignment, Cohort, Membership
from quizzes.classes.rules import DATES, NEVER, WorkKind
from quizzes.classes.services import open_class
from quizzes.exercises.services import published_exercises
from quizzes.learners.models import User
from quizzes.lessons.models import Lesson

WEEK = timedelta(weeks=1)
SAME = (  # what the assignment of the next term has as its model has it
    "points",
    "grace_minutes",
    "late_percent_per_day",
    "attempts",
    "minutes",
    "counts",
    "exercise_counts",
    "other_convention_counts",
    "shows_marks",
    "shows_answers",
    "practice",
    "shuffle_questions",
    "is_visible",
    "place",
    "includes_deeper",
)


class NextTermError(Exception):
    """Some assignments cannot be made; `faults` has what Django says of each, by their model."""

    def __init__(self, faults: Mapping[int, ValidationError]) -> None:
        super().__init__(f"{len(faults)} of the assignments cannot be made")
        self.faults = faults


@dataclass(frozen=True)
class ModelAssignment:
    """An assignment of the earlier class. `is_there`: whether its course still offers the work."""

    assignment: Assignment
    is_there: bool


@dataclass(frozen=True)
class OpenedClass:
    """The new class, how many assignments it has, and the titles of those made hidden.

    Hidden are quizzes that the class cannot be asked yet, because numbers are still being drawn.
    """

    cohort: Cohort
    count: int
    hidden: Sequence[str]


def model_classes(user: User) -> QuerySet[Cohort]:
    """Return the classes whose work an account may take for a new one: those it manages."""
    rows = taught_classes(user).select_related("course")
    if user.is_superuser:
        return rows
    return rows.filter(
        memberships__user=user,
        memberships__state=Membership.State.ACTIVE,
        memberships__role=Membership.Role.INSTRUCTOR,
    )


def model_assignments(model: Cohort) -> list[ModelAssignment]:
    """Return all assignments of a class, hidden ones too, in their order. Four queries."""
    course = model.course_id
    lessons = Lesson.objects.filter(course=course, withdrawn_at=None)
    offered: Mapping[WorkKind, set[int]] = {
        WorkKind.QUIZ: set(Quiz.objects.filter(course=course).open().values_list("pk", flat=True)),
        WorkKind.EXERCISE: set(published_exercises(model.course).values_list("pk", flat=True)),
        WorkKind.LESSON: set(
            lessons.exclude(form=Lesson.Form.REFERENCE).values_list("pk", flat=True)
        ),
    }
    return [
        ModelAssignment(row, row.thing.pk in offered[row.work_kind])
        for row in assignments_of(model, hidden_too=True)
    ]


def weeks_between(model: Cohort, begins_on: date) -> int:
    """Return by how many whole weeks dates move, from one first day to another; the nearest."""
    return round((begins_on - model.begins_on) / WEEK)


def moved_dates(assignment: Assignment, weeks: int, zone: ZoneInfo) -> dict[str, datetime | None]:
    """Return the dates of an assignment so many weeks later, on the clock of another class."""
    return {name: _moved(getattr(assignment, name), assignment, weeks, zone) for name in DATES}


def _moved(
    at: datetime | None, assignment: Assignment, weeks: int, zone: ZoneInfo
) -> datetime | None:
    if at is None:
        return None
    try:
        return days_later(at, 7 * weeks, assignment.zone, zone)
    except OverflowError:  # the last year of the calendar means never, on every clock
        return NEVER


@transaction.atomic
def open_as(
    *,
    models: Sequence[Assignment],
    dates: Mapping[int, Mapping[str, Any]],
    by: User,
    **facts: Any,
) -> OpenedClass:
    """Open a class with new assignments like these, or neither: raises NextTermError, ClassError.

    `dates`: the three dates by the key of the model; `facts`: as `open_class` takes them.
    """
    cohort = open_class(by=by, **facts)
    faults, hidden = {}, []
    for model in models:
        made = Assignment(
            cohort=cohort,
            quiz=model.quiz,
            exercise=model.exercise,
            lesson=model.lesson,
            **{name: getattr(model, name) for name in SAME},
            **dates[model.pk],
        )
        if made.is_visible and made.quiz_id and questions_without_numbers(made.quiz_id):
            made.is_visible = False
            hidden.append(model.title)
        try:
            with transaction.atomic():
                save_assignment(assignment=made, by=by)
        except ValidationError as error:
            faults[model.pk] = error
    if faults:
        raise NextTermError(faults)
    return OpenedClass(cohort, len(models), hidden)
