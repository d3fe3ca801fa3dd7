"""A learner's numbers on a figure, in a real browser: drawn, dragged, read by keys, on a phone."""

import re
from collections.abc import Callable

import numpy as np
import pytest
from playwright.sync_api import Page, expect

from tests.accessible import AXE_SCRIPT, serious_findings
from tests.browser import each, sideways_scroll
from tests.shipped_exercises.folders import definition_of
from tests.whole_site import Site

pytestmark = [pytest.mark.slow, pytest.mark.sandbox, pytest.mark.browser]

RUN_MS = 60_000
TABLE = "/c/positional-encodings/exercises/sinusoidal-table/"
PHONE = {"viewport": {"width": 390, "height": 844}, "color_scheme": "dark"}
WORDS, LAYERS = "#code-figure-words", ".code-figure__layer"
REFERENCE = definition_of("sinusoidal-table").reference
# Right numbers, a tenth too large.
CODE = f"{REFERENCE}\n_right = sinusoidal_table\n" + (
    "def sinusoidal_table(n, d, base=10000.0):\n    return _right(n, d, base) + 0.1\n"
)


def write(page: Page, code: str) -> None:
    page.wait_for_selector(".cm-editor", state="attached")
    page.evaluate(
        "code => document.querySelector('#id_code').dispatchEvent("
        "new CustomEvent('replace', { detail: { text: code, message: '' } }))",
        code,
    )


def open_figure(page: Page, address: str, code: str = CODE) -> None:
    page.goto(address)
    write(page, code)
    page.get_by_role("button", name="See it on the figure").click()
    expect(page.locator(WORDS)).to_contain_text("positions = 24.", timeout=RUN_MS)
    expect(page.locator(f"{LAYERS}:not([hidden])")).to_have_count(3)


def slide(page: Page, name: str, value: str) -> None:
    page.locator(f"#figure-{name}").evaluate(
        "(slider, value) => { slider.value = value;"
        " slider.dispatchEvent(new Event('input', { bubbles: true })); }",
        value,
    )


def test_drag_draws_without_another_run(site: Site, page: Page) -> None:
    """All places of the slider came at once; the digits are those of the numbers."""
    open_figure(page, f"{site.url}{TABLE}")
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    for value in ("2", "17", "32"):
        slide(page, "positions", value)
        expect(page.locator(WORDS)).to_contain_text(f"positions = {value}. Largest difference")
    assert [address for address in asked if "/figure/" in address] == []
    yours, _, difference = each(page.locator(f"{LAYERS} .live__cursor"))
    yours.focus()
    for key in ("ArrowDown", "ArrowRight"):
        page.keyboard.press(key)
    box = page.locator(f"{LAYERS} .live__readout").first
    expect(box).to_have_text(f"position 1, dimension 1: +{np.cos(1.0) + 0.1:.4f}")
    difference.focus()
    page.keyboard.press("ArrowDown")
    last = page.locator(f"{LAYERS} .live__readout").last
    expect(last).to_have_text("position 1, dimension 0: +0.1000")


def test_other_slider_asks_once_for_its_places(site: Site, page: Page) -> None:
    """Another code makes the pictures old; a sentence says so."""
    open_figure(page, f"{site.url}{TABLE}")
    ran: list[str] = []
    page.on("response", lambda response: ran.append(f"{response.status} {response.url}"))
    slide(page, "d_model", "32")
    expect(page.locator(WORDS)).to_contain_text("d_model = 32.", timeout=RUN_MS)
    slide(page, "d_model", "9")
    expect(page.locator(WORDS)).to_contain_text("d_model = 9.")
    assert sum(one.startswith("200") and one.endswith("/figure/") for one in ran) == 1
    write(page, "def sinusoidal_table(n, d, base):\n    return [1, 2][n]\n")
    expect(page.locator(WORDS)).to_contain_text("earlier version of your code")
    page.get_by_role("button", name="See it on the figure").click()
    expect(page.locator(WORDS)).to_contain_text("IndexError in line 2", timeout=RUN_MS)
    expect(page.locator(f"{LAYERS} .live__stage").first).to_be_hidden()
    write(page, REFERENCE)
    page.get_by_role("button", name="See it on the figure").click()
    expect(page.locator(WORDS)).to_contain_text("No difference.", timeout=RUN_MS)


def test_figure_on_a_phone_in_the_dark(site: Site, new_page: Callable[..., Page]) -> None:
    page = new_page(**PHONE)
    open_figure(page, f"{site.url}{TABLE}")
    assert sideways_scroll(page) <= 0
    page.evaluate(AXE_SCRIPT)
    assert serious_findings(page) == []


def test_figure_without_scripts_is_a_strip(site: Site, new_page: Callable[..., Page]) -> None:
    page = new_page(java_script_enabled=False)
    page.goto(f"{site.url}{TABLE}")
    page.locator("#id_code").fill(CODE)
    page.get_by_role("button", name="See it on the figure").click()
    expect(page).to_have_url(re.compile(r"/figure/\d+/$"))
    for _ in range(60):
        if page.locator("img").count():
            break
        page.wait_for_timeout(1000)
        page.reload()
    assert page.locator("img").count() == 21
    expect(page.get_by_text("Largest difference +0.1000").first).to_be_visible()
    page.get_by_role("link", name="Back to the code").click()
    assert "_right = sinusoidal_table" in page.locator("#id_code").input_value()
