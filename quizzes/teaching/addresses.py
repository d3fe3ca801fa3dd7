"""The addresses of instructors' pages: `/teach/`, and below it one folder for each course."""

from django.urls import reverse

from quizzes.courses.models import Course


def overview_address(course: str) -> str:
    """Return the address of a course's overview, by the slug of the course."""
    return reverse("teaching:course", args=[course])


def address_in(course: Course, page: str, *args: object) -> str:
    """Return the address of a page about a course: `address_in(course, "question", "why-scale")`.

    `page` is a name of `quizzes/teaching/urls.py`.
    """
    return reverse(f"teaching:{page}", args=[course.slug, *args])
