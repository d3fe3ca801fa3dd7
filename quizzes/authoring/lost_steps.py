"""What assignments of lessons count and no page shows any more: for the author who loads a course.

Nothing is lost of what was done, but nobody can do it from now on. Mostly a step was renamed or
moved and its file does not say so.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from django.utils import timezone

from quizzes.classes.marks.lesson_steps import places_of
from quizzes.classes.models import Assignment
from quizzes.classes.models.work import not_closed_at
from quizzes.classes.publishing.moved_questions import steps_by_question
from quizzes.courses.models import Course
from quizzes.lessons.models import Step


@dataclass(frozen=True)
class LostStep:
    """A step, or a question in it, that a class has to do and cannot find."""

    step: str
    question: str  # "" for the step itself
    cohort: str  # title of the class

    def __str__(self) -> str:
        if self.question:
            return (
                f"question {self.question!r} counts in the class {self.cohort}, and no step asks"
                f" it any more; expected it in a step of this course"
            )
        return (
            f"step {self.step!r} counts in the class {self.cohort}, and is no longer in the"
            f" course; expected renamed_from: [{self.step}] in the step that has its text now"
        )


def lost_steps(course: Course) -> list[LostStep]:
    """Return what is lost in the assignments that have opened and not closed. Three queries."""
    running = list(_running(course))
    if not running:
        return []
    rows = Step.objects.filter(lesson__course=course).values_list("lesson__slug", "slug")
    steps, asked_in = {f"{lesson}/{slug}" for lesson, slug in rows}, steps_by_question(course)
    lost = (
        LostStep(step, question if step in steps else "", assignment.cohort.title)
        for assignment in running
        for row in assignment.steps
        for *_, (step, question) in places_of(*row)
        if step not in steps or (question and step not in asked_in.get(question, ()))
    )
    return list(dict.fromkeys(lost))


def _running(course: Course) -> Iterator[Assignment]:
    now = timezone.now()
    rows = Assignment.objects.filter(
        not_closed_at(now),
        cohort__course=course,
        cohort__archived_at=None,
        lesson__isnull=False,
        opens_at__lte=now,
    )
    yield from rows.select_related("cohort").order_by("pk")
