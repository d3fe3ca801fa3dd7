"""The lines of the list of lessons, each drawn once for all that it shows."""

from functools import lru_cache
from typing import Any, Protocol

from django import template
from django.template.loader import render_to_string
from django.utils.safestring import SafeString

from quizzes.courses.addresses import LessonPicture
from quizzes.courses.content import Same
from quizzes.lessons.models import Lesson
from quizzes.lessons.services import LessonProgress

register = template.Library()


class Line(Protocol):
    """A lesson of the list, as the view has it."""

    number: int
    lesson: Lesson
    progress: LessonProgress
    picture: LessonPicture | None


@register.simple_tag
def lesson_line(line: Line, following: Any, mastered: dict[str, str], finished: Any) -> SafeString:
    """Return a line; `following` is the next thing to do, `finished` the lesson just finished."""
    here = line.progress.next_address
    is_next = bool(following) and following.address == here
    others = not is_next if following else line.number != 1
    return _drawn(
        Same(line.lesson),
        tuple(str(state) for _, state in line.progress.steps),
        tuple(str(state) for _, state in line.progress.deeper),
        number=line.number,
        picture=line.picture,
        is_next=is_next,
        is_quiet=bool(finished) or others,
        words=mastered.get(line.lesson.slug, ""),
    )


# A line takes 0.35 ms to draw; most lines of most learners are as they were at first.
@lru_cache(maxsize=1024)
def _drawn(
    lesson: Same[Lesson],
    states: tuple[str, ...],
    deeper: tuple[str, ...],
    *,
    number: int,
    picture: LessonPicture | None,
    is_next: bool,
    is_quiet: bool,
    words: str,
) -> SafeString:
    steps = tuple(zip(lesson.it.path_steps, states, strict=True))
    progress = LessonProgress(steps, tuple(zip(lesson.it.deeper_steps, deeper, strict=True)))
    context = {
        "lesson": lesson.it,
        "number": number,
        "progress": progress,
        "here": progress.next_address,
        "picture": picture,
        "is_next": is_next,
        "is_quiet": is_quiet,
        "words": words,
    }
    return render_to_string("lessons/_line.html", context)
