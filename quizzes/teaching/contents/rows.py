"""The contents of a course: its lessons in order, with what stands at their steps, and states."""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from quizzes.assessment.models import Question, Quiz
from quizzes.assessment.store import stored_quiz
from quizzes.authoring.lesson_order import in_order
from quizzes.classes.publishing.editable_kinds import drafts_in
from quizzes.classes.publishing.step_places import STEPS_AT_MOST
from quizzes.content_files.stored_hashes import Stored
from quizzes.courses.models import ContentDraft, Course
from quizzes.exercises.files import stored_exercises
from quizzes.exercises.models import Exercise
from quizzes.learners.models import User
from quizzes.lessons.models import Lesson, Plot
from quizzes.lessons.plots.plot_files import plots_named
from quizzes.lessons.plots.store import stored_plot
from quizzes.lessons.store import stored_lesson
from quizzes.pages.markdown import first_paragraph
from quizzes.teaching.addresses import address_in

EDITED = "Edited in the browser"
WITHDRAWN = "Withdrawn"
UNPUBLISHED = "Not published"


@dataclass(frozen=True)
class State:
    """One word about a thing; `who`: the account whose draft it is."""

    words: str
    who: User | None = None


@dataclass(frozen=True)
class Row:
    """One thing of the course. `page`: the address where it is written, "" where it has none."""

    kind: str
    slug: str
    title: str
    page: str
    learners: str = ""  # the address where learners meet it
    states: tuple[State, ...] = ()


@dataclass
class Group:
    """A lesson with what stands in it; `lesson` None for what belongs to no lesson."""

    lesson: Row | None
    steps: list[Row] = field(default_factory=list)
    questions: list[Row] = field(default_factory=list)
    exercises: list[Row] = field(default_factory=list)
    quizzes: list[Row] = field(default_factory=list)
    plots: list[Row] = field(default_factory=list)

    @property
    def parts(self) -> list[tuple[str, list[Row]]]:
        """Return the lists that have something, each with its heading."""
        lists = {
            "Steps": self.steps,
            "Exercises": self.exercises,
            "Questions": self.questions,
            "Quizzes": self.quizzes,
            "Plots": self.plots,
        }
        return [(heading, rows) for heading, rows in lists.items() if rows]

    @property
    def counts(self) -> str:
        """Return "6 steps, 1 exercise, 8 questions"."""
        return ", ".join(
            f"{len(rows)} {heading.lower() if len(rows) != 1 else _SINGULAR[heading]}"
            for heading, rows in self.parts
        )


_SINGULAR = {
    "Steps": "step",
    "Exercises": "exercise",
    "Questions": "question",
    "Quizzes": "quiz",
    "Plots": "plot",
}


@dataclass(frozen=True)
class Contents:
    """What a course has, in its order: lessons, what belongs to none, and withdrawn lessons."""

    groups: list[Group]
    others: Group
    withdrawn: list[Row]

    @property
    def order(self) -> list[str]:
        """Return the slugs of the lessons, in the order that the page shows."""
        return [group.lesson.slug for group in self.groups if group.lesson]


class _States:
    """The states of a course's things, and the addresses where they are written."""

    def __init__(self, course: Course, editors: Collection[str]) -> None:
        self.course = course
        self.editors = editors
        drafts = drafts_in(course).select_related("edited_by").defer("files")
        self.drafts: Mapping[tuple[str, str], ContentDraft] = {
            (draft.kind, draft.slug): draft for draft in drafts
        }

    def row(self, kind: str, thing: Any, title: str, stored: Stored, *, learners: str = "") -> Row:
        """Return a thing with its states; only what has a folder can differ from files."""
        states = []
        if stored.is_withdrawn:
            states.append(State(WITHDRAWN))
        elif not stored.content_hash:
            states.append(State(UNPUBLISHED))
        elif self.course.has_folder and stored.is_edited:
            states.append(State(EDITED))
        if draft := self.drafts.get((kind, thing.slug)):
            states.append(State("Draft", draft.edited_by))
        page = address_in(self.course, kind, thing.slug) if kind in self.editors else ""
        is_met = stored.content_hash and not stored.is_withdrawn
        return Row(kind, thing.slug, title, page, learners if is_met else "", tuple(states))


def contents_of(course: Course, editors: Collection[str]) -> Contents:
    """Return the contents of a course; `editors` are the kinds that have a page. Ten queries."""
    states = _States(course, editors)
    rows = Lesson.objects.filter(course=course).select_related("course").prefetch_related("steps")
    there = [lesson for lesson in rows if lesson.withdrawn_at is None]
    groups = {lesson.slug: _of_lesson(states, lesson) for lesson in in_order(course, there)}
    numbers = {lesson.number: groups[lesson.slug] for lesson in there}
    others = Group(None)
    _add_questions(states, groups, others)
    stored = stored_exercises(course)
    exercises = Exercise.objects.filter(course=course).select_related("current")
    for exercise in exercises.only("slug", "course", "place", "current__title"):
        title = exercise.current.title if exercise.current else exercise.slug
        row = states.row("exercise", exercise, title, stored[exercise.slug])
        numbers.get(exercise.place // STEPS_AT_MOST, others).exercises.append(row)
    for quiz in Quiz.objects.filter(course=course).prefetch_related("places__question"):
        row = states.row("quiz", quiz, quiz.title or quiz.slug, stored_quiz(quiz))
        numbers.get(quiz.place // STEPS_AT_MOST, others).quizzes.append(row)
    shown_by = _lessons_with_plots(there)
    for plot in Plot.objects.filter(course=course):
        group = groups.get(shown_by.get(plot.slug, ""), others)
        group.plots.append(states.row("plot", plot, str(plot), stored_plot(plot)))
    withdrawn = [_lesson_row(states, lesson) for lesson in rows if lesson.withdrawn_at is not None]
    return Contents(list(groups.values()), others, withdrawn)


def _lessons_with_plots(lessons: Iterable[Lesson]) -> dict[str, str]:
    """Return the first lesson that shows each plot, by the names of both."""
    return {
        slug: lesson.slug
        for lesson in reversed(list(lessons))
        for step in lesson.steps.all()
        for slug in plots_named(step.text)
    }


def _lesson_row(states: _States, lesson: Lesson) -> Row:
    address = lesson.get_absolute_url()
    return states.row("lesson", lesson, lesson.title, stored_lesson(lesson), learners=address)


def _of_lesson(states: _States, lesson: Lesson) -> Group:
    steps = [
        Row("step", step.slug, step.title, "", step.get_absolute_url())
        for step in lesson.steps.all()
    ]
    return Group(_lesson_row(states, lesson), steps)


def _add_questions(states: _States, groups: Mapping[str, Group], others: Group) -> None:
    questions: Iterable[Question] = (
        Question.objects.filter(course=states.course)
        .select_related("current")
        .only(
            "slug",
            "loaded_hash",
            "withdrawn_at",
            "course",
            "current__prompt",
            "current__step",
            "current__content_hash",
        )
        .order_by("slug")
    )
    for question in questions:
        version = question.current
        stored = Stored(
            question.loaded_hash,
            version.content_hash if version else "",
            question.withdrawn_at is not None,
        )
        title = first_paragraph(version.prompt) if version else question.slug
        lesson = version.step.partition("/")[0] if version else ""
        row = states.row("question", question, title, stored)
        groups.get(lesson, others).questions.append(row)
