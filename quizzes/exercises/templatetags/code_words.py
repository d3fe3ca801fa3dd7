"""Sentences of the site that name commands."""

import re

from django import template
from django.utils.html import escape
from django.utils.safestring import SafeString, mark_safe

register = template.Library()
COMMAND = re.compile(r"`([^`]+)`")


@register.filter
def code_words(sentence: str) -> SafeString:
    """Return the sentence as HTML, what stands between backticks as code."""
    return mark_safe(COMMAND.sub(r"<code>\1</code>", escape(sentence)))  # noqa: S308 -- escaped
