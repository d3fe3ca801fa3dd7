"""What templates of instructors' pages ask for: addresses and lines of Markdown."""

from typing import Any

from django import template
from django.utils.safestring import SafeString

from quizzes.classes.models import Cohort
from quizzes.courses.current_course import COURSE
from quizzes.courses.models import Course
from quizzes.pages.markdown import first_paragraph as first_paragraph_of
from quizzes.pages.markdown import render_inline
from quizzes.teaching.access import COHORT
from quizzes.teaching.addresses import address_in, class_address
from quizzes.teaching.downloads import CHOICES, chosen_separator
from quizzes.teaching.rail import rail_of

register = template.Library()


@register.filter
def markdown_line(text: str) -> SafeString:
    """Return Markdown of one line as HTML."""
    return render_inline(text)


@register.filter
def first_paragraph(text: str) -> SafeString:
    """Return the first paragraph of a Markdown text, rendered, for a list."""
    return first_paragraph_of(text)


@register.simple_tag(takes_context=True)
def teach(context: dict[str, Any], page: str, *args: object, of: Course | None = None) -> str:
    """Return the address of a page about the course of this page, or `of` another one.

    A page about no course must name one: the home course would be a silent mistake.
    """
    return address_in(of or COURSE.of(context["request"]), page, *args)


@register.simple_tag(takes_context=True)
def in_class(context: dict[str, Any], page: str, *args: object, of: Cohort | None = None) -> str:
    """Return the address of a page about the class of this page, or `of` another one."""
    return class_address(of or COHORT.of(context["request"]), page, *args)


@register.inclusion_tag("teaching/_rail.html", takes_context=True)
def rail(context: dict[str, Any]) -> dict[str, Any]:
    """Show the pages about the class or course of this page, and all of teaching. One query."""
    groups, nearest = rail_of(context["request"])
    return {"groups": groups, "nearest": nearest}


@register.inclusion_tag("teaching/_separator.html", takes_context=True)
def separator_choice(context: dict[str, Any]) -> dict[str, Any]:
    """Show the form that chooses what separates the cells of CSV files."""
    request = context["request"]
    return {"request": request, "separators": CHOICES, "separator": chosen_separator(request)}
