"""The lab by keyboard alone, on a phone in the dark: a program, its pictures, the explorer."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.accessible import AXE_SCRIPT, serious_findings
from tests.browser import PageErrors, press_until_focused, sideways_scroll
from tests.whole_site import Site

pytestmark = [pytest.mark.slow, pytest.mark.sandbox, pytest.mark.browser]

RUN_MS = 60_000
PHONE = {"viewport": {"width": 390, "height": 844}, "color_scheme": "dark"}


def test_keyboard_leads_from_code_to_explorer(
    site: Site, new_page: Callable[..., Page], page_errors: PageErrors
) -> None:
    page_errors.allow("status of 429")  # a fast machine is at its end within a second: sent again
    page = new_page(**PHONE)
    page.goto(f"{site.url}/lab/?start=random")
    press_until_focused(page, "#id_n")
    page.keyboard.type("40")
    page.keyboard.press("Enter")
    expect(page.locator("#figure-reach")).to_be_attached(timeout=RUN_MS)
    expect(page.locator("#result")).to_contain_text("f(40, 32)")
    expect(page.locator("#figure-shift")).to_contain_text("A shift changes the scores")
    assert sideways_scroll(page) <= 0
    assert page.evaluate("document.activeElement.id") == "result"
    press_until_focused(page, "#hand-n")
    page.keyboard.press("ArrowRight")  # among the sizes that have come
    expect(page.locator("#figure-heatmap")).to_contain_text("41 positions", timeout=RUN_MS)
    page.keyboard.press("End")  # beyond them: the code runs again
    expect(page.locator("#figure-heatmap")).to_contain_text("256 positions", timeout=RUN_MS)
    expect(page.locator("#hand-n")).to_be_focused()
    page.evaluate(AXE_SCRIPT)
    assert serious_findings(page) == []
    press_until_focused(page, "#result a.button")
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="Yours")).to_be_visible()
    press_until_focused(page, ".explore__more > summary")
    page.keyboard.press("Enter")
    expect(page.get_by_role("link", name="Does a shift change the scores?")).to_be_visible()
    page.evaluate(AXE_SCRIPT)
    assert serious_findings(page) == []
