"""The font of the formulas is named to a browser with each page that needs it, and no other."""

import re
from pathlib import Path

import pytest
from django.conf import settings
from django.contrib.staticfiles import finders
from django.http import HttpResponse, StreamingHttpResponse
from django.test import RequestFactory

from quizzes.pages.preloading import FormulaFontMiddleware


@pytest.mark.parametrize(
    ("answer", "named"),
    [
        (HttpResponse("<p><math><mi>x</mi></math></p>"), True),
        (HttpResponse("<p>no formula</p>"), False),
        (HttpResponse("<math></math>", content_type="application/json"), False),
        (StreamingHttpResponse([b"<math></math>"]), False),
    ],
)
def test_pages_with_a_formula_ask_for_its_font_first(answer, named):
    response = FormulaFontMiddleware(lambda _: answer)(RequestFactory().get("/"))
    link = response.headers.get("Link", "")
    assert ("stix-two-math" in link and "as=font" in link and "crossorigin" in link) == named


def test_the_fonts_named_are_those_that_the_style_asks_for():
    """Another one would be fetched for nothing, and none at all is an error in production alone."""
    page = HttpResponse('<math class="m-root"></math>')
    link = FormulaFontMiddleware(lambda _: page)(RequestFactory().get("/")).headers["Link"]
    style = Path(finders.find("css/pages.css")).read_text(encoding="utf-8")
    for font in re.findall(rf"<{settings.STATIC_URL}([^>]+)>", link):
        assert finders.find(font), font
        assert f'url("../{font}")' in style
    assert ".woff2>" in link
