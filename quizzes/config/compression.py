"""Pages on their way out: their fonts are named, and they are compressed for browsers that take it.

Pages are mostly figures in SVG: a fifth of the bytes. Each answer masks tokens in another way and
has a padding of random length, so that lengths tell nothing (BREACH).
"""

import gzip
from secrets import randbelow

from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.middleware.gzip import GZipMiddleware, re_accepts_gzip
from django.utils.cache import patch_vary_headers

from quizzes.pages.font_preloads import name_fonts

# Of 9. A step with two figures, 77 kB, takes 0.56 ms and has 14.9 kB then; at 6, Django's, 0.83 ms
# and 14.2 kB: a seventh of what the server does for it.
LEVEL = 4
SHORTEST = 200  # bytes; nothing shorter is worth it
LONGEST = 2**20  # bytes; 15 MB of numbers take a second of the processor, after the limits
PADDING = 100  # bytes at most, by chance, so that lengths tell nothing (BREACH)
NAME_GIVEN = 8  # the flag of a name in the head of a file of gzip's
HEAD = 10


class CompressionMiddleware(GZipMiddleware):
    """Django's, which compresses harder than it pays; streams are left to it."""

    def process_response(
        self, request: HttpRequest, response: HttpResponseBase
    ) -> HttpResponseBase:
        """Name fonts; compress a whole answer, unless it is short or compressed already."""
        name_fonts(response)
        if isinstance(response, HttpResponse) and len(response.content) > LONGEST:
            return response
        accepted = re_accepts_gzip.search(request.headers.get("Accept-Encoding", ""))
        if (
            not isinstance(response, HttpResponse)
            or not accepted
            or response.has_header("Content-Encoding")
            or response.has_header("ETag")
            or len(response.content) < SHORTEST
        ):
            return super().process_response(request, response)
        patch_vary_headers(response, ["Accept-Encoding"])
        shorter = _padded(gzip.compress(response.content, LEVEL, mtime=0))
        if len(shorter) < len(response.content):
            response.content = shorter
            response.headers["Content-Length"] = str(len(shorter))
            response.headers["Content-Encoding"] = "gzip"
        return response


def _padded(compressed: bytes) -> bytes:
    """Return it with a name of a drawn length in its head, which browsers ignore."""
    head = bytearray(compressed[:HEAD])
    head[3] = NAME_GIVEN
    return bytes(head) + b"a" * randbelow(PADDING) + b"\0" + compressed[HEAD:]
