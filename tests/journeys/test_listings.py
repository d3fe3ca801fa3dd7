"""Every listing of every course, run from its page to its printed output; then edited by keys."""

import re
from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Locator, Page, expect

from quizzes.worker.check_course import listings_of
from tests.accessible import AXE_SCRIPT, serious_findings
from tests.browser import each, sideways_scroll
from tests.content.lesson_text import lessons
from tests.course_folders import COURSES
from tests.whole_site import Site

pytestmark = [pytest.mark.slow, pytest.mark.sandbox, pytest.mark.browser]

RUN_MS = 60_000  # torch may have to start
A_SECOND_MS = 1_100  # between two Runs
REACH = "/c/positional-encodings/learn/alibi/reach/"
PHONE = {"viewport": {"width": 390, "height": 844}, "color_scheme": "dark"}


def steps() -> Iterator[object]:
    """Yield each step with a listing; the gate runs the first of each course."""
    for course in COURSES:
        addresses = [
            f"/c/{course.name}/learn/{lesson.slug}/{step.slug}/"
            for lesson in lessons(course)
            for step in lesson.steps_read
            if any(block.kind == "listing" for block in step.page.blocks)
        ]
        assert len(addresses) > 5
        for place, address in enumerate(addresses):
            yield pytest.param(address, marks=pytest.mark.soak if place else (), id=address)


def listings_on(page: Page, address: str) -> list[Locator]:
    page.goto(address)
    page.evaluate("location.hash = document.querySelectorAll('[data-screens] > *').length")
    page.wait_for_selector(".listing__tools [data-do=copy]:not([hidden])", state="attached")
    return each(page.locator(".listing"))


def run(listing: Locator) -> Locator:
    """Run it and return what is said of it in the end."""
    said = listing.locator(".listing__verdict").last
    listing.get_by_role("button", name="Run", exact=True).click()
    expect(listing.locator(".listing__result:not([aria-busy])")).to_be_attached(timeout=RUN_MS)
    expect(listing.locator("[data-ask]")).to_have_count(0, timeout=RUN_MS)
    expect(said).to_be_visible()
    return said


def test_there_are_listings_in_each_course() -> None:
    assert all(len(listings_of(lessons(course))) > 5 for course in COURSES)


@pytest.mark.torch
@pytest.mark.parametrize("address", [*steps()])
def test_listings_run_to_their_printed_output(site: Site, page: Page, address: str) -> None:
    for place, listing in enumerate(listings_on(page, f"{site.url}{address}")):
        if place:
            page.wait_for_timeout(A_SECOND_MS)
        expect(run(listing)).to_have_text(re.compile("the same output|prints nothing"))


def test_listing_is_edited_and_compared_by_keys(site: Site, new_page: Callable[..., Page]) -> None:
    """On a phone, in the dark; axe finds nothing and nothing is too wide."""
    page = new_page(**PHONE)
    listing = listings_on(page, f"{site.url}{REACH}")[0]
    listing.get_by_role("button", name="Edit", exact=True).focus()
    page.keyboard.press("Enter")
    field = listing.get_by_role("textbox")
    expect(field).to_be_focused()
    page.keyboard.press("ControlOrMeta+A")
    page.keyboard.insert_text("print('at distance  100: 0.4')\nprint('mine')\n1 / 0\n")
    page.keyboard.press("Control+Enter")
    expect(listing.locator(".listing__verdict")).to_contain_text(
        "ZeroDivisionError in line 3", timeout=RUN_MS
    )
    expect(listing.locator("ins")).to_contain_text("mine")
    page.keyboard.press("Tab")
    expect(listing.get_by_role("button", name="Run", exact=True)).to_be_focused()
    page.evaluate(AXE_SCRIPT)
    assert serious_findings(page) == []
    assert sideways_scroll(page) == 0
    page.wait_for_timeout(A_SECOND_MS)
    listing.get_by_role("button", name="Undo my changes").click()
    expect(listing.get_by_role("textbox")).to_have_count(0)
    expect(run(listing)).to_contain_text("the same output")


def test_call_is_run_by_keys(site: Site, page: Page) -> None:
    """Enter in the call, or Alt with Enter in the code. A loop stops, and the next one works."""
    page.goto(f"{site.url}/c/positional-encodings/exercises/sinusoidal-table/")
    page.locator(".cm-content").click()
    page.keyboard.press("ControlOrMeta+A")
    page.keyboard.insert_text("import time\nimport numpy as np\ndef f(n):\n    return np.eye(n)\n")
    call = page.get_by_label("Call", exact=True)
    call.fill("f(12)")
    call.press("Enter")
    result = page.locator("#verdict")
    expect(result).to_contain_text("an array of shape (12, 12), float64", timeout=RUN_MS)
    picture = result.locator("img")
    expect(picture).to_be_visible()
    assert picture.evaluate("image => image.complete && image.naturalWidth > 0")
    page.evaluate(AXE_SCRIPT)
    assert serious_findings(page) == []
    call.fill("[time.sleep(0.05) for _ in iter(int, 1)]")
    page.wait_for_timeout(A_SECOND_MS)
    page.locator(".cm-content").click()
    page.keyboard.press("Alt+Enter")
    expect(result).to_contain_text("the limit is 2 s", timeout=RUN_MS)
    call.fill("f(1)")
    call.press("Enter")
    expect(result).to_contain_text("shape (1, 1)", timeout=RUN_MS)
