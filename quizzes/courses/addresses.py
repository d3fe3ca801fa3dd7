"""The addresses within a course: `/c/<course>/` and what follows.

Everything that belongs to a course stands below its address, and this is the only module that
names those pages; models and templates ask a thing for its address. `course` is a slug, since the
rooms that only have a name must not need a row.
"""

from typing import Literal

from django.urls import reverse

List = Literal["learn", "quiz", "exercises", "map", "outline", "progress", "deep-dive"]
LISTS: dict[List, str] = {
    "learn": "lessons:index",
    "quiz": "assessment:index",
    "exercises": "exercises:index",
    "map": "study:map",
    "outline": "study:outline",
    "progress": "study:progress",
    "deep-dive": "lessons:cards",
}


def course_address(course: str) -> str:
    """Return the address of a course's start page."""
    return reverse("study:course", args=[course])


def list_address(course: str, name: List) -> str:
    """Return the address of one of a course's lists."""
    return reverse(LISTS[name], args=[course])


def lesson_address(course: str, lesson: str) -> str:
    """Return the address of a lesson, which leads to its first step not read."""
    return reverse("lessons:lesson", args=[course, lesson])


def step_address(course: str, path: str | None) -> str:
    """Return the address of a step named "lesson/step", "" for none."""
    if not path:
        return ""
    lesson, _, step = path.partition("/")
    return reverse("lessons:step", args=[course, lesson, step])


def card_address(course: str, number: int) -> str:
    """Return the address of one card of the deep dive, from 1."""
    return reverse("lessons:card", args=[course, number])


def predict_address(course: str, path: str, block: str) -> str:
    """Return the address that answers a prediction in the step "lesson/step"."""
    return reverse("lessons:predict", args=[course, *path.split("/"), block])


def quiz_address(course: str, quiz: str) -> str:
    """Return the address of a quiz."""
    return reverse("assessment:quiz", args=[course, quiz])


def attempt_address(course: str, quiz: str, number: int) -> str:
    """Return the address of an attempt at a quiz."""
    return reverse("assessment:attempt", args=[course, quiz, number])


def attempt_review_address(course: str, quiz: str, number: int) -> str:
    """Return the address of the review of a submitted attempt."""
    return reverse("assessment:review", args=[course, quiz, number])


def answer_address(course: str, question: str) -> str:
    """Return the address that takes an answer given inside a lesson."""
    return reverse("assessment:answer", args=[course, question])


def practice_address(course: str, question: str) -> str:
    """Return the address where one question is practised."""
    return reverse("study:practice", args=[course, question])


def exercise_address(course: str, exercise: str) -> str:
    """Return the address of an exercise."""
    return reverse("exercises:exercise", args=[course, exercise])


Part = Literal["submission", "verdict", "report"]


def submission_address(course: str, exercise: str, number: int, part: Part = "submission") -> str:
    """Return the address of a submission, of its verdict alone, or of its report as JSON."""
    return reverse(f"exercises:{part}", args=[course, exercise, number])


def picture_address(course: str, exercise: str, number: int, layer: str) -> str:
    """Return the address of one layer of a submission's picture."""
    return reverse("exercises:picture", args=[course, exercise, number, layer])


def draft_address(course: str, exercise: str) -> str:
    """Return the address that keeps a draft of an exercise."""
    return reverse("exercises:draft", args=[course, exercise])
