"""Questions that a new version of a course asks in another step: what learners did goes along.

Answers inside a lesson and the assignments that count them name a step. A question that left its
step would be asked again in the new one, and nobody could answer it for an assignment any more.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from quizzes.assessment.store import move_answers
from quizzes.classes.marks.lesson_steps import move_assigned_question, questions_in
from quizzes.courses.models import Course, OldName
from quizzes.lessons.models import Step

StepsByQuestion = Mapping[str, list[str]]  # in the order of the course


def steps_by_question(course: Course, **which: Any) -> StepsByQuestion:
    """Return the steps that ask each question, as they are stored; `which` steps. One query."""
    rows = Step.objects.filter(lesson__course=course, text__contains="question", **which)
    steps = rows.select_related("lesson").order_by("lesson__number", "number")
    asking: dict[str, list[str]] = {}
    for step in steps:
        for slug in questions_in(step):
            asking.setdefault(slug, []).append(step.path)
    return asking


def offered_questions(course: Course) -> StepsByQuestion:
    """Return the steps that ask each question, without those of withdrawn lessons. One query."""
    return steps_by_question(course, lesson__withdrawn_at=None)


def move_questions(course: Course, before: StepsByQuestion) -> None:
    """Move what was done with questions to the steps that ask them now.

    `before`: `offered_questions` of before things got their new names. Call it inside a
    transaction, when the course is stored and old names are noted. A question that no step asks
    any more stays where it was.

    A step that asked it before as well has answers of its own. They do not count for an assignment
    that has closed: a load would raise its marks.
    """
    names, now = _Names.of(course), offered_questions(course)
    for old_slug, old_steps in before.items():
        question = names.question(old_slug)
        there = [names.step(step) for step in old_steps]
        asking = now.get(question, [])
        for step in there:
            if asking and step not in asking:
                new = next((path for path in asking if path not in there), asking[0])
                asked_before = new in there
                if not asked_before:
                    move_answers(course, question, step, new)
                move_assigned_question(course, question, step, new, only_open=asked_before)


@dataclass(frozen=True)
class _Names:
    """The names that things have now, by kind and old name."""

    new: Mapping[tuple[str, str], str]

    @classmethod
    def of(cls, course: Course) -> "_Names":
        rows = OldName.objects.filter(course=course).values_list("kind", "old", "new")
        return cls({(kind, old): new for kind, old, new in rows})

    def question(self, slug: str) -> str:
        return self.new.get((OldName.Kind.QUESTION, slug), slug)

    def step(self, path: str) -> str:
        """Return the name of a step, which its own line or that of its lesson may have changed."""
        lesson, _, slug = path.partition("/")
        in_lesson = f"{self.new.get((OldName.Kind.LESSON, lesson), lesson)}/{slug}"
        of_lesson = self.new.get((OldName.Kind.STEP, in_lesson), in_lesson)
        return self.new.get((OldName.Kind.STEP, path), of_lesson)
