"""Endings, and the start page of somebody who comes back, as people see them."""

import pytest
from playwright.sync_api import Page, expect

from tests.accessible import findings
from tests.browser import sideways_scroll
from tests.courses import at
from tests.journeys.test_layout_shifts import MOST, WATCH

WIDTHS = [320, pytest.param(1280, marks=pytest.mark.soak)]
FILLED = "main a.button:not(.button--quiet)"


def read_a_step(page: Page, base: str) -> None:
    """Press the button at the end of a step without opening its screens."""
    page.goto(base + at("/learn/learned/"))
    with page.expect_navigation():
        page.locator(".step__next").evaluate("(form) => form.submit()")


@pytest.mark.slow
@pytest.mark.parametrize("width", WIDTHS)
def test_first_answer_is_remembered_without_a_shift(site, new_page, width):
    page = new_page(viewport={"width": width, "height": 844})
    page.goto(site.url)
    page.get_by_role("button", name="Yes, it can").click()
    expect(page.get_by_role("heading", name="Not quite:")).to_be_visible()
    read_a_step(page, site.url)
    page.add_init_script(WATCH)
    page.goto(site.url)
    said = page.get_by_text("You said “Yes, it can”. It cannot.")
    expect(said).to_be_visible()
    expect(page.get_by_role("button", name="Yes, it can")).to_be_hidden()
    page.wait_for_timeout(200)  # shifts are told after their frame
    assert sum(value for value, _ in page.evaluate("shifts")) < MOST, page.evaluate("shifts")
    assert findings(page) == []
    assert sideways_scroll(page) == 0
    said.get_by_role("link", name="See what attention does").click()
    expect(page.get_by_role("heading", name="Not quite:")).to_be_visible()


@pytest.mark.slow
def test_who_gave_no_answer_is_asked(site, page):
    read_a_step(page, site.url)
    page.goto(f"{site.url}/?notices=yes")  # somebody else's address is no answer
    page.goto(site.url)
    expect(page.get_by_role("heading", level=1)).to_have_text("Learned encodings, step 2")
    expect(page.locator(FILLED)).to_have_count(1)
    page.get_by_role("button", name="No, it cannot").click()
    expect(page.get_by_role("heading", name="Right:")).to_be_visible()
    expect(page.locator(FILLED)).to_have_count(1)


@pytest.mark.slow
@pytest.mark.parametrize("width", WIDTHS)
def test_missed_quiz_leads_to_the_step(site, new_page, width):
    page = new_page(viewport={"width": width, "height": 844})
    page.goto(site.url + at("/quiz/why-order-quiz/"))
    page.locator("main form button").first.click()
    page.locator("button[name=do][value=submit]").click()
    page.locator("button[value=submit-blank]").click()
    expect(page.get_by_role("heading", level=1)).to_contain_text("0 of")
    assert findings(page) == []
    assert sideways_scroll(page) == 0
    expect(page.locator(FILLED)).to_have_count(1)
    expect(page.locator("#next-thing a")).to_be_hidden()
    button = page.get_by_role("link", name="Read ·")
    expect(button).to_be_in_viewport()
    button.click()
    page.wait_for_url("**/learn/**")


@pytest.mark.slow
@pytest.mark.parametrize("width", WIDTHS)
def test_finished_lesson_shows_its_concepts(site, new_page, width):
    page = new_page(viewport={"width": width, "height": 844})
    read_a_step(page, site.url)
    for _ in range(20):
        if "finished=" in page.url:
            break
        with page.expect_navigation():
            page.locator(".step__next").evaluate("(form) => form.submit()")
    ending = page.locator(".ending")
    expect(ending.get_by_role("link", name="Learned encoding").first).to_be_visible()
    expect(ending.get_by_role("link", name="Next ·")).to_be_in_viewport()
    expect(page.locator("#next-thing a")).to_be_hidden()
    expect(page.locator(FILLED)).to_have_count(1)
    assert findings(page) == []
    assert sideways_scroll(page) == 0
