"""The steps that an assignment of a lesson counts, and what they are called since it opened.

An assignment keeps [["<lesson>/<step>", ["<question>", ...]], ...] from when it opens, so that a
new version of the lesson takes nothing away that somebody has done and adds nothing to do. Names
go with their things: a step that was renamed, or moved to another lesson, stands under its new
name, also after the assignment has closed, since its marks are still read from the record of
progress. A question that left its step for another is kept as "<lesson>/<step>/<question>", with
the step that asks it now: an answer in either step counts.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from datetime import datetime
from typing import Any

from django.db.models.functions import Now

from quizzes.assessment.models import Question
from quizzes.classes.models import Assignment
from quizzes.classes.models.work import not_closed_at
from quizzes.courses.content import cached_content
from quizzes.courses.models import Course
from quizzes.lessons.models import Lesson, Step
from quizzes.pages.blocks import parse_page

Steps = list[list[Any]]  # as `Assignment.steps` has them
Place = tuple[str, str]  # a step, and a question that it asks, or "" for reading the step itself


def steps_of(lesson: int, *, deeper: bool = False) -> Steps:
    """Return the steps of a lesson with the questions that each asks, as an assignment keeps them.

    Those of the path, with `deeper` also those that go deeper. A deck of cards has steps as well.
    A lesson that has become a reference has no path: all of it counts. Questions that are not
    asked any more are left out.
    """
    row = Lesson.objects.prefetch_related("steps").get(pk=lesson)
    steps = row.path_steps
    if deeper or not steps:
        steps = list(row.steps.all())
    named = [(f"{row.slug}/{step.slug}", questions_in(step)) for step in steps]
    slugs = {slug for _, questions in named for slug in questions}
    available = Question.objects.available().filter(course=row.course_id, slug__in=slugs)
    there = set(available.values_list("slug", flat=True))
    return [[path, [slug for slug in questions if slug in there]] for path, questions in named]


def questions_in(step: Step) -> list[str]:
    """Return the slugs of the questions that a step asks, in their order."""
    blocks = parse_page(step.text, path=step.slug).blocks
    return [str(block.options.get("slug", "")) for block in blocks if block.kind == "question"]


def settle_lesson_steps(now: datetime) -> int:
    """Store the steps of assigned lessons as they are until each opens; return their number.

    One that opens while its lesson is read keeps its steps: the database looks at its own clock.
    """
    changed = 0
    for assignment in Assignment.objects.filter(lesson__isnull=False, opens_at__gt=now):
        assert assignment.lesson_id is not None
        steps = steps_of(assignment.lesson_id, deeper=assignment.includes_deeper)
        if steps != assignment.steps:
            still = Assignment.objects.filter(pk=assignment.pk, opens_at__gt=Now())
            changed += still.update(steps=steps)
    return changed


def places_of(step: str, questions: Iterable[str]) -> Iterator[tuple[Place, ...]]:
    """Yield, for each thing that a counted step asks, where doing it counts; the place now is last.

    A step without questions is to be read.
    """
    for name in questions or [""]:
        moved_to, _, slug = name.rpartition("/")
        yield ((step, slug), (moved_to, slug)) if moved_to else ((step, slug),)


def places_left(
    steps: Iterable[tuple[str, Iterable[str]]], is_done: Callable[[Place], bool]
) -> tuple[Place, ...]:
    """Return where something is left to do, in order, as the steps are called now."""
    return tuple(
        places[-1] for row in steps for places in places_of(*row) if not any(map(is_done, places))
    )


def steps_to_open(course: int, left: Iterable[Place]) -> list[str]:
    """Return the steps in which something that is left can still be done, in their order.

    A step that is gone has no page, as those of a withdrawn lesson have for its class; and a new
    version of a step may ask a counted question no more. Two queries for each lesson, cached.
    """
    can_be_done = (
        step
        for step, question in left
        if question in _open_in(course, step.partition("/")[0]).get(step, ())
    )
    return list(dict.fromkeys(can_be_done))


@cached_content
def _open_in(course: int, lesson: str) -> Mapping[str, frozenset[str]]:
    """Return what can be done in each step of a lesson: "" for reading it, and its questions."""
    rows = Step.objects.filter(lesson__course=course, lesson__slug=lesson)
    named = {f"{lesson}/{row.slug}": questions_in(row) for row in rows}
    slugs = {slug for questions in named.values() for slug in questions}
    available = Question.objects.available().filter(course=course, slug__in=slugs)
    there = frozenset(available.values_list("slug", flat=True))
    return {step: frozenset({"", *there.intersection(named[step])}) for step in named}


def steps_met(steps: Iterable[tuple[str, Iterable[str]]]) -> set[str]:
    """Return the steps in which something may be done for an assignment."""
    return {step for row in steps for places in places_of(*row) for step, _ in places}


def steps_to_read(steps: Iterable[tuple[str, Iterable[str]]]) -> list[str]:
    """Return the steps to open for an assignment, as they are called now, in their order."""
    now = (places[-1][0] for row in steps for places in places_of(*row))
    return list(dict.fromkeys(now))


# ---- names that a new version of a course gives


def rename_assigned_lesson(course: Course, old: str, new: str) -> None:
    """Give the counted steps of a lesson its new name, in all assignments of a course."""
    _rewrite(course, lambda path: f"{new}{path.removeprefix(old)}" if _is_in(path, old) else path)


def rename_assigned_step(course: Course, old: str, new: str) -> None:
    """Give a counted step its new name, which may be in another lesson."""
    _rewrite(course, lambda path: new if path == old else path)


def rename_assigned_question(course: Course, old: str, new: str) -> None:
    """Give a counted question its new name."""
    _rewrite(course, question=lambda slug: new if slug == old else slug)


def move_assigned_question(
    course: Course, question: str, old: str, new: str, *, only_open: bool = False
) -> None:
    """Have a question count in the step that asks it now, where its former step is counted.

    With `only_open` not for assignments that have closed for everybody.
    """
    for assignment in _of_lessons(course, only_open=only_open):
        steps = [
            [
                path,
                [
                    f"{new}/{question}" if _is_asked_in(name, path, question, old) else name
                    for name in questions
                ],
            ]
            for path, questions in assignment.steps
        ]
        _store(assignment, steps)


def _is_asked_in(name: str, path: str, question: str, step: str) -> bool:
    """Return whether a counted name is this question, asked in this step until now."""
    moved_to, _, slug = name.rpartition("/")
    return slug == question and (moved_to or path) == step


def _is_in(path: str, lesson: str) -> bool:
    return path.startswith(f"{lesson}/")


def _rewrite(
    course: Course,
    path: Callable[[str], str] = str,
    question: Callable[[str], str] = str,
) -> None:
    def name_now(name: str) -> str:
        moved_to, slash, slug = name.rpartition("/")
        return f"{path(moved_to) if moved_to else ''}{slash}{question(slug)}"

    for assignment in _of_lessons(course):
        steps = [[path(step), list(map(name_now, names))] for step, names in assignment.steps]
        _store(assignment, steps)


def _of_lessons(course: Course, *, only_open: bool = False) -> Iterable[Assignment]:
    rows = Assignment.objects.filter(cohort__course=course, lesson__isnull=False)
    if only_open:
        rows = rows.filter(not_closed_at(Now()), cohort__archived_at=None)
    return rows.only("pk", "steps").order_by("pk")


def _store(assignment: Assignment, steps: Steps) -> None:
    if steps != assignment.steps:
        Assignment.objects.filter(pk=assignment.pk).update(steps=steps)
