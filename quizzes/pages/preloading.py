"""Tells a browser at once that a page needs the font of the formulas.

Otherwise it finds out when it lays out the first formula, shows another font, and moves the text
when the right one comes.
"""

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse
from django.templatetags.static import static

FONT = "vendor/stix-two-math-2.12/stix-two-math-subset.woff2"


class FormulaFontMiddleware:
    """Name the font in a Link header of every page that holds a formula, and of no other."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        is_page = response.headers.get("Content-Type", "").startswith("text/html")
        if is_page and not response.streaming and b"<math" in response.content:
            response.headers["Link"] = (
                f"<{static(FONT)}>; rel=preload; as=font; type=font/woff2; crossorigin"
            )
        return response
