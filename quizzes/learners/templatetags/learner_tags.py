"""Template tags about the visitor."""

from typing import Any

from django import template

from quizzes.learners.review import due_count

register = template.Library()


@register.simple_tag(takes_context=True)
def due_reviews(context: dict[str, Any]) -> int:
    """Return how many reviews are due for this visitor; no query for one without a learner.

    Error pages are drawn without a request, or without a database: then 0.
    """
    request = context.get("request")
    learner = getattr(request, "learner", None)
    return due_count(learner) if learner and not context.get("accountless") else 0
