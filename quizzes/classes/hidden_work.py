"""What learners may not see for a while, because it is work of a class.

Fills the hook of `learners.hidden_answers`, where every page, count and export asks. Of a quiz
whose answers are not shown yet all questions are hidden, those in its pools too; its score while
marks are not shown. Of an exercise the right solution is hidden while work on it can still earn
points.
"""

from collections.abc import Collection, Iterable, Mapping
from datetime import datetime

from quizzes.assessment.course_quizzes import questions_of_quizzes
from quizzes.classes.own_work import HeldBackWork, held_back_work, is_student_now
from quizzes.classes.rules import WorkKind
from quizzes.classes.sitting_rules import practice_is_open
from quizzes.courses.content import note_token
from quizzes.learners.hidden_answers import Hidden
from quizzes.learners.models import Learner
from quizzes.page_reads import read_once, reading_page


def hidden_work(learner: Learner, now: datetime) -> Collection[Hidden]:
    """Return everything that work of classes hides from a learner now.

    One query, none for an account that was never in a class. What was hidden stays hidden in a
    class that was archived or that the learner had to leave.
    """
    with reading_page():
        return [thing for work in held_back_work(learner, now) for thing in _hidden(work, now)]


def _hidden(work: HeldBackWork, now: datetime) -> Iterable[Hidden]:
    assignment, rule, course = work.assignment, work.rule, work.membership.cohort.course
    shows_answers = rule.shows(assignment.shows_answers, now)
    if rule.kind == WorkKind.EXERCISE and not (rule.loses_all(now) and shows_answers):
        yield Hidden(course.pk, "solution", assignment.slug)
    if rule.kind != WorkKind.QUIZ:
        return
    if not rule.shows(assignment.shows_marks, now):
        yield Hidden(course.pk, "quiz", assignment.slug)
    if not shows_answers or _is_asked_first(work, now):
        note_token(course)  # which is that of the quiz
        quiz = assignment.thing
        for slug in _questions(quiz.course_id).get(quiz.pk, ()):
            yield Hidden(quiz.course_id, "question", slug)


def _questions(course: int) -> Mapping[int, frozenset[str]]:
    """Return the questions of a course's quizzes; for a course without a token, read once too."""
    return read_once(("questions of quizzes", course), lambda: questions_of_quizzes(course))


def _is_asked_first(work: HeldBackWork, now: datetime) -> bool:
    """Return whether a quiz is still to be submitted: its review tells no answer before."""
    return (
        not work.is_submitted
        and work.assignment.is_visible
        and is_student_now(work.membership)
        and not practice_is_open(work, now)
    )
