"""Tables whose cells name their columns, for a window that is narrower than a row."""

from django import template
from django.utils.safestring import SafeString, mark_safe

from quizzes.pages.table_labels import label_cells

register = template.Library()


@register.simple_block_tag
def with_labelled_cells(content: SafeString) -> SafeString:
    """Write a part of a page with the name of its column on each cell of a table."""
    return mark_safe(label_cells(content))  # noqa: S308 -- the headings are escaped
