"""Seconds of the processor are counted while they are used: figures whose address has parameters.

Pages without figures in their address show pictures that are the same for everybody and kept by
each process: they are never refused.
"""

import math
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from functools import wraps
from typing import Any

from django.http import HttpRequest, HttpResponse

from quizzes.limits.limits import SECONDS, LimitReachedError, is_newcomer, person_of


class Place:
    """A thread of a process, in which figures are drawn for newcomers, one at a time.

    Figures that take milliseconds wait for each other. Behind a slower one nobody waits: a hundred
    requests a second for the dearest figure would hold every thread, and pages with them for a
    minute (benchmarks/flood.py).
    """

    PATIENCE = 0.3  # seconds; with 0.1 a busy machine refused 17 of a class's 1000 small figures

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._began = math.inf

    @contextmanager
    def hold(self) -> Iterator[None]:
        """Hold the place. Raises LimitReachedError."""
        is_slow = time.monotonic() - self._began > self.PATIENCE
        if is_slow or not self._lock.acquire(timeout=self.PATIENCE):
            raise LimitReachedError(1)
        self._began = time.monotonic()
        try:
            yield
        finally:
            self._began = math.inf
            self._lock.release()


# Two of four threads; a program without cookies stops nobody who is known.
_FOR_STRANGERS, _FOR_KNOWN = Place(), Place()


def _place(request: HttpRequest) -> AbstractContextManager[None]:
    if not is_newcomer(request):
        return nullcontext()
    return (_FOR_KNOWN if person_of(request) else _FOR_STRANGERS).hold()


@contextmanager
def counted_seconds(
    request: HttpRequest, *, clock: Callable[[], float] = time.thread_time
) -> Iterator[None]:
    """Charge what a block takes by `clock`. Raises LimitReachedError: the answer is 429."""
    with _place(request):  # looked at first: a refusal there asks no database
        SECONDS.refuse_overdrawn(request)
        began = clock()
        try:
            yield
        finally:
            SECONDS.charge(request, clock() - began)


def count_seconds(
    *, when: Callable[[HttpRequest], bool]
) -> Callable[[Callable[..., HttpResponse]], Callable[..., HttpResponse]]:
    """Return a decorator of a page whose seconds are counted `when` its address asks for more."""

    def decorate(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
        @wraps(view)
        def counted(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
            if not when(request):
                return view(request, *args, **kwargs)
            with counted_seconds(request):
                return view(request, *args, **kwargs)

        return counted

    return decorate
