"""The style sheet of instructors' pages in a browser: marks, curves, small windows, paper."""

import re
from typing import Any

import pytest
from django.db import transaction
from django.template.loader import render_to_string
from playwright.sync_api import Page

from quizzes.classes.week.day_counts import DayCount
from quizzes.config.style_bundle import bundle_text
from quizzes.teaching.week.curve import curve_of
from tests.classes.pages import teach_class
from tests.databases import ROOT
from tests.factories import (
    assign,
    browser_of,
    create_class,
    create_member,
    create_members,
    create_quiz,
)

WIDE, ZOOMED = {"width": 1280, "height": 800}, {"width": 320, "height": 180}  # 400 %
STYLE = "(element, name) => getComputedStyle(element).getPropertyValue(name)"


def show(page: Page, html: str) -> None:
    """Show HTML with the styles of instructors' pages and without scripts."""
    html = re.sub(r"<link[^>]*stylesheet[^>]*>|<script.*?</script>", "", html, flags=re.DOTALL)
    own = (ROOT / "static/css" / f"{name}.css" for name in ("teaching", "teaching_frame"))
    styles = bundle_text() + "".join(path.read_text() for path in own)
    page.set_content(html.replace("</head>", f"<style>{styles}</style></head>"))


def style(page: Page, selector: str, name: str) -> str:
    return str(page.locator(selector).first.evaluate(f"element => ({STYLE})(element, '{name}')"))


@pytest.fixture(scope="module")
def marks(django_db_setup: None, django_db_blocker: Any) -> str:
    """The page of marks of a class of 40 with 14 quizzes, of which nothing is stored."""
    with django_db_blocker.unblock(), transaction.atomic():
        cohort = create_class()
        create_members(cohort, range(40))
        for number in range(14):
            assign(cohort, create_quiz(f"a-quiz-of-number-{number}"))
        teacher = browser_of(create_member(cohort, "teacher", role="instructor").user)
        page = teacher.get(teach_class("marks/")).content.decode()
        transaction.set_rollback(True)
    return str(page)


def test_head_of_marks_stays_with_its_border(new_page, marks) -> None:
    page = new_page(viewport=WIDE)
    show(page, marks)
    region = page.locator(".marks-scroll")
    assert style(page, ".marks", "border-collapse") == "separate"
    small = page.evaluate(
        "() => { const line = document.body.appendChild(document.createElement('p'));"
        " line.style.fontSize = 'var(--size-small)'; return getComputedStyle(line).fontSize }"
    )
    assert style(page, ".marks", "font-size") == small
    tops = "region => [region, region.querySelector('thead th')]" + (
        ".map(element => element.getBoundingClientRect().top)"
    )
    region.evaluate("region => region.scrollTo(0, 300)")
    assert region.evaluate("region => region.scrollTop") == 300
    of_region, of_head = region.evaluate(tops)
    assert of_head == of_region
    assert style(page, ".marks thead th", "border-bottom-width") == "2px"


def test_marks_are_cards_at_400_percent(new_page, marks) -> None:
    """A member is a line; opened, no mark is off the screen, and each has its assignment's name."""
    page = new_page(viewport=ZOOMED)
    show(page, marks)
    region, member = page.locator(".marks-scroll"), page.locator(".marks tbody tr").nth(20)
    assert not member.locator("td").nth(1).is_visible()
    member.locator("summary").click()
    assert member.locator("td").nth(14).is_visible()
    for length in ("Height", "Width"):
        assert region.evaluate(f"region => region.scroll{length} - region.client{length}") <= 1
    names = member.locator("td").evaluate_all(
        "cells => cells.map(cell => getComputedStyle(cell, '::before').content)"
    )
    assert names[1:] == [f'"A-quiz-of-number-{number} of 10.00"' for number in range(14)]


def test_marks_are_printed_whole(new_page, marks) -> None:
    page = new_page(viewport=WIDE)
    page.emulate_media(media="print")
    show(page, marks)
    assert style(page, ".marks-scroll", "max-height") == "none"
    assert style(page, ".marks-scroll", "overflow-x") == "visible"
    for part in ("thead th:first-child", "thead th:nth-child(3)", "tbody th"):
        assert style(page, f".marks {part}", "position") == "static"


def test_lines_differ_without_colour(new_page) -> None:
    """On paper and in forced colours keys keep their borders, which backgrounds do not."""
    days = [DayCount(2 * day, day - 1) for day in (1, 2, 3)]
    keys = '<span class="key">Made</span> <span class="key key--past">Past</span>'
    curve = render_to_string("teaching/week/_curve.html", {"curve": curve_of(days)})
    page = new_page()
    show(page, f"<html><head></head><body>{keys}{curve}</body></html>")
    for media in ({"media": "print"}, {"media": "screen", "forced_colors": "active"}):
        page.emulate_media(**media)
        borders = page.locator(".key").evaluate_all(
            "keys => keys.map(key => getComputedStyle(key, '::before').borderTop.split(' ')[1])"
        )
        assert borders == ["solid", "dashed"]
        dashes = [
            style(page, f"polyline.curve__{line}", "stroke-dasharray")
            for line in ("concerned", "past")
        ]
        assert dashes[0] == "none" != dashes[1]
    drawn = {style(page, f"polyline.curve__{line}", "stroke") for line in ("concerned", "past")}
    assert drawn == {style(page, "body", "color")}


CELLS = """<table class="table"><tbody><tr><th scope="row"><a href="#">Two lines here</a></th>
<td>24 of 24</td><td><label class="check"><input type="checkbox"><span>Ada</span></label></td>
</tr></tbody></table><style>.table th { inline-size: 4rem }</style>"""
PARTS = "a, td:not(:has(label)), label span"
BASELINES = """(parts) => [...document.querySelectorAll(parts)].map((part) => {
  const range = document.createRange();
  range.selectNodeContents(part);
  return Math.round(range.getClientRects()[0].bottom);
})"""


def test_cells_stand_on_their_first_line(new_page) -> None:
    page = new_page()
    show(page, f"<!DOCTYPE html><html><head></head><body>{CELLS}</body></html>")
    assert page.locator("a").evaluate("link => link.getClientRects()[0].height") > 40
    lines = page.evaluate(BASELINES, PARTS)
    assert max(lines) - min(lines) <= 1


def test_shadow_shows_where_columns_follow(new_page, marks) -> None:
    page = new_page(viewport=WIDE)
    show(page, marks)
    region = page.locator(".marks-scroll")
    shadow = "region => Number(getComputedStyle(region, '::after').opacity)"
    assert region.evaluate(shadow) == 1
    region.evaluate("region => region.scrollTo(region.scrollWidth, 0)")
    page.wait_for_function(
        "() => getComputedStyle(document.querySelector('.marks-scroll'), '::after').opacity < 0.05"
    )
