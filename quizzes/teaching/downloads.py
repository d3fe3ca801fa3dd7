"""Files that instructors download, and the separator that a browser's spreadsheet program needs.

The choice belongs to the program on a person's computer, so a cookie of the browser keeps it. It
is for files that people open: Moodle and Canvas read commas everywhere.
"""

from collections.abc import Iterable, Iterator
from itertools import chain

from django.conf import settings
from django.http import HttpRequest, HttpResponse, StreamingHttpResponse

from quizzes.classes.exports.csv_lines import COMMA, SEMICOLON

CSV = "text/csv; charset=utf-8"
SEPARATORS = {"comma": COMMA, "semicolon": SEMICOLON}
CHOICES = {
    "comma": "Comma and 8.50, as in English",
    "semicolon": "Semicolon and 8,50, as in German",
}
LASTS = 365 * 24 * 60 * 60  # seconds


def chosen_separator(request: HttpRequest) -> str:
    """Return the name of the separator that this browser chose: a key of SEPARATORS."""
    name = request.COOKIES.get(settings.SEPARATOR_COOKIE_NAME, "")
    return name if name in SEPARATORS else "comma"


def separator_of(request: HttpRequest) -> str:
    """Return the separator of cells in files for this browser."""
    return SEPARATORS[chosen_separator(request)]


def remember_separator(response: HttpResponse, name: str) -> None:
    """Keep a choice for a year."""
    response.set_cookie(
        settings.SEPARATOR_COOKIE_NAME,
        name,
        max_age=LASTS,
        httponly=True,
        samesite="Lax",
        secure=settings.SESSION_COOKIE_SECURE,
    )


def csv_file(pieces: Iterable[bytes], name: str) -> HttpResponse:
    """Return a CSV file as a whole."""
    return HttpResponse(b"".join(pieces), content_type=CSV, headers=_named(name))


def sent_file(pieces: Iterable[bytes], name: str, kind: str = CSV) -> StreamingHttpResponse:
    """Send a file piece by piece. The first piece is made now, so that a failure is a failure."""
    rest: Iterator[bytes] = iter(pieces)
    first = next(rest, b"")
    return StreamingHttpResponse(chain([first], rest), content_type=kind, headers=_named(name))


def _named(name: str) -> dict[str, str]:
    return {"Content-Disposition": f'attachment; filename="{name}"'}
