"""Parts of every list of the instructors' pages: pages, and filters named in the address."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from django.core.paginator import Page, Paginator
from django.db.models import Exists, OuterRef, Q, QuerySet
from django.http import HttpRequest

from quizzes.assessment.models import Attempt
from quizzes.content_files.typed_text import read_whole_number
from quizzes.courses.models import Course
from quizzes.exercises.models import Submission
from quizzes.learners.models import Learner, Progress

A_PAGE = 50


def page_of(request: HttpRequest, queryset: QuerySet[Any]) -> Page[Any]:
    """Return the page that the address asks for; the nearest page if it does not exist.

    For lists that are as long as a class or a course; see `newest_page` for longer ones.
    """
    return Paginator(queryset, A_PAGE).get_page(request.GET.get("page"))


@dataclass(frozen=True)
class NewestPage:
    """A page of a list that grows for years: the address names a row, and nothing is counted.

    `newer` and `older`: what the addresses of its neighbours say, "" where there is none.
    """

    object_list: list[Any]
    newer: str = ""
    older: str = ""

    def __iter__(self) -> Iterator[Any]:
        return iter(self.object_list)


def newest_page(
    request: HttpRequest,
    queryset: QuerySet[Any],
    *,
    by: str = "pk",
    with_facts: Callable[[list[int]], Iterable[Any]] | None = None,
) -> NewestPage:
    """Return fifty rows, the newest first: those before or after the row that the address names.

    A page by its number would walk all rows before it and count all there are, and would move with
    each new row. `by`: what orders the rows, before their keys. `with_facts` gives the rows of
    these keys with what is counted for each: a database that sorts rows with their counts counts
    all of them first.
    """
    before, after = (_place(request, queryset, name, by) for name in ("before", "after"))
    forth, back = list(dict.fromkeys([by, "pk"])), list(dict.fromkeys([f"-{by}", "-pk"]))
    if after is not None:
        some = list(queryset.filter(_beyond(by, "gt", after)).order_by(*forth)[: A_PAGE + 1])
        if len(some) > A_PAGE:
            return _as_page(some[A_PAGE - 1 :: -1], with_facts, is_first=False, is_last=False)
        before = None  # it is the first page, and shown full
    first = queryset.order_by(*back)
    rows = first if before is None else first.filter(_beyond(by, "lt", before))
    some = list(rows[: A_PAGE + 1])
    if not some and before is not None:  # nothing is left there
        some, before = list(first[: A_PAGE + 1]), None
    is_last = len(some) <= A_PAGE
    return _as_page(some[:A_PAGE], with_facts, is_first=before is None, is_last=is_last)


def _place(
    request: HttpRequest, queryset: QuerySet[Any], name: str, by: str
) -> tuple[Any, int] | None:
    """Return the place of the row that the address names; None where there is none."""
    key = read_whole_number(request.GET.get(name, ""))
    if key is None or by == "pk":
        return None if key is None else (key, key)
    at = queryset.order_by().filter(pk=key).values_list(by, flat=True).first()
    return None if at is None else (at, key)


def _beyond(by: str, side: str, place: tuple[Any, int]) -> Q:
    if by == "pk":
        return Q(**{f"pk__{side}": place[1]})
    return Q(**{f"{by}__{side}": place[0]}) | Q(**{by: place[0], f"pk__{side}": place[1]})


def _as_page(
    some: list[Any],
    with_facts: Callable[[list[int]], Iterable[Any]] | None,
    *,
    is_first: bool,
    is_last: bool,
) -> NewestPage:
    keys = [one.pk for one in some]
    return NewestPage(
        some if with_facts is None else list(with_facts(keys)),
        newer="" if is_first or not keys else str(keys[0]),
        older="" if is_last or not keys else str(keys[-1]),
    )


def requested_filter(request: HttpRequest, name: str) -> str:
    """Return a filter of the address, "" for none. NUL is no part of any name."""
    return request.GET.get(name, "")[:200].replace("\0", "").strip()


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
    attempts = (
        Attempt.objects.with_points()
        .scored()
        .select_related("learner__user", "quiz")
        .in_bulk(numbers)
    )
    return [attempts[number] for number in numbers if number in attempts]
