"""The largest body of a request, by address. A larger one is a 413.

CSRF protection reads every form that is posted before the site knows its sender. The web server
takes at most 12 MB at any address (`web_worker.py`).
"""

from collections.abc import Callable

from django.core.exceptions import RequestDataTooBig
from django.http import HttpRequest, HttpResponse
from django.urls import Resolver404, resolve

KILOBYTE = 1024
BODY = 256 * KILOBYTE  # the largest post is 20 000 characters of code, each at most 12 bytes
# A question or quiz of 256 KB, the most that a file of the course may have, where a form needs
# three bytes for one that is no ASCII letter; and as much for the names of its fields.
WRITING = 1024 * KILOBYTE
# A roster of at most 1 MB, as a file or as the text that comes back with "Apply", and its ticks.
ROSTER = 1280 * KILOBYTE
# A lesson or an exercise of at most 1 MB. Its form is sent as it is: no character takes more bytes
# than in UTF-8.
LESSON = 1280 * KILOBYTE
# A zip of 10 MB, and what a form adds to it.
ZIP = 10 * 1024 * KILOBYTE + 64 * KILOBYTE
# A picture of 1 MB, and what a form adds to it.
PICTURE = 1024 * KILOBYTE + 64 * KILOBYTE
BODIES = {
    "teaching:contents-upload": ZIP,
    "teaching:upload-course": ZIP,
    "teaching:contents-upload-apply": BODY,  # shows the form for a zip again, and takes none
    "teaching:apply-course": BODY,
    "teaching:pictures": PICTURE,
    "teaching:class-roster": ROSTER,
    "teaching:class-roster-apply": ROSTER,
    "teaching:class-exports": ROSTER,
    "teaching:exercise-write": LESSON,
    "teaching:exercise-preview": LESSON,
    "teaching:lesson": LESSON,
    "teaching:lesson-preview": LESSON,
    "teaching:question": WRITING,
    "teaching:question-preview": WRITING,
    "teaching:quiz": WRITING,
    "teaching:find": WRITING,
    "teaching:quiz-preview": WRITING,
    "teaching:short-questions": WRITING,  # of a tab that was open while addresses got courses
    "teaching:short-quizzes": WRITING,
}
MOST_DIGITS = 15  # of a length that is read as a number; Python reads no more than 4 300


def bound_of(path: str) -> int:
    """Return the largest number of bytes for the body of a request to `path`."""
    try:
        return BODIES.get(resolve(path).view_name, BODY)
    except Resolver404:
        return BODY


class BodyBoundMiddleware:
    """Answer 413 to a request with a larger body than its address takes, before Django reads it.

    Django reads no more than the length that a request names; waitress names that of chunks.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        bound = bound_of(request.path_info)
        length = request.headers.get("Content-Length") or "0"
        if length.isdecimal() and (len(length) > MOST_DIGITS or int(length) > bound):
            size = length if len(length) <= MOST_DIGITS else f"a number of {len(length)} digits of"
            raise RequestDataTooBig(f"{request.path}: a body of {size} bytes, at most {bound}")
        return self.get_response(request)
