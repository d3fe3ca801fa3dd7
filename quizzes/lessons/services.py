"""Progress in lessons: note the steps that a reader has read."""

from dataclasses import dataclass

from django.db import transaction

from quizzes.learners.models import Learner, Progress
from quizzes.learners.services import progress_of, record_progress
from quizzes.lessons.models import Lesson, Step
from quizzes.pages.course_order import CoursePlace


@dataclass(frozen=True)
class LessonProgress:
    """A learner's progress in one lesson: the state of every step in order, "" if not begun."""

    steps: tuple[tuple[Step, str], ...]

    @property
    def done(self) -> int:
        return sum(state == Progress.State.DONE for _, state in self.steps)

    @property
    def complete(self) -> bool:
        return self.done == len(self.steps) > 0

    @property
    def next_step(self) -> Step:
        """Return the first step not read yet, or the first of all. The lesson must have steps."""
        unread = (step for step, state in self.steps if state != Progress.State.DONE)
        return next(unread, None) or self.steps[0][0]


def progress_in(*, learner: Learner | None, lessons: list[Lesson]) -> dict[int, LessonProgress]:
    """Return the progress by lesson id, in one query for all lessons."""
    paths = [f"{lesson.slug}/{step.slug}" for lesson in lessons for step in lesson.steps.all()]
    states = progress_of(learner, Progress.Kind.STEP, paths) if learner else {}
    return {
        lesson.pk: LessonProgress(
            tuple(
                (step, states.get(f"{lesson.slug}/{step.slug}", "")) for step in lesson.steps.all()
            )
        )
        for lesson in lessons
    }


@transaction.atomic
def mark_read(*, learner: Learner, lesson: Lesson, step: Step) -> None:
    """Note that a step was read; the lesson is seen with its first step and done with its last."""
    record_progress(
        learner=learner,
        kind=Progress.Kind.STEP,
        slug=f"{lesson.slug}/{step.slug}",
        state=Progress.State.DONE,
    )
    now = progress_in(learner=learner, lessons=[lesson])[lesson.pk]
    state = Progress.State.DONE if now.complete else Progress.State.SEEN
    record_progress(learner=learner, kind=Progress.Kind.LESSON, slug=lesson.slug, state=state)


@transaction.atomic
def mark_seen(*, learner: Learner, lesson: Lesson, step: Step) -> None:
    """Note that a learner has begun with a step; better states are kept."""
    seen = Progress.State.SEEN
    path = f"{lesson.slug}/{step.slug}"
    record_progress(learner=learner, kind=Progress.Kind.STEP, slug=path, state=seen)
    record_progress(learner=learner, kind=Progress.Kind.LESSON, slug=lesson.slug, state=seen)


def course_places() -> list[CoursePlace]:
    """Return every step in the order of the course, for the lists of other rooms. One query."""
    steps = Step.objects.order_by("lesson__course", "lesson__number", "number")
    rows = steps.values_list("lesson__slug", "slug", "lesson__title")
    return [CoursePlace(f"{lesson}/{step}", title) for lesson, step, title in rows]
