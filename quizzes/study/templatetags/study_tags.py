"""Template tags of what a learner does next, for the frame and for the pages of other rooms."""

from typing import Any

from django import template

from quizzes.study.recommendations import Recommendation, recommendation_for

register = template.Library()


@register.simple_tag(takes_context=True)
def next_thing(context: dict[str, Any]) -> Recommendation | None:
    """Return the next thing for this learner in the course of the page, else in the home course.

    None for a newcomer, and on error pages that are drawn without a request or a database.
    """
    request = context.get("request")
    if request is None or context.get("accountless") or not getattr(request, "learner", None):
        return None
    return recommendation_for(request, context.get("course"))
