"""Parts of every list of the instructors' pages: pages, and filters named in the address."""

from collections.abc import Callable, Iterable
from typing import Any

from django.core.paginator import Page, Paginator
from django.db.models import Exists, OuterRef, QuerySet
from django.http import HttpRequest

from quizzes.assessment.models import Attempt
from quizzes.courses.models import Course
from quizzes.exercises.models import Submission
from quizzes.learners.models import Learner, Progress

A_PAGE = 50
LONGEST_KEY = 18  # digits: more fit into no column of keys


def page_of(
    request: HttpRequest,
    found: QuerySet[Any],
    *,
    with_facts: Callable[[list[int]], Iterable[Any]] | None = None,
) -> Page[Any]:
    """Return the page that the address asks for; the nearest page if it does not exist.

    `with_facts` gives the rows of these keys with what is counted for each: a database that sorts
    rows with their counts counts all of them first, and a page shows fifty.
    """
    if with_facts is None:
        return Paginator(found, A_PAGE).get_page(request.GET.get("page"))
    page = Paginator(found.values_list("pk", flat=True), A_PAGE).get_page(request.GET.get("page"))
    page.object_list = list(with_facts(list(page.object_list)))
    return page


def requested_filter(request: HttpRequest, name: str) -> str:
    """Return a filter of the address, "" for none. NUL is no part of any name."""
    return request.GET.get(name, "")[:200].replace("\0", "").strip()


def key_in(text: str) -> int | None:
    """Return the key of a row that a form or an address names, None for what can be none."""
    return int(text) if text.isascii() and text.isdigit() and len(text) <= LONGEST_KEY else None


def learners_of(course: Course) -> QuerySet[Learner]:
    """Return the learners who have begun something of a course."""
    mine = {"learner": OuterRef("pk")}
    return Learner.objects.filter(
        Exists(Progress.objects.filter(course=course, **mine))
        | Exists(Attempt.objects.filter(quiz__course=course, **mine))
        | Exists(Submission.objects.filter(exercise_version__exercise__course=course, **mine))
    )


def attempt_rows(numbers: list[int]) -> list[Attempt]:
    """Return attempts with right and asked, learner and quiz, in the order of their numbers."""
    found = (
        Attempt.objects.with_points()
        .scored()
        .select_related("learner__user", "quiz")
        .in_bulk(numbers)
    )
    return [found[number] for number in numbers if number in found]
