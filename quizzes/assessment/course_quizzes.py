"""The quizzes that learners find in a course, with their counts."""

from collections import Counter
from collections.abc import Mapping
from copy import copy
from typing import Any

from quizzes.assessment.models import Question, Quiz, QuizQuestion
from quizzes.assessment.models.questions import question_count
from quizzes.assessment.services import quizzes_with_counts
from quizzes.courses.content import cached_content
from quizzes.courses.models import LATER_OF_COURSE, Course
from quizzes.pages.course_order import places


def open_quizzes(course: Course) -> tuple[Any, ...]:
    """Return the open quizzes with a question, in order, each with `question_count`. One query.

    They are cached: nobody changes them.
    """
    return _open_quizzes(course.pk)


@cached_content
def _open_quizzes(course: int) -> tuple[Any, ...]:
    counted = Quiz.objects.filter(course=course).listed().annotate(question_count=question_count())
    # A query that counts has no order by itself.
    rows = counted.select_related("course").defer(*LATER_OF_COURSE).order_by("place", "pk")
    return tuple(quiz for quiz in rows if quiz.question_count)  # type: ignore[attr-defined]


@cached_content
def _counted_quizzes(course: int) -> tuple[Quiz, ...]:
    return tuple(quizzes_with_counts(course))


def listed_quizzes(course: Course) -> tuple[Quiz, ...]:
    """Return the quizzes of the list with `asked` and `waiting`, in their order. One query.

    They are cached: nobody changes them.
    """
    quizzes = _counted_quizzes(course.pk)
    return tuple(quiz for quiz in quizzes if quiz.is_open and not quiz.class_only)


def quiz_named(course: Course, slug: str) -> Quiz | None:
    """Return a quiz with `asked` and `waiting`, one that was withdrawn too. One query."""
    quizzes = _counted_quizzes(course.pk)
    return copy(next((quiz for quiz in quizzes if quiz.slug == slug), None))


@cached_content
def quiz_steps(course: int) -> tuple[tuple[int, str], ...]:
    """Return the steps that each quiz's questions are about: (key of the quiz, step). One query."""
    rows = Quiz.objects.filter(course=course, questions__withdrawn_at=None)
    return tuple(rows.values_list("pk", "questions__current__step"))


@cached_content
def lessons_of_quizzes(course: int) -> Mapping[int, str]:
    """Return the lesson that most questions of a quiz are about, by the quiz's key.

    A quiz about several lessons is not among them. One query.
    """
    known = {place.step: place.slug for place in places(course)}
    counts: dict[int, Counter[str]] = {}
    for quiz, step in quiz_steps(course):
        if step in known:
            counts.setdefault(quiz, Counter())[known[step]] += 1
    most = {quiz: count.most_common(1)[0] for quiz, count in counts.items()}
    return {
        quiz: lesson for quiz, (lesson, count) in most.items() if 2 * count > counts[quiz].total()
    }


@cached_content
def questions_of_quizzes(course: int) -> Mapping[int, frozenset[str]]:
    """Return the questions that each quiz of a course may ask, by the key of the quiz.

    Its own, and all that its pools may draw, those that were withdrawn too.
    """
    by_tag: dict[str, set[str]] = {}
    tagged = Question.objects.filter(course=course, current__isnull=False)
    for slug, tags in tagged.values_list("slug", "current__tags"):
        for tag in tags:
            by_tag.setdefault(tag, set()).add(slug)
    questions: dict[int, set[str]] = {}
    places = QuizQuestion.objects.filter(quiz__course=course).order_by()
    for quiz, slug, tag in places.values_list("quiz", "question__slug", "tag"):
        questions.setdefault(quiz, set()).update(by_tag.get(tag, ()) if slug is None else [slug])
    return {quiz: frozenset(slugs) for quiz, slugs in questions.items()}
