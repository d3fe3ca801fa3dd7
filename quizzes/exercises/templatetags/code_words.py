"""Sentences of the site that name commands."""

import re

from django import template
from django.utils.html import escape, format_html, format_html_join
from django.utils.safestring import SafeString

from quizzes.grader.judge import duration

register = template.Library()
register.filter("duration", duration)
COMMAND = re.compile(r"`([^`]+)`")


@register.filter
def code_words(sentence: str) -> SafeString:
    """Return the sentence as HTML, what stands between backticks as code."""
    parts = [escape(part) for part in COMMAND.split(sentence)]  # words and commands in turn
    return format_html_join(
        "",
        "{}",
        (
            (format_html("<code>{}</code>", part) if n % 2 else part,)
            for n, part in enumerate(parts)
        ),
    )
