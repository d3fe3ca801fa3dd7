"""Template tags about the visitor."""

from datetime import datetime
from typing import Any

from django import template

from quizzes.learners.identity import LEARNER
from quizzes.learners.review import due_count_of
from quizzes.learners.second_factor import notice_for

register = template.Library()


@register.simple_tag(takes_context=True)
def second_factor_notice(context: dict[str, Any]) -> datetime | None:
    """Return from when on this account must have a second factor, if it has none yet."""
    return notice_for(getattr(context.get("request"), "user", None))


@register.simple_tag(takes_context=True)
def due_reviews(context: dict[str, Any]) -> int | None:
    """Count the reviews due for this visitor; None, without a query, for a newcomer.

    Error pages are drawn without a request, or without a database: then None too.
    """
    request = context.get("request")
    if request is None or context.get("accountless") or not LEARNER.get(request):
        return None
    return due_count_of(request)
