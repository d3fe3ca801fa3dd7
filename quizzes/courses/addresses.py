"""The addresses within a course: `/c/<course>/` and what follows.

Everything that belongs to a course stands below its address, and this is the only module that
names those pages; models and templates ask a thing for its address. `course` is a slug, since the
rooms that only have a name must not need a row.
"""

from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from django.urls import ResolverMatch, reverse

List = Literal["learn", "quiz", "exercises", "map", "outline", "progress", "deep-dive", "search"]
LISTS: dict[List, str] = {
    "learn": "study:lessons",
    "quiz": "assessment:index",
    "exercises": "exercises:index",
    "map": "study:map",
    "outline": "study:outline",
    "progress": "study:progress",
    "deep-dive": "lessons:cards",
    "search": "study:search",
}


@lru_cache(maxsize=4096)
def _address(page: str, *names: str | int) -> str:
    """Return the address of a page. Lists ask for a hundred, which stay the same."""
    return reverse(page, args=names)


def course_address(course: str) -> str:
    """Return the address of a course's start page."""
    return _address("study:course", course)


def list_address(course: str, name: List) -> str:
    """Return the address of one of a course's lists."""
    return _address(LISTS[name], course)


def lesson_address(course: str, lesson: str) -> str:
    """Return the address of a lesson, which leads to its first step not read."""
    return _address("lessons:lesson", course, lesson)


def models_address(course: str) -> str:
    """Return the address of the released models, where a config.json is read, too."""
    return _address("lessons:models", course)


def model_pictures_address(course: str) -> str:
    """Return the address of the pictures of models, which its query names."""
    return _address("lessons:model-pictures", course)


def course_picture_address(course: str, picture: str, suffix: str, sha256: str) -> str:
    """Return the address of a picture that an author brought; another picture has another."""
    return _address("lessons:picture", course, sha256[:16], f"{picture}{suffix}")


@dataclass(frozen=True)
class PictureAddresses:
    """The addresses of a small picture of a lesson or a step, in light and in dark."""

    light: str
    dark: str


def lesson_picture(course: str, lesson: str, version: str) -> PictureAddresses | None:
    """Return the picture of a lesson that has one; `version` is "" for one that has none."""
    return _picture("lessons:thumbnail", version, course, lesson)


def step_picture(course: str, path: str, version: str) -> PictureAddresses | None:
    """Return the picture of the step "lesson/step"; `version` is "" for one that has none."""
    return _picture("lessons:step-thumbnail", version, course, *path.split("/"))


def _picture(page: str, version: str, *names: str) -> PictureAddresses | None:
    if not version:
        return None
    light, dark = (f"{_address(page, *names, scheme)}?v={version}" for scheme in ("light", "dark"))
    return PictureAddresses(light, dark)


def step_address(course: str, path: str | None) -> str:
    """Return the address of a step named "lesson/step", "" for none."""
    if not path:
        return ""
    lesson, _, step = path.partition("/")
    return _address("lessons:step", course, lesson, step)


def card_address(course: str, number: int) -> str:
    """Return the address of one card of the deep dive, from 1."""
    return _address("lessons:card", course, number)


def predict_address(course: str, path: str, block: str) -> str:
    """Return the address that answers a prediction in the step "lesson/step"."""
    return _address("lessons:predict", course, *path.split("/"), block)


def quiz_address(course: str, quiz: str) -> str:
    """Return the address of a quiz."""
    return _address("assessment:quiz", course, quiz)


def attempt_address(course: str, quiz: str, number: int) -> str:
    """Return the address of an attempt at a quiz."""
    return _address("assessment:attempt", course, quiz, number)


def attempt_review_address(course: str, quiz: str, number: int) -> str:
    """Return the address of the review of a submitted attempt."""
    return _address("assessment:review", course, quiz, number)


def answer_address(course: str, question: str) -> str:
    """Return the address that takes an answer given inside a lesson."""
    return _address("assessment:answer", course, question)


def practice_address(course: str, question: str) -> str:
    """Return the address where one question is practised."""
    return _address("study:practice", course, question)


def exercise_address(course: str, exercise: str) -> str:
    """Return the address of an exercise."""
    return _address("exercises:exercise", course, exercise)


Part = Literal["submission", "verdict", "report"]


def submission_address(course: str, exercise: str, number: int, part: Part = "submission") -> str:
    """Return the address of a submission, of its verdict alone, or of its report as JSON."""
    return _address(f"exercises:{part}", course, exercise, number)


def picture_address(course: str, exercise: str, number: int, layer: str, version: str) -> str:
    """Return the address of one layer of a submission's picture, in a version of it."""
    return f"{_address('exercises:picture', course, exercise, number, layer)}?v={version}"


RunPart = Literal["run", "value"]


def run_address(course: str, exercise: str, number: int, part: RunPart = "run") -> str:
    """Return the address of a Run on the page of an exercise, or of the picture of its value."""
    return _address(f"exercises:{part}", course, exercise, number)


def xray_address(course: str, exercise: str, number: int) -> str:
    """Return the address of what the expressions of a learner's code were."""
    return _address("exercises:xray", course, exercise, number)


def listing_address(course: str, path: str, block: str) -> str:
    """Return the address that runs a listing in the step "lesson/step"."""
    return _address("study:run_listing", course, *path.split("/"), block)


def listing_run_address(course: str, path: str, block: str, number: int) -> str:
    """Return the address of what a run of a listing printed."""
    return _address("study:listing_run", course, *path.split("/"), block, number)


def counterexample_address(course: str, exercise: str, number: int | None = None) -> str:
    """Return the address of an exercise's wrong program, or of what came of arguments for it."""
    if number is None:
        return _address("exercises:counterexample", course, exercise)
    return _address("exercises:counterexample_try", course, exercise, number)


def share_figure_address(course: str, exercise: str, number: int, place: int) -> str:
    """Return the address that shares the numbers of a place of an exercise's figure."""
    return _address("study:share_figure", course, exercise, number, place)


def figure_address(course: str, exercise: str, number: int | None = None) -> str:
    """Return the address that runs code for an exercise's figure, or of what came of it."""
    if number is None:
        return _address("study:run_figure", course, exercise)
    return _address("study:figure_run", course, exercise, number)


def draft_address(course: str, exercise: str) -> str:
    """Return the address that keeps a draft of an exercise."""
    return _address("exercises:draft", course, exercise)


def solution_address(course: str, exercise: str) -> str:
    """Return the address of a right solution of an exercise."""
    return reverse("exercises:solution", args=[course, exercise])


# ---- the same page of another thing


@dataclass(frozen=True)
class Thing:
    """Something in a course by its kind (of `OldName`) and name; a step is "<lesson>/<step>"."""

    kind: str
    name: str


def thing_asked_for(match: ResolverMatch) -> Thing | None:
    """Return the thing whose page, or part of a page, an address names; None for other pages."""
    named = match.kwargs
    if "lesson" in named:
        path = f"{named['lesson']}/{named['step']}" if "step" in named else ""
        return Thing("step", path) if path else Thing("lesson", named["lesson"])
    kinds = {"assessment": "quiz", "exercises": "exercise", "study": "question"}
    kind = "question" if match.view_name == "assessment:answer" else kinds.get(match.namespace)
    return Thing(kind, named["slug"]) if kind and "slug" in named else None


def address_of_another(match: ResolverMatch, thing: Thing) -> str:
    """Return the address of the same page for another thing of the same kind."""
    lesson, _, step = thing.name.partition("/")
    names = {"step": {"lesson": lesson, "step": step}, "lesson": {"lesson": lesson}}
    changed = names.get(thing.kind, {"slug": thing.name})
    return reverse(match.view_name, kwargs={**match.kwargs, **changed})
