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
    """Return links to the steps of a lesson, each with its progress: the path, then the others."""
    path = tuple(str(state) for _, state in progress.steps)
    deeper = tuple(str(state) for _, state in progress.deeper)
    return _places(Same(lesson), path, deeper, current.pk)


# Half of the time of a step's own template, whose ten links are those of the step before.
@lru_cache(maxsize=KEPT)
def _places(
    lesson: Same[Lesson], path: tuple[str, ...], deeper: tuple[str, ...], current: int
) -> SafeString:
    context = {
        "lesson": lesson.it,
        "places": list(zip(lesson.it.path_steps, path, strict=True)),
        "deeper": list(zip(lesson.it.deeper_steps, deeper, strict=True)),
        "current": current,
    }
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
    context: dict[str, Any], lesson: Lesson, step: Step, sources: Sequence[dict[str, str]]
) -> SafeString:
    """Return the sources of a step and the ways on from it."""
    works = tuple((one["text"], one["url"], one["where"]) for one in sources)
    request = context["request"]
    return with_token(_foot(Same(lesson), step.pk, works, request.path), request)


@lru_cache(maxsize=KEPT)
def _foot(
    lesson: Same[Lesson], step: int, works: tuple[tuple[str, str, str], ...], address: str
) -> SafeString:
    path, deeper = lesson.it.path_steps, lesson.it.deeper_steps
    is_deeper = any(other.pk == step for other in deeper)
    row = deeper if is_deeper else path
    place = next(place for place, other in enumerate(row) if other.pk == step)
    following = row[place + 1] if place + 1 < len(row) else None
    context = {
        "sources": [{"text": text, "url": url, "where": where} for text, url, where in works],
        "lesson": lesson.it,
        "step": row[place],
        "is_deeper": is_deeper,
        "previous": row[place - 1] if place else None,
        "next": following,
        "deeper": [] if is_deeper or following else deeper,
        "end": f"{lesson.it.course.lists['learn']}?finished={lesson.it.slug}",
        "address": address,
    }
    return render_for_all("lessons/_step_foot.html", context)
