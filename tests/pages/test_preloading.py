"""The font of the formulas is named to a browser with each page that needs it, and no other."""

import pytest
from django.contrib.staticfiles import finders
from django.http import HttpResponse, StreamingHttpResponse
from django.test import RequestFactory

from quizzes.pages.mathematics import mathml
from quizzes.pages.preloading import FONT, FormulaFontMiddleware


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


@pytest.mark.parametrize(("formula", "named"), [(r"\sqrt{256}", True), (r"\sqrt{\frac 12}", False)])
def test_a_root_of_one_line_has_a_font_of_its_own(formula, named):
    page = HttpResponse(mathml(formula, display=False))
    response = FormulaFontMiddleware(lambda _: page)(RequestFactory().get("/"))
    assert ("radical.woff2" in response.headers["Link"]) == named


def test_the_font_is_the_one_that_the_style_asks_for():
    """Another one would be fetched for nothing, and none at all is an error in production alone."""
    assert finders.find(FONT)
    with open(finders.find("css/pages.css"), encoding="utf-8") as style:
        assert f'url("../{FONT}")' in style.read()
