"""Fonts of formulas and italics are named to a browser with the pages that need them."""

import re
from pathlib import Path

import pytest
from django.conf import settings
from django.contrib.staticfiles import finders
from django.http import HttpResponse, StreamingHttpResponse

from quizzes.pages.font_preloads import name_fonts
from quizzes.pages.mathematics import mathml


@pytest.mark.parametrize(
    ("answer", "named"),
    [
        (HttpResponse("<p><math><mi>x</mi></math></p>"), True),
        (HttpResponse("<p>no <em>formula</em></p>"), False),
        (HttpResponse("<p>nothing</p>"), False),
        (HttpResponse("<div data-plain-mathematics><math></math></div>"), False),
        (HttpResponse('<p>token</p><div class="term-card" hidden><math></math></div>'), False),
        (HttpResponse("<math></math>", content_type="application/json"), False),
        (StreamingHttpResponse([b"<math></math>"]), False),
    ],
)
def test_pages_with_a_formula_ask_for_its_font_first(answer, named):
    name_fonts(answer)
    link = answer.headers.get("Link", "")
    assert ("stix-two-math" in link and "as=font" in link and "crossorigin" in link) == named


@pytest.mark.parametrize(("formula", "named"), [(r"\sqrt{256}", True), (r"\sqrt{\frac 12}", False)])
def test_a_root_of_one_line_has_a_font_of_its_own(formula, named):
    page = HttpResponse(mathml(formula, display=False))
    name_fonts(page)
    assert ("radical.woff2" in page.headers["Link"]) == named


def test_italics_are_asked_for_where_there_are_some():
    page = HttpResponse("<em>so</em>")
    name_fonts(page)
    assert "italic.woff2" in page.headers["Link"]


@pytest.mark.parametrize(("read", "named"), [("", False), (" data-read", True)])
def test_screen_not_shown_yet_asks_for_no_font(read, named):
    page = HttpResponse(
        f'<div class="step__body"{read}><div aria-label="Part 1 of 2">One</div>'
        '<div aria-label="Part 2 of 2"><em>two</em></div></div>'
    )
    name_fonts(page)
    assert ("italic.woff2" in page.headers.get("Link", "")) is named


def test_the_fonts_named_are_those_that_the_style_asks_for():
    """Another one would be fetched for nothing, and none at all is an error in production alone."""
    page = HttpResponse('<em><math class="m-root"></math></em>')
    name_fonts(page)
    link = page.headers["Link"]
    sheets = [finders.find(f"css/{name}.css") for name in ("pages", "tokens")]
    style = "".join(Path(sheet).read_text(encoding="utf-8") for sheet in sheets)
    for font in re.findall(rf"<{settings.STATIC_URL}([^>]+)>", link):
        assert finders.find(font), font
        assert f'url("../{font}")' in style
    assert link.count(".woff2>") == 3
