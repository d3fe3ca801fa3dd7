"""What a learner does in a small course, as a list of acts, each by the site's own services.

The course has five lessons, each of two steps. `order` has a quiz; `waves` a quiz and two
exercises, `table` and `column`; `turns` a quiz and an exercise, `spin`; `biases` an exercise alone,
`slopes`; `ends` nothing. The quiz `mixed` is about all of them. On the map, `waves` and `biases`
need `order`, and `turns` needs `waves`.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from unittest.mock import patch

from django.test import Client
from django.utils import timezone

from quizzes.assessment.models import Attempt, Question, Quiz
from quizzes.assessment.services import answer, start_attempt, submit_attempt
from quizzes.classes.assignments import set_exceptions, set_extra_time
from quizzes.classes.models import Assignment, Cohort, Membership
from quizzes.classes.services import remove_member, set_archived
from quizzes.concepts.files import Concept, MapSource, save_map
from quizzes.courses.models import Course
from quizzes.exercises.models import Exercise
from quizzes.exercises.publishing import accept, lease_unverified
from quizzes.exercises.queue.leases import record
from quizzes.learners.models import Learner, ReviewCard, User
from quizzes.lessons.models import Lesson, Step
from quizzes.lessons.services import mark_read, mark_seen
from quizzes.study.next_thing import Recommendation
from tests.courses import at, some_course
from tests.exercises.making import CORRECT, WRONG, hand_in, lease, shipped_source
from tests.factories import (
    assign,
    browser_of,
    create_account,
    create_class,
    create_exercise,
    create_lesson,
    create_member,
    create_question,
    create_quiz,
)
from tests.shipped_course import load_once

LESSONS = ("order", "waves", "biases", "turns", "ends")
EXERCISES = {
    "table": "waves/two",
    "column": "waves/two",
    "spin": "turns/two",
    "slopes": "biases/two",
}
NEEDS: dict[str, tuple[str, ...]] = {
    "order": (),
    "waves": ("order",),
    "biases": ("order",),
    "turns": ("waves",),
}


def create_small_course() -> Course:
    """Put the course, with verified exercises, into the empty tables."""
    assert not Course.objects.exists()
    load_once("small-course", _create_small_course)
    return some_course()


def _create_small_course() -> None:
    for number, slug in enumerate(LESSONS, 1):
        create_lesson(slug, number=number)
    for slug in ("order", "waves", "turns"):
        create_quiz(f"{slug}-quiz", [_question(f"{slug}-{n}", f"{slug}/one") for n in (1, 2)])
    create_quiz("mixed", [_question(f"{slug}-mixed", f"{slug}/two") for slug in LESSONS])
    for place, (slug, step) in enumerate(EXERCISES.items()):
        exercise = create_exercise(slug, step=step, files=shipped_source().files)
        exercise.place = place
        exercise.save()
    while version := lease_unverified():
        accept(version=version, seed=1, data=b"", outline={"shown": [], "hidden": 1})
        for seed in range(2, 5):  # for work of a class
            version.packs.create(seed=seed, data=b"", is_reserved=True)
    _draw_map(NEEDS)


def _draw_map(needs: Mapping[str, tuple[str, ...]]) -> None:
    concepts = tuple(_concept(slug, requires) for slug, requires in needs.items())
    save_map(some_course(), MapSource(some_course().slug, "map.yaml", 1, concepts))


def _question(slug: str, step: str) -> Question:
    question = create_question(slug)
    question.current.step = step
    question.current.save()
    return question


def _concept(slug: str, requires: tuple[str, ...]) -> Concept:
    code = tuple(name for name, step in EXERCISES.items() if step.startswith(f"{slug}/"))
    steps = (f"{slug}/one", f"{slug}/two")
    return Concept(slug, slug.capitalize(), "A summary.", requires, steps, code)


@dataclass
class Story:
    """A learner with an account, the time that it is, and the page of the last thing that ended."""

    user: User = field(default_factory=lambda: create_account("ada"))
    now: datetime = field(default_factory=timezone.now)
    ending: str = ""

    def __post_init__(self) -> None:
        self.learner = Learner.objects.create(user=self.user)
        self.browser: Client = browser_of(self.user)

    @contextmanager
    def clock(self) -> Iterator[None]:
        """Have it be the time of the story."""
        with patch.object(timezone, "now", lambda: self.now):
            yield

    def tell(self, acts: Iterable["Act"]) -> None:
        """Let the learner do these things one after another, a minute apart."""
        for act in acts:
            self.now += timedelta(minutes=1)
            with self.clock():
                act(self)

    @property
    def cohort(self) -> Cohort:
        return Cohort.objects.get()

    @property
    def member(self) -> Membership:
        return Membership.objects.get(user=self.user)


Act = Callable[[Story], None]


def wait(**span: float) -> Act:
    """Let time pass; what ended is over then."""

    def act(story: Story) -> None:
        story.now += timedelta(**span)
        story.ending = ""

    return act


def read(*paths: str) -> Act:
    """Read steps, or all steps of a lesson."""

    def act(story: Story) -> None:
        story.ending = ""
        for path in paths:
            slug, _, name = path.partition("/")
            lesson = Lesson.objects.with_steps().get(slug=slug)
            for step in lesson.steps.all():
                if name in {"", step.slug}:
                    mark_read(learner=story.learner, lesson=lesson, step=step)
            if not name:
                story.ending = at(f"/learn/?finished={slug}")

    return act


def see(path: str) -> Act:
    """Begin with a step, as a prediction in it does."""

    def act(story: Story) -> None:
        story.ending = ""
        slug, _, name = path.partition("/")
        lesson = Lesson.objects.with_steps().get(slug=slug)
        step = lesson.steps.get(slug=name)
        mark_seen(learner=story.learner, lesson=lesson, step=step)

    return act


def answer_in_lesson(question: str, path: str) -> Act:
    """Answer a question that stands in a step."""

    def act(story: Story) -> None:
        row = Question.objects.get(slug=question)
        option = row.current.options.get(is_key=True)
        sent = {"option": option.pk, "step": path}
        address = at(f"/questions/{question}/answer/")
        assert story.browser.post(address, sent, follow=True).status_code == 200

    return act


def begin(quiz: str) -> Act:
    """Begin an attempt in practice."""

    def act(story: Story) -> None:
        story.ending = ""
        start_attempt(learner=story.learner, quiz=Quiz.objects.get(slug=quiz))

    return act


def begin_assigned(quiz: str) -> Act:
    """Begin an attempt at the quiz of the class."""

    def act(story: Story) -> None:
        sitting = Assignment.objects.get(quiz__slug=quiz).sitting
        start_attempt(learner=story.learner, quiz=Quiz.objects.get(slug=quiz), sitting=sitting)

    return act


def answer_a_question(quiz: str) -> Act:
    """Answer one question of the open attempt."""

    def act(story: Story) -> None:
        attempt = Attempt.objects.get(quiz__slug=quiz, submitted_at=None)
        response = attempt.responses.first()
        answer(attempt=attempt, choices={response.pk: response.option_order[0]})

    return act


def take(quiz: str, *, right: bool = True, assigned: bool = False) -> Act:
    """Take a quiz with all answers right, or all wrong."""

    def act(story: Story) -> None:
        row = Quiz.objects.get(slug=quiz)
        sitting = Assignment.objects.get(quiz=row).sitting if assigned else None
        attempt = start_attempt(learner=story.learner, quiz=row, sitting=sitting)
        submit_attempt(attempt=attempt, choices=choices_of(attempt, right=right))
        story.ending = f"{attempt.get_absolute_url()}review/"

    return act


def choices_of(attempt: Attempt, *, right: bool) -> dict[int, int]:
    """Return the key of each question with one key, or a wrong option."""
    rows = attempt.responses.filter(version__kind="single").select_related("version")
    return {row.pk: row.version.options.filter(is_key=right)[0].pk for row in rows}


def do(following: Recommendation) -> Act:
    """Do what Next names."""
    if following.kind == "step":
        return read(following.slug)
    return take(following.slug) if following.kind == "quiz" else solve(following.slug)


def submit(exercise: str, *, right: bool) -> Act:
    """Submit code, which a worker grades."""

    def act(story: Story) -> None:
        story.ending = ""
        row = Exercise.objects.select_related("current").get(slug=exercise)
        sent = hand_in(row, story.learner)
        assert record(lease=lease(), report=CORRECT if right else WRONG)
        if right:
            story.ending = sent.get_absolute_url()

    return act


def solve(exercise: str) -> Act:
    return submit(exercise, right=True)


def fail(exercise: str) -> Act:
    return submit(exercise, right=False)


def redraw_map(**needs: tuple[str, ...]) -> Act:
    """Give the course a map of these lessons alone, each with those that it needs."""

    def act(story: Story) -> None:
        _draw_map(needs)

    return act


def deepen(*paths: str) -> Act:
    """Have a new version of the course put steps off the path."""

    def act(story: Story) -> None:
        for path in paths:
            lesson, _, slug = path.partition("/")
            Step.objects.filter(lesson__slug=lesson, slug=slug).update(going_deeper=True)

    return act


def put_question(question: str, path: str) -> Act:
    """Have a step ask a question."""

    def act(story: Story) -> None:
        lesson, _, slug = path.partition("/")
        text = f"Words.\n\n```question\nslug: {question}\n```\n"
        Step.objects.filter(lesson__slug=lesson, slug=slug).update(text=text)

    return act


def make_reference(lesson: str) -> Act:
    """Have a new version of the course make a lesson a reference."""

    def act(story: Story) -> None:
        Lesson.objects.filter(slug=lesson).update(form=Lesson.Form.REFERENCE)

    return act


def add_step(lesson: str) -> Act:
    """Have a new version of the course give a lesson a third step."""

    def act(story: Story) -> None:
        facts = {"slug": "three", "number": 3, "title": "Three", "reading_seconds": 60}
        Step.objects.create(lesson=Lesson.objects.get(slug=lesson), text="Words.", **facts)

    return act


def remove_map(story: Story) -> None:
    some_course().concept_map.delete()


def let_reviews_fall_due(story: Story) -> None:
    ReviewCard.objects.update(due_at=story.now - timedelta(minutes=1))


# ---- of a class


def join(story: Story) -> None:
    create_member(create_class(), "ada")


def join_elsewhere(story: Story) -> None:
    """Join a class of another course, which has the lesson `far`."""
    course = some_course("another-course")
    create_lesson("far", course=course)
    create_member(create_class("spring", course=course), "ada")


def teach(story: Story) -> None:
    create_member(create_class(), "ada", "instructor")


def allow_extra_time(percent: int) -> Act:
    def act(story: Story) -> None:
        set_extra_time(members=[story.member], percent=percent, by=None)

    return act


def assign_to_class(slug: str, hours: float, *, opens_in: float = -1, **facts: object) -> Act:
    """Assign a quiz, an exercise or a lesson by its name, due and closed in so many hours."""

    def act(story: Story) -> None:
        things = (Quiz, Exercise, Lesson)
        thing = next(kind.objects.get(slug=slug) for kind in things if _is_there(kind, slug))
        due, opens_at = (story.now + timedelta(hours=span) for span in (hours, opens_in))
        assign(
            story.cohort, thing, **({"due_at": due, "closes_at": due, "opens_at": opens_at} | facts)
        )

    return act


def _is_there(kind: type, slug: str) -> bool:
    return bool(kind.objects.filter(slug=slug).exists())  # type: ignore[attr-defined]


def extend(slug: str, **span: float) -> Act:
    """Give the learner an extension of the class's dates."""

    def act(story: Story) -> None:
        work = next(row for row in Assignment.objects.all() if row.slug == slug)
        later = {name: getattr(work, name) + timedelta(**span) for name in ("due_at", "closes_at")}
        set_exceptions(assignment=work, members=[story.member], values=later, by=None)

    return act


def excuse(slug: str) -> Act:
    def act(story: Story) -> None:
        work = next(row for row in Assignment.objects.all() if row.slug == slug)
        set_exceptions(
            assignment=work, members=[story.member], values={"is_excused": True}, by=None
        )

    return act


def archive(story: Story) -> None:
    set_archived(cohort=story.cohort, by=create_account("dean"), is_archived=True)


def leave(story: Story) -> None:
    remove_member(member=story.member, by=create_account("dean"))
