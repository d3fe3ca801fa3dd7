"""Name the fonts that a page needs beside that of its text, so that browsers fetch them at once.

Otherwise a browser notices only when it lays out the first formula or the first word in italics,
shows another font, and moves the text when the right font comes.
"""

from django.http import HttpResponse
from django.http.response import HttpResponseBase
from django.templatetags.static import static

MATHEMATICS = "vendor/stix-two-math-2.12/stix-two-math-subset.woff2"
ROOTS = "vendor/stix-two-math-2.12/stix-two-math-radical.woff2"
ITALICS = "vendor/source-serif-4.004/source-serif-italic.woff2"
# On a page that has this, formulas are in the face of the text (pages.css): one line of them, in a
# card beside a figure, is not worth 94 kB before the page is seen.
PLAIN = b"data-plain-mathematics"
# The cards of the glossary stand at the end of a page, and are not seen before one is asked for.
CARDS = b'<div class="term-card"'
# Of a step in screens that was not read, a script shows the first alone: a font that only a later
# screen needs would be fetched before the page is seen, and browsers warn that nothing used it.
SECOND_SCREEN, IS_READ = b'aria-label="Part 2 of ', b'<div class="step__body" data-read'


def name_fonts(response: HttpResponseBase) -> None:
    """Name the fonts that a page uses in its Link header; no other answer has one."""
    is_page = response.headers.get("Content-Type", "").startswith("text/html")
    if is_page and isinstance(response, HttpResponse) and (fonts := _fonts_of(response.content)):
        response.headers["Link"] = ", ".join(
            f"<{static(font)}>; rel=preload; as=font; type=font/woff2; crossorigin"
            for font in fonts
        )


def _fonts_of(page: bytes) -> list[str]:
    """Return the fonts of a page's markup. A page has up to 100 KB: it is searched for little."""
    fonts = []
    page = page.partition(CARDS)[0]
    if IS_READ not in page:
        page = page.partition(SECOND_SCREEN)[0]
    if b"<math" in page and PLAIN not in page:
        fonts = [MATHEMATICS, ROOTS] if b'class="m-root"' in page else [MATHEMATICS]
    return [*fonts, ITALICS] if b"<em>" in page else fonts
