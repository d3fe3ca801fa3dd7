"""The parts of a step's page that are the same for many readers, each drawn once."""

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

from django import template
from django.template.loader import render_to_string
from django.utils.safestring import SafeString

from quizzes.courses.content import Same
from quizzes.lessons.models import Lesson, Step
from quizzes.lessons.services import LessonProgress
from quizzes.pages.blocks import Page
from quizzes.pages.form_placeholders import render_for_all, with_token

register = template.Library()
KEPT = 1024


@register.simple_tag
def step_places(lesson: Lesson, progress: LessonProgress, current: Step) -> SafeString:
    """Return links to the steps of a lesson, each with its progress."""
    return _places(Same(lesson), tuple(str(state) for _, state in progress.steps), current.pk)


# Half of the time of a step's own template, whose ten links are those of the step before.
@lru_cache(maxsize=KEPT)
def _places(lesson: Same[Lesson], states: tuple[str, ...], current: int) -> SafeString:
    places = list(zip(lesson.it.steps.all(), states, strict=True))
    context = {"lesson": lesson.it, "places": places, "current": current}
    return render_to_string("lessons/_step_places.html", context)


@register.simple_tag
@lru_cache(maxsize=KEPT)
def step_head(page: Page) -> SafeString:
    """Return the styles of a step with these blocks."""
    return render_to_string("lessons/_step_head.html", _facts(page))


@register.simple_tag
@lru_cache(maxsize=KEPT)
def step_scripts(page: Page) -> SafeString:
    """Return the scripts of a step with these blocks."""
    return render_to_string("lessons/_step_scripts.html", _facts(page))


def _facts(page: Page) -> dict[str, Any]:
    return {"page": page, "kinds": {block.kind for block in page.blocks}}


@register.simple_tag(takes_context=True)
def step_foot(
    context: dict[str, Any], lesson: Lesson, place: int, sources: Sequence[dict[str, str]]
) -> SafeString:
    """Return the sources of a step and the ways on from it; `place` is counted from 1."""
    works = tuple((one["text"], one["url"], one["where"]) for one in sources)
    request = context["request"]
    return with_token(_foot(Same(lesson), place, works, request.path), request)


@lru_cache(maxsize=KEPT)
def _foot(
    lesson: Same[Lesson], place: int, works: tuple[tuple[str, str, str], ...], address: str
) -> SafeString:
    steps = list(lesson.it.steps.all())
    context = {
        "sources": [{"text": text, "url": url, "where": where} for text, url, where in works],
        "previous": steps[place - 2] if place > 1 else None,
        "next": steps[place] if place < len(steps) else None,
        "address": address,
    }
    return render_for_all("lessons/_step_foot.html", context)
