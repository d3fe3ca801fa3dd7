"""Progress in lessons: note the steps that a reader has read."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from types import MappingProxyType

from django.db import transaction

from quizzes.courses.content import cached_content
from quizzes.courses.models import Course
from quizzes.learners.models import Learner, Progress
from quizzes.learners.services import is_assigned, progress_of, record_progress
from quizzes.lessons.models import Lesson, Step, StepThumbnail, Thumbnail
from quizzes.pages.course_order import CoursePlace

StepStates = tuple[tuple[Step, str], ...]  # steps in order, each with its state


@dataclass(frozen=True)
class LessonProgress:
    """A learner's progress in one lesson: the state of every step in order, "" if not started.

    `steps` are those of the path, and every count is of these. `deeper` are those off it.
    """

    steps: StepStates
    deeper: StepStates = ()

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

    @property
    def next_address(self) -> str:
        """Return the address of the next step, "" for a lesson that has none yet."""
        return self.next_step.get_absolute_url() if self.steps else ""

    def row_of(self, step: Step) -> StepStates:
        """Return the steps among which a step has its place: those of the path, or those off it."""
        is_deeper = any(other.pk == step.pk for other, _ in self.deeper)
        return self.deeper if is_deeper else self.steps


def step_paths(course: Course) -> dict[str, str]:
    """Return {"lesson/step": title} for every step of a course, in order. One query."""
    there = Step.objects.filter(lesson__course=course, lesson__withdrawn_at=None)
    steps = there.select_related("lesson").order_by("lesson__number", "number")
    return {
        f"{step.lesson.slug}/{step.slug}": f"{step.lesson.title}: {step.title}" for step in steps
    }


def progress_in(*, learner: Learner | None, lessons: Sequence[Lesson]) -> dict[int, LessonProgress]:
    """Return the progress by lesson id, in one query for all lessons of a course."""
    paths: dict[int, list[str]] = {}
    for lesson in lessons:
        steps = (f"{lesson.slug}/{step.slug}" for step in lesson.steps.all())
        paths.setdefault(lesson.course_id, []).extend(steps)
    states = {
        course: progress_of(course, learner, Progress.Kind.STEP, named)
        for course, named in paths.items()
    }
    return {lesson.pk: _progress(lesson, states[lesson.course_id]) for lesson in lessons}


def _progress(lesson: Lesson, states: Mapping[str, str]) -> LessonProgress:
    rows = (
        tuple((step, states.get(f"{lesson.slug}/{step.slug}", "")) for step in steps)
        for steps in (lesson.path_steps, lesson.deeper_steps)
    )
    return LessonProgress(*rows)


def is_kept(*, learner: Learner | None, lesson: Lesson) -> bool:
    """Return whether a withdrawn lesson stays for a learner; no query for a newcomer.

    It does for one that has begun with it, and for one whose class has it to do: no withdrawal
    takes assigned work away.
    """
    if learner is None:
        return False
    begun = progress_of(lesson.course_id, learner, Progress.Kind.LESSON, [lesson.slug])
    return lesson.slug in begun or is_assigned(learner, lesson)


@transaction.atomic
def mark_read(*, learner: Learner, lesson: Lesson, step: Step) -> LessonProgress:
    """Note that a step was read; the lesson is seen with its first step and done with its last.

    A step off the path is read for itself: it does not finish the lesson. Return the progress
    then.
    """
    record_progress(
        lesson.course_id,
        learner=learner,
        kind=Progress.Kind.STEP,
        slug=f"{lesson.slug}/{step.slug}",
        state=Progress.State.DONE,
    )
    now = progress_in(learner=learner, lessons=[lesson])[lesson.pk]
    is_done = now.complete and now.row_of(step) is now.steps
    state = Progress.State.DONE if is_done else Progress.State.SEEN
    record_progress(
        lesson.course_id,
        learner=learner,
        kind=Progress.Kind.LESSON,
        slug=lesson.slug,
        state=state,
    )
    return now


@transaction.atomic
def mark_seen(*, learner: Learner, lesson: Lesson, step: Step) -> None:
    """Note that a learner has begun with a step; better states are kept."""
    path = f"{lesson.slug}/{step.slug}"
    for kind, slug in ((Progress.Kind.STEP, path), (Progress.Kind.LESSON, lesson.slug)):
        state = Progress.State.SEEN
        record_progress(lesson.course_id, learner=learner, kind=kind, slug=slug, state=state)


def version_of(made_of: str) -> str:
    """Return the version of a small picture, as its address has it."""
    return sha256(made_of.encode()).hexdigest()[:12]


@cached_content
def picture_versions(course: int) -> Mapping[str, str]:
    """Return the version of each lesson's small picture, by slug."""
    rows = Thumbnail.objects.filter(lesson__course=course, scheme="light")
    made_of = rows.values_list("lesson__slug", "made_of")
    return MappingProxyType({slug: version_of(text) for slug, text in made_of})


@cached_content
def step_picture_versions(course: int) -> Mapping[str, str]:
    """Return the version of each small picture of a step, by "<lesson>/<step>"."""
    rows = StepThumbnail.objects.filter(step__lesson__course=course, scheme="light")
    rows = rows.exclude(png=b"")
    made_of = rows.values_list("step__lesson__slug", "step__slug", "made_of")
    versions = {f"{lesson}/{step}": version_of(text) for lesson, step, text in made_of}
    return MappingProxyType(versions)


@cached_content
def course_places(course: int) -> tuple[CoursePlace, ...]:
    """Return every step in the order of a course, for the lists of other rooms."""
    pictures = picture_versions(course)
    there = Step.objects.filter(lesson__course=course, lesson__withdrawn_at=None)
    steps = there.order_by("lesson__number", "number")
    return tuple(
        CoursePlace(f"{lesson}/{step}", title, pictures.get(lesson, ""))
        for lesson, step, title in steps.values_list("lesson__slug", "slug", "lesson__title")
    )
