"""The addresses of instructors' pages: `/teach/`, with folders of courses and of classes."""

from django.urls import reverse

from quizzes.classes.models import Cohort
from quizzes.courses.models import Course


def overview_address(course: str) -> str:
    """Return the address of a course's overview, by the slug of the course."""
    return reverse("teaching:course", args=[course])


def address_in(course: Course, page: str, *args: object) -> str:
    """Return the address of a page about a course: `address_in(course, "question", "why-scale")`.

    `page` is a name of `quizzes/teaching/urls.py`.
    """
    return reverse(f"teaching:{page}", args=[course.slug, *args])


def class_address(cohort: Cohort, page: str = "cohort", *args: object) -> str:
    """Return the address of a page about a class: `class_address(cohort, "class-people")`.

    `page` is a name of a `urls.py` in a folder of `quizzes/teaching/`.
    """
    return reverse(f"teaching:{page}", args=[cohort.slug, *args])
