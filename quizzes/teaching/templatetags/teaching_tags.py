"""The tag that gives templates the addresses of instructors' pages."""

from typing import Any

from django import template

from quizzes.classes.models import Cohort
from quizzes.courses.models import Course
from quizzes.teaching.addresses import address_in, class_address

register = template.Library()


@register.simple_tag(takes_context=True)
def teach(context: dict[str, Any], page: str, *args: object, of: Course | None = None) -> str:
    """Return the address of a page about the course of this page, or `of` another one.

    A page about no course must name one: the home course would be a silent mistake.
    """
    course: Course = of or context["request"].course
    return address_in(course, page, *args)


@register.simple_tag(takes_context=True)
def in_class(context: dict[str, Any], page: str, *args: object, of: Cohort | None = None) -> str:
    """Return the address of a page about the class of this page, or `of` another one."""
    return class_address(of or context["request"].cohort, page, *args)
