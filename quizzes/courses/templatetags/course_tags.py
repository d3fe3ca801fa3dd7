"""Template tags about the course of a page."""

from typing import Any

from django import template

from quizzes.courses.addresses import LISTS
from quizzes.courses.current_course import COURSE

register = template.Library()


@register.simple_tag(takes_context=True)
def course_lists(context: dict[str, Any]) -> dict[str, str]:
    """Return the lists that the frame of a page leads to, and as `here` the one it stands in.

    On pages of any other course than the home course `title` and `start` are those of the course.
    A page without a course, which may be one that says that the database is away, has the short
    addresses, so that the frame never asks the database; they lead into the home course.
    """
    request = context.get("request")
    course = COURSE.get(request) if request is not None else None
    if request is not None and course is not None:
        here = request.path.removeprefix(course.get_absolute_url()).partition("/")[0]
        lists = course.lists | {"here": here}
        if not course.is_home:
            lists |= {"title": course.title, "start": course.get_absolute_url()}
        return lists
    short = {name.replace("-", "_"): f"/{name}/" for name in LISTS}
    return short | {"progress": "/me/progress/", "outline": "/map/outline/", "here": ""}
