"""The font of the formulas is named to a browser with each page that needs it, and no other."""

import pytest
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
