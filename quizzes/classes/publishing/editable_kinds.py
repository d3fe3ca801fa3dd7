"""The kinds of things that are written in the browser, and which classes have one to do now."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from typing import Any

from django.db.models import Max, Q, QuerySet
from django.utils import timezone

from quizzes.assessment.models import Question, Quiz
from quizzes.assessment.question_drafts import EditableQuestion
from quizzes.assessment.quiz_drafts import EditableQuiz
from quizzes.classes.publishing.exercise_drafts import EditableExercise
from quizzes.classes.publishing.exercise_references import exercise_files
from quizzes.classes.publishing.lesson_drafts import EditableLesson
from quizzes.classes.publishing.running_work import (
    RunningWork,
    tags_of,
    work_on_question,
    work_on_quiz,
)
from quizzes.classes.week.known_mistakes import mistakes_to_choose
from quizzes.courses.drafts import Editable
from quizzes.courses.models import ContentDraft, Course
from quizzes.exercises.models import Exercise
from quizzes.lessons.models import Lesson, Plot
from quizzes.lessons.plots.plot_drafts import EditablePlot
from quizzes.lessons.services import step_paths

Work = list[RunningWork]


@dataclass(frozen=True)
class EditableKind:
    """One kind: its rows, such a row for the mechanism of drafts, and the classes that work on it.

    `work` takes the row, the content that would be published, and the time. `new` returns what
    hides a new row of a course from learners.
    """

    model: Any
    editable: Callable[[Any], Editable]
    work: Callable[[Any, Mapping[str, Any], datetime | None], Work]
    new: Callable[[Course], Mapping[str, Any]] = lambda _: {}


def editable_question(question: Question) -> EditableQuestion:
    """Return a question with the steps, known mistakes and exercises of its course."""
    return EditableQuestion(
        question,
        step_paths(question.course),
        mistakes_to_choose(question),
        partial(exercise_files, question.course_id),
    )


def _new_lesson(course: Course) -> Mapping[str, Any]:
    """Return what a lesson begins with: the last place, and out of sight until it is published."""
    last = Lesson.objects.filter(course=course).aggregate(last=Max("number"))["last"] or 0
    return {"number": last + 1, "withdrawn_at": timezone.now()}


# A quiz may name a question that is published with it, so questions come first.
KINDS = {
    ContentDraft.Kind.QUESTION: EditableKind(
        Question,
        editable_question,
        lambda row, content, now: work_on_question(row, tags_of(row, content), now=now),
    ),
    ContentDraft.Kind.QUIZ: EditableKind(
        Quiz,
        EditableQuiz,
        lambda row, _content, now: work_on_quiz(row, now=now),
        new=lambda _: {"is_published": False},
    ),
    # Who reads a lesson meanwhile finishes it: publishing never waits.
    ContentDraft.Kind.LESSON: EditableKind(
        Lesson,
        EditableLesson,
        lambda _row, _content, _now: [],
        new=_new_lesson,
    ),
    # What was submitted keeps its version, and a new one counts once a worker has verified it.
    ContentDraft.Kind.EXERCISE: EditableKind(
        Exercise, EditableExercise, lambda _row, _content, _now: []
    ),
    ContentDraft.Kind.PLOT: EditableKind(Plot, EditablePlot, lambda _row, _content, _now: []),
}


def work_on(thing: Editable, content: Mapping[str, Any], *, now: datetime | None = None) -> Work:
    """Return the running assignments that publishing this content would change."""
    return KINDS[thing.kind].work(thing.row, content, now)


def drafts_in(course: Course) -> QuerySet[ContentDraft]:
    """Return the drafts of a course whose thing is still there: only those have a page."""
    there = Q()
    for name, kind in KINDS.items():
        slugs = kind.model.objects.filter(course=course).values("slug")
        there |= Q(kind=name, slug__in=slugs)
    return course.drafts.filter(there)
