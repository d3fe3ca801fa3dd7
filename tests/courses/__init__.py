"""A course for tests that make rows by themselves, and the addresses within it."""

from quizzes.courses.models import Course

SLUG = "positional-encodings"  # of the shipped course, which is the home course


def some_course(slug: str = SLUG) -> Course:
    """Return the course with this slug, made with nothing in it where there is none."""
    facts = {"title": slug.replace("-", " ").capitalize(), "summary": "For tests."}
    return Course.objects.get_or_create(slug=slug, defaults=facts)[0]


def at(path: str, course: str = SLUG) -> str:
    """Return the address of a page of a course: `at("/learn/rope/")`."""
    return f"/c/{course}{path}"
