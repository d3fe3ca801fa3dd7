"""Which classes have a quiz, a question or an exercise to do now, for those who publish into it.

Attempts keep the versions that they began with, so what is published changes only what begins
after it: the editor is told how much that is, and chooses between now and after it closes.

A worker gives `now`, since the clock of its host may be hours apart; pages go by their host's.
"""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db.models import Count, Q, QuerySet
from django.utils import timezone

from quizzes.assessment.models import Attempt, Question, Quiz, QuizQuestion
from quizzes.assessment.models.attempts import still_open
from quizzes.assessment.question_drafts import is_storable
from quizzes.classes.models import Assignment
from quizzes.classes.models.work import not_closed_at
from quizzes.courses.models import Course
from quizzes.exercises.models import Exercise, Submission


@dataclass(frozen=True)
class RunningWork:
    """A running assignment, and what there is of work on it.

    `closes_at`: when it has closed for everybody, exceptions included; None for never.
    """

    assignment: Assignment
    closes_at: datetime | None
    people: int  # that have begun
    still_open: int  # attempts
    handed_in: int  # attempts, or submissions of code


def work_on_quiz(quiz: Quiz, *, now: datetime | None = None) -> list[RunningWork]:
    """Return the running assignments of a quiz. Three queries, fewer where there is none."""
    now = now or timezone.now()
    running = _running(Assignment.objects.filter(quiz=quiz), now)
    return _with_attempts(running, Attempt.objects.all(), now)


def has_running_work(course: Course) -> bool:
    """Return whether a class has work of this course that has opened and not closed. One query."""
    now = timezone.now()
    rows = Assignment.objects.filter(not_closed_at(now), cohort__course=course)
    return rows.filter(cohort__archived_at=None, opens_at__lte=now).exists()


def tags_of(question: Question, content: Mapping[str, Any]) -> set[str]:
    """Return the tags of a question as it is asked, and as this draft would have it asked.

    What was typed may be anything: PostgreSQL takes no text with a NUL, and no pool draws by one.
    """
    drafted = content.get("tags")
    current = question.current.tags if question.current else []
    tags = (str(tag) for tag in (*current, *(drafted if isinstance(drafted, list) else [])))
    return {tag for tag in tags if is_storable({"tag": tag})}


def work_on_question(
    question: Question, tags: Collection[str], *, now: datetime | None = None
) -> list[RunningWork]:
    """Return the running assignments of quizzes that ask a question, with attempts that ask it.

    A quiz asks what it names, and draws by its pools what has one of `tags`: of the question as
    it is, and as it would be published. Four queries, fewer where there is none.
    """
    now = now or timezone.now()
    names = Q(question=question) | Q(tag__in=list(tags), draw__isnull=False)
    quizzes = QuizQuestion.objects.filter(names, quiz__course=question.course_id)
    running = _running(Assignment.objects.filter(quiz__in=quizzes.values("quiz")), now)
    asked = Attempt.objects.filter(responses__version__question=question)
    return _with_attempts(running, asked, now)


def work_on_exercise(exercise: Exercise) -> list[RunningWork]:
    """Return the running assignments of an exercise. A query for each, and two."""
    found = []
    assigned = Assignment.objects.filter(exercise=exercise)
    for one, closes_at in _running(assigned, timezone.now()):
        code = Submission.objects.filter(
            exercise_version__exercise=exercise,
            kind=Submission.Kind.SUBMIT,
            submitted_at__gte=one.opens_at,
            learner__user__class_memberships__cohort=one.cohort_id,
        )
        told = code.aggregate(people=Count("learner", distinct=True), all=Count("pk"))
        found.append(RunningWork(one, closes_at, told["people"], 0, told["all"]))
    return found


def _running(
    rows: QuerySet[Assignment], now: datetime
) -> Iterable[tuple[Assignment, datetime | None]]:
    """Yield the assignments that are open for the class or for one member, with their last end."""
    rows = rows.filter(is_visible=True, cohort__archived_at=None).prefetch_related("exceptions")
    for one in rows.select_related("cohort__course", "quiz", "exercise__current", "lesson"):
        own = [one.rule_for(exception) for exception in one.exceptions.all()]
        open_rules = [rule for rule in (one.rule_for(), *own) if rule.is_open(now)]
        if open_rules:
            ends = [rule.closes_at for rule in open_rules if rule.closes_at is not None]
            yield one, max(ends) if len(ends) == len(open_rules) else None


def _with_attempts(
    running: Iterable[tuple[Assignment, datetime | None]],
    attempts: QuerySet[Attempt],
    now: datetime,
) -> list[RunningWork]:
    there = list(running)
    if not there:
        return []
    attempts = attempts.filter(sitting__in=[assignment.sitting for assignment, _ in there])
    is_open = still_open(now)
    rows = (
        attempts.order_by()
        .values_list("sitting")
        .annotate(
            people=Count("learner", distinct=True),
            still_open=Count("pk", filter=is_open, distinct=True),
            handed_in=Count("pk", filter=~is_open, distinct=True),
        )
    )
    counts = {sitting: numbers for sitting, *numbers in rows}
    return [
        RunningWork(assignment, closes_at, *counts.get(assignment.sitting, (0, 0, 0)))
        for assignment, closes_at in there
    ]
