"""Requests beyond a limit are answered 429, with the time to wait and nothing done."""

import math
from collections.abc import Callable
from functools import lru_cache
from http import HTTPStatus

from django.http import HttpRequest, HttpResponse
from django.template.loader import render_to_string

from quizzes.limits.limits import POSTS, SIGN_INS, LimitReachedError

SAFE = {"GET", "HEAD", "OPTIONS", "TRACE"}
MOST_MINUTES = 15  # that the page names; no bucket here takes longer for one request


class LimitMiddleware:
    """Count every request that may change something, and answer 429 when too many came."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self._get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if request.method not in SAFE:
            try:
                POSTS.spend(request)
                if request.path_info.startswith("/accounts/"):
                    SIGN_INS.spend(request)
            except LimitReachedError as error:
                return refuse(request, error.wait_seconds)
        return self._get_response(request)

    def process_exception(self, request: HttpRequest, error: Exception) -> HttpResponse | None:
        """Answer a view that did nothing because nothing is left for it."""
        if isinstance(error, LimitReachedError):
            return refuse(request, error.wait_seconds)
        return None


def refuse(request: HttpRequest, wait_seconds: int) -> HttpResponse:
    """Answer 429: a page where the client takes one, else a sentence that scripts can show.

    The page is the same for everybody who waits as many minutes, so that a flood of refusals costs
    next to nothing.
    """
    if "text/html" in request.headers.get("Accept", ""):
        minutes = min(math.ceil(wait_seconds / 60), MOST_MINUTES)
        answer = HttpResponse(_page(minutes), status=HTTPStatus.TOO_MANY_REQUESTS)
    else:
        answer = HttpResponse(
            f"Too many requests: try again in {wait_seconds} s.\n",
            status=HTTPStatus.TOO_MANY_REQUESTS,
            content_type="text/plain; charset=utf-8",
        )
    answer["Retry-After"] = str(wait_seconds)
    answer["Cache-Control"] = "no-store"
    return answer


@lru_cache(maxsize=MOST_MINUTES)
def _page(minutes: int) -> str:
    return render_to_string("429.html", {"plain": True, "minutes": minutes})
