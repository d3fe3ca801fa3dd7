"""A config.json pasted: by keyboard on a phone in the dark, and without scripts."""

import json
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.accessible import AXE_SCRIPT, serious_findings
from tests.browser import press_until_focused, sideways_scroll
from tests.posenc.configs.data import RELEASED
from tests.whole_site import Site

pytestmark = [pytest.mark.slow, pytest.mark.browser]

PHONE = {"viewport": {"width": 390, "height": 844}, "color_scheme": "dark"}
CONFIGS = {model["name"]: json.dumps(model["config"]) for model in RELEASED}


def test_keyboard_leads_from_a_config_to_a_position(
    site: Site, new_page: Callable[..., Page]
) -> None:
    page = new_page(**PHONE)
    page.goto(f"{site.url}/models/")
    assert sideways_scroll(page) <= 0
    page.evaluate(AXE_SCRIPT)
    assert serious_findings(page) == []
    press_until_focused(page, "#config")
    page.keyboard.insert_text(CONFIGS["SmolLM3-3B"])
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", level=1)).to_have_text(
        "9 of 36 layers have no position: 3, 7, 11, …, 35."
    )
    assert sideways_scroll(page) <= 0
    page.evaluate(AXE_SCRIPT)
    assert serious_findings(page) == []
    press_until_focused(page, "#figure-a-position input[type=range]")
    page.keyboard.press("Home")
    expect(page.locator("#figure-a-position [data-part=title]")).to_have_text(
        "Position 0: the hand of each pair"
    )


def test_without_scripts_a_position_has_its_page(site: Site, new_page: Callable[..., Page]) -> None:
    page = new_page(java_script_enabled=False)
    page.goto(f"{site.url}/models/")
    page.get_by_label("Paste a config.json").fill(CONFIGS["Gemma 3 1B"])
    page.get_by_role("button", name="Read it").click()
    figure = page.locator("#figure-b-position")
    figure.locator("input[type=range], input[type=number]").first.fill("7")
    figure.get_by_role("button", name="Redraw").click()
    expect(page.locator("#figure-b-position [data-part=title]")).to_have_text(
        "Position 7: the hand of each pair"
    )
    expect(page.locator("#figure-a-periods img")).to_be_visible()
