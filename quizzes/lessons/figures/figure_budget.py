"""The budget of figures: asked before an address has figures drawn, told afterwards what they cost.

Every view whose figures depend on its address passes here. Pages without figures in their address
show pictures that are the same for everybody and kept by each process: they are never refused.
"""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import wraps
from typing import Any

from django.http import HttpRequest, HttpResponse

from quizzes.learners.budgets import FIGURES, BudgetSpentError

NOTED_SECONDS = 0.1  # of a file that is sent line by line: what is noted before its end


@contextmanager
def within_budget(
    request: HttpRequest, *, clock: Callable[[], float] = time.thread_time
) -> Iterator[None]:
    """Note what a visitor's figures cost by `clock`. Raises BudgetSpentError: the answer is 429."""
    if wait := FIGURES.wait_seconds(request):
        raise BudgetSpentError(wait)
    began = clock()
    try:
        yield
    finally:
        FIGURES.note(request, clock() - began)


def has_figure_params(request: HttpRequest) -> bool:
    """Return whether the address has a parameter of a page's figure, such as `codes.base`."""
    return any("." in name for name in request.GET)


def budgeted(
    *, when: Callable[[HttpRequest], bool]
) -> Callable[[Callable[..., HttpResponse]], Callable[..., HttpResponse]]:
    """Return a decorator of a page that counts as figures `when` its address asks for its own."""

    def decorate(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
        @wraps(view)
        def counted(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
            if not when(request):
                return view(request, *args, **kwargs)
            with within_budget(request):
                return view(request, *args, **kwargs)

        return counted

    return decorate


def noted_lines(request: HttpRequest, lines: Iterator[str]) -> Iterator[str]:
    """Yield the lines of a file and note what making them costs, also of one left in the middle.

    A view returns before the first line is made, so its own measure has none of them. The server
    compresses each line before it asks for the next, which counts as well. A large file is noted as
    it goes, or several at once would all begin before any of them had cost something.
    """
    before, owed = time.thread_time(), 0.0
    try:
        for line in lines:
            now = time.thread_time()
            owed, before = owed + now - before, now
            if owed >= NOTED_SECONDS:
                FIGURES.note(request, owed)
                owed = 0.0
            yield line
    finally:
        FIGURES.note(request, owed + time.thread_time() - before)
