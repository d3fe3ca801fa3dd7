"""What staff of a class see of one member: progress, attempts, submissions, mistakes."""

from collections.abc import Iterable
from typing import Any

from django.db.models import Count, QuerySet

from quizzes.assessment.models import Quiz
from quizzes.classes.access import attempts_seen, submissions_seen
from quizzes.classes.models import Cohort
from quizzes.courses.models import Course
from quizzes.exercises.models import Submission
from quizzes.exercises.services import published_exercises
from quizzes.learners.models import Learner, Progress
from quizzes.learners.services import progress_of
from quizzes.lessons.models import Lesson
from quizzes.lessons.services import progress_in
from quizzes.teaching.lists import attempt_rows

MOST_RECENT = 20


def work_of(cohort: Cohort, learner: Learner) -> dict[str, Any]:
    """Return a member's work as the class sees it. Ten queries, always."""
    course = cohort.course
    rows = Lesson.objects.filter(course=course, withdrawn_at=None).with_steps()
    lessons = [one for one in rows if one.steps.all()]
    far = progress_in(learner=learner, lessons=lessons)
    attempts = attempts_seen(cohort).filter(learner=learner).order_by("-pk")
    newest = list(attempts.values_list("pk", flat=True)[:MOST_RECENT])
    work = submissions_seen(cohort).filter(learner=learner, kind=Submission.Kind.SUBMIT).order_by()
    mistakes = work.exclude(known_mistake="").values(
        "exercise_version__exercise__slug", "known_mistake"
    )
    recent = work.select_related("exercise_version__exercise").defer(
        "code", "report", "exercise_version__files", "exercise_version__proof"
    )
    return {
        "learner": learner,
        "lessons": [(one, far[one.pk]) for one in lessons],
        "quizzes": list(_quizzes(course, learner)),
        "exercises": list(_exercises(course, learner, work)),
        "attempts": attempt_rows(newest),
        "submissions": recent.order_by("-pk")[:MOST_RECENT],
        "mistakes": mistakes.annotate(times=Count("pk")).order_by("-times", "known_mistake"),
    }


def _quizzes(course: Course, learner: Learner) -> Iterable[dict[str, Any]]:
    quizzes = list(Quiz.objects.open().filter(course=course))
    states = progress_of(course.pk, learner, Progress.Kind.QUIZ, [quiz.slug for quiz in quizzes])
    for quiz in quizzes:
        yield {"quiz": quiz, "state": states.get(quiz.slug, "")}


def _exercises(
    course: Course, learner: Learner, work: QuerySet[Submission]
) -> Iterable[dict[str, Any]]:
    exercises = list(published_exercises(course))
    states = progress_of(
        course.pk, learner, Progress.Kind.EXERCISE, [one.slug for one in exercises]
    )
    times = dict(work.values_list("exercise_version__exercise").annotate(Count("pk")))
    for exercise in exercises:
        state = states.get(exercise.slug, "")
        yield {"exercise": exercise, "state": state, "times": times.get(exercise.pk, 0)}
