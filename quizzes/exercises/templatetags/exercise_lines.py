"""The groups of the list of exercises, each drawn once for all that it shows."""

from functools import lru_cache

from django import template
from django.template.loader import render_to_string
from django.utils.safestring import SafeString

from quizzes.exercises.summary import Group

register = template.Library()


# Groups take a quarter of the list to draw; for most learners most are as they were at first.
@register.simple_tag
@lru_cache(maxsize=1024)
def exercise_group(group: Group, number: int) -> SafeString:
    """Return the exercises of one lesson; `number` is the place of the group in the list."""
    return render_to_string("exercises/_group.html", {"group": group, "number": number})
