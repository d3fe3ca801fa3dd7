"""The lines of the progress page, each drawn once for all that it shows.

A line takes 0.1 ms, and a course has forty. Most lines of most learners say that
nothing was done yet, so they are shared. An attempt at a quiz has its times: such lines are not
kept.
"""

from functools import lru_cache

from django import template
from django.template.loader import render_to_string
from django.utils.safestring import SafeString

from quizzes.assessment.models import Quiz
from quizzes.courses.content import Same
from quizzes.exercises.models import Exercise
from quizzes.lessons.models import Lesson
from quizzes.lessons.services import LessonProgress
from quizzes.study.progress_overview import ExerciseState, QuizAttempts

register = template.Library()
KEPT = 1024


@register.simple_tag
def lesson_entry(lesson: Lesson, far: LessonProgress) -> SafeString:
    """Return the line of a lesson."""
    return _lesson(Same(lesson), tuple(str(state) for _, state in far.steps))


@lru_cache(maxsize=KEPT)
def _lesson(lesson: Same[Lesson], states: tuple[str, ...]) -> SafeString:
    far = LessonProgress(tuple(zip(lesson.it.path_steps, states, strict=True)))
    return render_to_string("study/_lesson_entry.html", {"lesson": lesson.it, "far": far})


@register.simple_tag
def quiz_entry(taken: QuizAttempts) -> SafeString:
    """Return the line of a quiz."""
    if taken.attempts:
        return render_to_string("study/_quiz_entry.html", {"taken": taken})
    return _untaken(Same(taken.quiz))


@lru_cache(maxsize=KEPT)
def _untaken(quiz: Same[Quiz]) -> SafeString:
    return render_to_string("study/_quiz_entry.html", {"taken": QuizAttempts(quiz.it, ())})


@register.simple_tag
def exercise_entry(tried: ExerciseState) -> SafeString:
    """Return the line of an exercise."""
    return _exercise(Same(tried.exercise), tried.state, tried.submissions, tried.latest)


@lru_cache(maxsize=KEPT)
def _exercise(
    exercise: Same[Exercise], state: str, submissions: int, latest: int | None
) -> SafeString:
    tried = ExerciseState(exercise.it, state, submissions, latest)
    return render_to_string("study/_exercise_entry.html", {"tried": tried})
