"""Template tags of the reading pages."""

import json
from typing import Any

from django import template
from django.utils.html import format_html_join
from django.utils.safestring import SafeString

from quizzes.lessons.models import Lesson, Step
from quizzes.pages.course_links import with_course_links
from quizzes.pages.markdown import render_inline

register = template.Library()


@register.filter
def as_json(value: Any) -> str:
    """Return a value as JSON for a data- attribute; the template escapes it."""
    return json.dumps(value, separators=(",", ":"))


@register.filter
def needs(lesson: Lesson) -> SafeString:
    """Return prerequisites, each a line of Markdown, in a row; links lead to other lessons.

    A full stop that an author wrote is left out: the sentence around the row has its own.
    """
    lines = ((render_inline(text.removesuffix(".")),) for text in lesson.prerequisites)
    return with_course_links(format_html_join("; ", "{}", lines), lesson.course.slug)


@register.filter
def minutes(seconds: int) -> str:
    """Return "1 min" or "12 min", never less than one."""
    return f"{max(1, round(seconds / 60))} min"


@register.filter
def working_time(work: Lesson | Step) -> str:
    """Return "12 min", or "30 min reading + 30 min code" where there are exercises."""
    if not work.code_seconds:
        return minutes(work.reading_seconds)
    reading = minutes(work.reading_seconds - work.code_seconds)
    return f"{reading} reading + {minutes(work.code_seconds)} code"
