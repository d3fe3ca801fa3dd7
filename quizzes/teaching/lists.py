"""Parts of every list of the instructors' pages: pages, and filters named in the address."""

from django.core.paginator import Page, Paginator
from django.db.models import QuerySet
from django.http import HttpRequest

from quizzes.learners.models import Learner

A_PAGE = 50


def page_of(request: HttpRequest, found: QuerySet) -> Page:  # type: ignore[type-arg]
    """Return the page that the address asks for; the nearest page if it does not exist."""
    return Paginator(found, A_PAGE).get_page(request.GET.get("page"))


def requested_filter(request: HttpRequest, name: str) -> str:
    """Return a filter of the address, "" for none. NUL is no part of any name."""
    return request.GET.get(name, "")[:200].replace("\0", "").strip()


def requested_learner(request: HttpRequest) -> Learner | None:
    """Return the learner whose number the address names, if there is one."""
    number = requested_filter(request, "learner")
    if not number.isascii() or not number.isdigit() or len(number) > 18:
        return None
    return Learner.objects.select_related("user").filter(pk=int(number)).first()
