"""Name the fonts that a page needs beside that of its text, so that browsers fetch them at once.

Otherwise a browser notices only when it lays out the first formula or the first word in italics,
shows another font, and moves the text when the right font comes.
"""

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse
from django.templatetags.static import static

MATHEMATICS = "vendor/stix-two-math-2.12/stix-two-math-subset.woff2"
ROOTS = "vendor/stix-two-math-2.12/stix-two-math-radical.woff2"
ITALICS = "vendor/source-serif-4.004/source-serif-italic.woff2"
# On a page that has this, formulas are in the face of the text (pages.css): one line of them, in a
# card beside a figure, is not worth 94 kB before the page is seen.
PLAIN = b"data-plain-mathematics"
# The cards of the glossary stand at the end of a page, and are not seen before one is asked for.
CARDS = b'<div class="term-card"'


class FontMiddleware:
    """Name fonts in the Link header of every page that uses them, and of no other page."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        is_page = response.headers.get("Content-Type", "").startswith("text/html")
        if is_page and not response.streaming:
            needed = _fonts_of(response.content)
            if needed:
                response.headers["Link"] = ", ".join(
                    f"<{static(font)}>; rel=preload; as=font; type=font/woff2; crossorigin"
                    for font in needed
                )
        return response


def _fonts_of(page: bytes) -> list[str]:
    """Return the fonts of a page's markup. A page has up to 100 KB: it is searched for little."""
    fonts = []
    page = page.partition(CARDS)[0]
    if b"<math" in page and PLAIN not in page:
        fonts = [MATHEMATICS, ROOTS] if b'class="m-root"' in page else [MATHEMATICS]
    return [*fonts, ITALICS] if b"<em>" in page else fonts
