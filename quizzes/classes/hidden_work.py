"""What learners may not see for a while, because it is work of a class.

Fills the hook of `learners.hidden_answers`, where every page, count and export asks. Of a quiz
whose answers are not shown yet all questions are hidden, those in its pools too; its score while
marks are not shown. Of an exercise the right solution is hidden while work on it can still earn
points.
"""

from collections.abc import Collection, Iterable
from datetime import datetime

from django.db.models import Q

from quizzes.assessment.models import Attempt, Question, QuizQuestion
from quizzes.classes.own_work import OwnWork, held_back_work, is_student_now
from quizzes.classes.rules import WorkKind
from quizzes.classes.sitting_rules import practice_is_open
from quizzes.learners.hidden_answers import Hidden
from quizzes.learners.models import Learner


def hidden_work(learner: Learner, now: datetime) -> Collection[Hidden]:
    """Return everything that work of classes hides from a learner now.

    One query for a learner in no class, at most six. What was hidden stays hidden in a class that
    was archived or that the learner had to leave.
    """
    return list(_hidden(learner, held_back_work(learner), now))


def _hidden(learner: Learner, works: Iterable[OwnWork], now: datetime) -> Iterable[Hidden]:
    shut: list[OwnWork] = []
    asked_first: list[OwnWork] = []
    for work in works:
        assignment, rule = work.assignment, work.rule
        course = work.membership.cohort.course_id
        if rule.kind == WorkKind.EXERCISE and not (
            rule.loses_all(now) and rule.shows(assignment.shows_answers, now)
        ):
            yield Hidden(course, "solution", assignment.slug)
        if rule.kind != WorkKind.QUIZ:
            continue
        if not rule.shows(assignment.shows_marks, now):
            yield Hidden(course, "quiz", assignment.slug)
        if not rule.shows(assignment.shows_answers, now):
            shut.append(work)
        elif (
            assignment.is_visible
            and is_student_now(work.membership)
            and not practice_is_open(work, now)
        ):
            asked_first.append(work)
    shut += _not_handed_in(learner, asked_first, now)
    yield from _questions(shut)


def _not_handed_in(learner: Learner, works: list[OwnWork], now: datetime) -> list[OwnWork]:
    """Return those in which a learner has handed nothing in: their review tells no answer yet."""
    if not works:
        return []
    sittings = [work.assignment.sitting for work in works]
    mine = Attempt.objects.handed_in(now).filter(learner=learner, sitting__in=sittings)
    done = set(mine.values_list("sitting", flat=True))
    return [work for work in works if work.assignment.sitting not in done]


def _questions(works: list[OwnWork]) -> Iterable[Hidden]:
    """Yield the questions of quizzes, and all that their pools may draw. Two queries at most."""
    quizzes = {work.assignment.quiz_id for work in works}
    if not quizzes:
        return
    pools: set[tuple[int, str]] = set()
    places = QuizQuestion.objects.filter(quiz__in=quizzes).order_by()
    for course, slug, tag in places.values_list("quiz__course", "question__slug", "tag"):
        if slug is None:
            pools.add((course, tag))
        else:
            yield Hidden(course, "question", slug)
    if pools:
        rows = Question.objects.filter(
            Q(course__in={course for course, _ in pools}), current__isnull=False
        )
        for course, slug, tags in rows.values_list("course", "slug", "current__tags"):
            if any((course, tag) in pools for tag in tags):
                yield Hidden(course, "question", slug)
