"""The end of every page: the modules that it is going to import."""

from django import template
from django.utils.html import format_html_join
from django.utils.safestring import SafeString

from quizzes.pages.module_preloads import modules_ahead

register = template.Library()
_LINK = '\n  <link rel="modulepreload" href="{}" fetchpriority="low">'


@register.simple_block_tag
def with_modules_ahead(content: SafeString) -> SafeString:
    """Write a page and, behind its scripts, links to all that they and its first figure import."""
    return content + format_html_join("", _LINK, ((module,) for module in modules_ahead(content)))
