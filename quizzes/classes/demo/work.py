"""The assignments of a demo class, and its attempts at quizzes."""

import random
from collections.abc import Callable, Iterable
from datetime import datetime, timedelta
from decimal import Decimal
from zoneinfo import ZoneInfo

from django.db.models import Exists, OuterRef
from django.utils import timezone

from quizzes.assessment.models import Attempt, Quiz, Response
from quizzes.assessment.numeric_answer import NumericAnswer
from quizzes.assessment.services import Answer, answer_of, start_attempt, submit_attempt
from quizzes.classes.assignments import questions_without_numbers, save_assignment
from quizzes.classes.models import Assignment, Cohort, Membership
from quizzes.exercises.models import CasePack, Exercise
from quizzes.learners.models import Learner, User

DAY = timedelta(days=1)
ASSIGNED = 2  # quizzes, and as many exercises


def assign_work(cohort: Cohort, by: User, now: datetime) -> list[Assignment]:
    """Assign the first quizzes and exercises of the course: one past, one due, one to come."""
    zone = ZoneInfo(cohort.timezone)
    midnight = now.astimezone(zone).replace(hour=23, minute=59, second=0, microsecond=0)
    # Drawn numbers are made by a worker, which may not have run yet.
    open_ones = (
        Quiz.objects.open().filter(course=cohort.course, class_only=False).order_by("place", "pk")
    )
    quizzes = [quiz for quiz in open_ones if not questions_without_numbers(quiz.pk)][:ASSIGNED]
    # Code has the verdict of its verification, and a test set, which a worker makes after it.
    ready = CasePack.objects.filter(version=OuterRef("current"))
    exercises = Exercise.objects.filter(
        Exists(ready), course=cohort.course, withdrawn_at=None
    ).order_by("place", "pk")[:ASSIGNED]
    made = []
    for place, thing in enumerate([*quizzes, *exercises], 1):
        week = timedelta(weeks=place % 2)
        assignment = Assignment(
            cohort=cohort,
            points=Decimal(10),
            opens_at=midnight - 14 * DAY,
            due_at=midnight - 7 * DAY + week,
            closes_at=midnight + week,
            late_percent_per_day=10,
            attempts=2 if isinstance(thing, Quiz) else None,
            shows_answers=Assignment.ShowsWhen.AFTER_CLOSE,
            practice=Assignment.Practice.AFTER_CLOSE,
            is_visible=True,
            place=place,
            quiz=thing if isinstance(thing, Quiz) else None,
            exercise=thing if isinstance(thing, Exercise) else None,
        )
        save_assignment(assignment=assignment, by=by)
        made.append(assignment)
    return made


def moment_in(assignment: Assignment, draw: random.Random) -> datetime:
    """Return a moment within the window, most of them late in it, none in the future."""
    end = min(assignment.closes_at or timezone.now(), timezone.now())
    share = draw.random() ** 0.5
    moment: datetime = assignment.opens_at + (end - assignment.opens_at) * share
    return moment


def take_quiz(
    assignment: Assignment,
    members: Iterable[Membership],
    draw: random.Random,
    rest: Callable[[], None],
) -> int:
    """Let four in five take the quiz, each as good as they are; return how many attempts."""
    made = 0
    assert assignment.quiz is not None
    for member in members:
        skill = draw.random()
        if skill < 0.2:
            continue
        learner = Learner.objects.get(user=member.user_id)
        at = moment_in(assignment, draw)
        attempt = start_attempt(learner=learner, quiz=assignment.quiz, sitting=assignment.sitting)
        submit_attempt(attempt=attempt, choices=_answers(attempt, skill, draw))
        Attempt.objects.filter(pk=attempt.pk).update(
            started_at=at - timedelta(minutes=8), submitted_at=at
        )
        Response.objects.filter(attempt=attempt, answered_at__isnull=False).update(answered_at=at)
        made += 1
        rest()
    return made


def _answers(attempt: Attempt, skill: float, draw: random.Random) -> dict[int, Answer]:
    """Give the right option or number as often as this skill says; other kinds stay blank."""
    chosen: dict[int, Answer] = {}
    asked = attempt.responses.select_related("version", "instance")
    for row in asked.prefetch_related("version__options"):
        if number := answer_of(row):
            chosen[row.pk] = _number(number, draw, is_right=draw.random() < skill)
            continue
        options = [option for option in row.version.options.all() if option.pk in row.option_order]
        if not options or row.version.kind != "single":
            continue
        right = [option for option in options if option.is_key]
        wrong = [option for option in options if not option.is_key]
        pick = right if draw.random() < skill else wrong
        chosen[row.pk] = draw.choice(pick or options).pk
    return chosen


def _number(answer: NumericAnswer, draw: random.Random, *, is_right: bool) -> str:
    """Return a typed answer: the right number, that of a known mistake, or another one."""
    if is_right:
        return repr(answer.value)
    return repr(draw.choice([miss.value for miss in answer.near] or [2 * answer.value + 1]))
