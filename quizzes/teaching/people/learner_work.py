"""What staff of a class see of one member: progress, attempts, submissions, mistakes."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from django.db.models import Count, Max, QuerySet

from quizzes.assessment.models import Quiz
from quizzes.classes.access import attempts_seen, submissions_seen
from quizzes.classes.models import Cohort
from quizzes.classes.week.known_mistakes import MistakeFacts, mistake_facts
from quizzes.courses.models import Course
from quizzes.exercises.models import Submission
from quizzes.exercises.services import published_exercises
from quizzes.learners.models import Learner, Progress
from quizzes.learners.services import progress_of
from quizzes.lessons.models import Lesson
from quizzes.lessons.services import progress_in
from quizzes.teaching.lists import attempt_rows
from quizzes.teaching.people.members import ListedWork

MOST_RECENT = 20


def work_of(cohort: Cohort, learner: Learner) -> dict[str, Any]:
    """Return a member's work as the class sees it. Eleven queries, always.

    What the member has not touched stands apart: pages fold it into one line.
    """
    course = cohort.course
    rows = Lesson.objects.filter(course=course, withdrawn_at=None).with_steps()
    lessons = [lesson for lesson in rows if lesson.path_steps]
    far = progress_in(learner=learner, lessons=lessons)
    attempts = attempts_seen(cohort).filter(learner=learner).order_by("-pk")
    newest = list(attempts.values_list("pk", flat=True)[:MOST_RECENT])
    work = submissions_seen(cohort).filter(learner=learner, kind=Submission.Kind.SUBMIT).order_by()
    mistakes = work.exclude(known_mistake="").values_list(
        "exercise_version__exercise__slug", "known_mistake"
    )
    recent = work.select_related("exercise_version__exercise").defer(
        "code", "report", "exercise_version__files", "exercise_version__proof"
    )
    read = [(one, far[one.pk]) for one in lessons]
    quizzes = list(_quizzes(course, learner))
    exercises = list(_exercises(course, learner, work))
    sent = list(recent.order_by("-pk")[:MOST_RECENT])
    made = mistakes.annotate(times=Count("pk"), last=Max("pk")).order_by("-last")
    names = [(f"{exercise}/{slug}", times) for exercise, slug, times, _ in made]
    facts = mistake_facts(course, [*(name for name, _ in names), *mistakes_of(sent)])
    return {
        "learner": learner,
        "lessons": [(one, steps) for one, steps in read if steps.done],
        "quizzes": [one for one in quizzes if one["state"]],
        "exercises": [one for one in exercises if one["state"] or one["times"]],
        "untouched": {
            "lessons": [one.title for one, steps in read if not steps.done],
            "quizzes": [one["quiz"].title for one in quizzes if not one["state"]],
            "exercises": [
                one["exercise"].current.title
                for one in exercises
                if not one["state"] and not one["times"]
            ],
        },
        "attempts": [ListedWork(attempt) for attempt in attempt_rows(newest)],
        "submissions": list(with_sentences(sent, facts)),
        "mistakes": [{"facts": facts[name], "times": times} for name, times in names],
    }


def mistakes_of(rows: Iterable[Submission]) -> set[str]:
    """Return the names of the known mistakes that these submissions made."""
    return {_name(row) for row in rows if row.known_mistake}


def with_sentences(
    rows: Iterable[Submission], facts: Mapping[str, MistakeFacts]
) -> Iterator[ListedWork]:
    """Yield submissions as rows of a table, with the words of a known mistake."""
    for row in rows:
        words = facts[_name(row)].words if row.known_mistake else ""
        yield ListedWork(row, mistake_words=words)


def _name(row: Submission) -> str:
    return f"{row.exercise_version.exercise.slug}/{row.known_mistake}"


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
