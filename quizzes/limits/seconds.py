"""Seconds of the processor are counted while they are used: figures whose address has parameters.

Pages without figures in their address show pictures that are the same for everybody and kept by
each process: they are never refused.
"""

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from functools import wraps
from typing import Any

from django.http import HttpRequest, HttpResponse

from quizzes.limits.limits import SECONDS, LimitReachedError, is_newcomer


class Places:
    """Half of the threads of a process, for newcomers' figures.

    Figures that take milliseconds wait for each other. Behind slower ones nobody waits: a hundred
    requests a second for the dearest figure would hold every thread, and pages with them for a
    minute (benchmarks/flood.py).
    """

    COUNT = 2
    PATIENCE = 0.1  # seconds

    def __init__(self) -> None:
        self._free = threading.BoundedSemaphore(self.COUNT)
        self._began: set[float] = set()

    @contextmanager
    def hold(self) -> Iterator[None]:
        """Hold a place. Raises LimitReachedError."""
        began = time.monotonic()
        slow = [earlier for earlier in tuple(self._began) if began - earlier > self.PATIENCE]
        if len(slow) >= self.COUNT or not self._free.acquire(timeout=self.PATIENCE):
            raise LimitReachedError(1)
        began = time.monotonic()
        self._began.add(began)
        try:
            yield
        finally:
            self._began.discard(began)
            self._free.release()


_places = Places()


@contextmanager
def counted_seconds(
    request: HttpRequest, *, clock: Callable[[], float] = time.thread_time
) -> Iterator[None]:
    """Charge what a block takes by `clock`. Raises LimitReachedError: the answer is 429."""
    SECONDS.refuse_overdrawn(request)
    # What another process draws has places of its own (`lessons/figures/pool.py`).
    takes_place = clock is time.thread_time and is_newcomer(request)
    with _places.hold() if takes_place else nullcontext():
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
