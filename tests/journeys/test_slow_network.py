"""A lesson over a slow line: read at once, answered without a reload, a slider that keeps up."""

import pytest
from playwright.sync_api import Page, expect

from tests.courses import at

pytestmark = pytest.mark.slow

STEP = at("/learn/sinusoidal-values/seeing-it/")
LINE = {"offline": False, "latency": 200, "downloadThroughput": 150_000, "uploadThroughput": 50_000}
PRESSES = 12


def slow(page: Page) -> None:
    """Give the page's network 0.2 s of delay and 150 KB/s, as a phone on the road has."""
    line = page.context.new_cdp_session(page)
    line.send("Network.enable")
    line.send("Network.emulateNetworkConditions", LINE)


def test_a_lesson_is_read_answered_and_moved_over_a_slow_line(site, new_page):
    page = new_page(cold=True)
    slow(page)
    page.goto(site.url + STEP, wait_until="commit")
    expect(page.get_by_role("heading", level=1)).to_have_text("Seeing it")
    picture = page.locator("#figure-codes img")
    expect(picture).to_be_visible()  # it came with the page

    card = page.locator(".inline-question").first
    page.wait_for_load_state("domcontentloaded")
    page.evaluate("window.stillHere = true")
    card.get_by_role("radio").first.check()
    card.get_by_role("button", name="Answer").click()  # what sends it has not arrived yet
    expect(page.locator(".inline-question").first).to_contain_text("Your answer")
    assert page.evaluate("window.stillHere")

    asked = []
    page.on("request", lambda one: asked.append(one.url) if "heatmap.json" in one.url else None)
    slider = page.locator("#figure-codes").get_by_role("slider", name="d_model")
    slider.focus()
    for _ in range(PRESSES):
        slider.press("ArrowRight")
    number = page.locator("#figure-codes .slider__value").first
    assert number.inner_text() == str(50 + PRESSES), "it waits for the picture"
    title = page.locator("#figure-codes [data-part=subtitle]")
    expect(title).to_contain_text(f"{50 + PRESSES} dimensions")
    assert len(asked) < PRESSES, "a value that was passed over was asked for"
