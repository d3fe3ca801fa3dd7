"""The search dialog, by keyboard, and the cards of the glossary, by pointer, keys and touch."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect
from pytest_django.live_server_helper import LiveServer

from tests.courses import at

pytestmark = [pytest.mark.slow, pytest.mark.usefixtures("course")]


def test_the_slash_opens_the_dialog_and_enter_follows(page: Page, live_server: LiveServer) -> None:
    page.goto(live_server.url + at("/learn/"))
    page.keyboard.press("/")
    field = page.get_by_role("combobox", name="Search this course")
    expect(field).to_be_focused()
    page.keyboard.type("alibi slopes")
    options = page.get_by_role("option")
    expect(options.first).to_have_attribute("aria-selected", "true")
    page.keyboard.press("ArrowDown")
    second = options.nth(1)
    expect(second).to_have_attribute("aria-selected", "true")
    assert field.get_attribute("aria-activedescendant") == second.get_attribute("id")
    wanted = second.get_attribute("href")
    page.keyboard.press("Enter")
    page.wait_for_url(f"**{wanted}")


@pytest.mark.soak
def test_escape_closes_it_and_a_field_keeps_its_slash(page: Page, live_server: LiveServer) -> None:
    page.goto(live_server.url + at("/learn/"))
    page.keyboard.press("/")
    expect(page.get_by_role("dialog", name="Search")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog", name="Search")).to_be_hidden()
    page.goto(live_server.url + at("/search/"))
    page.locator("#search-words").press("/")
    expect(page.get_by_role("dialog", name="Search")).to_be_hidden()
    expect(page.locator("#search-words")).to_have_value("/")


def test_a_term_shows_its_card_by_pointer_and_keys(page: Page, live_server: LiveServer) -> None:
    page.goto(live_server.url + at("/learn/alibi/penalty/"))
    term = page.locator(".term").first
    card = page.locator(f"#card-{term.get_attribute('data-term')}")
    term.hover()
    expect(card).to_be_visible()
    card.hover()
    page.wait_for_timeout(400)
    expect(card).to_be_visible()
    page.keyboard.press("Escape")
    expect(card).to_be_hidden()
    page.mouse.move(0, 0)
    term.focus()
    expect(card).to_be_visible()
    page.keyboard.press("Escape")
    expect(card).to_be_hidden()
    expect(term).to_be_focused()


@pytest.mark.soak
@pytest.mark.parametrize("width", [320, 390])
def test_a_tap_shows_the_card_within_the_screen(
    new_page: Callable[..., Page], live_server: LiveServer, width: int
) -> None:
    page = new_page(viewport={"width": width, "height": 800}, has_touch=True)
    page.goto(live_server.url + at("/learn/alibi/penalty/"))
    term = page.locator(".term").first
    term.tap()
    card = page.locator(f"#card-{term.get_attribute('data-term')}")
    expect(card).to_be_visible()
    box = card.bounding_box()
    assert box is not None
    assert box["x"] >= 0
    assert box["x"] + box["width"] <= width
    assert page.url.endswith("/penalty/")


@pytest.mark.soak
def test_a_phone_has_the_outline_first_and_a_tap_brings_the_concept_into_sight(
    new_page: Callable[..., Page], live_server: LiveServer
) -> None:
    page = new_page(viewport={"width": 390, "height": 844}, has_touch=True)
    page.goto(live_server.url + at("/map/"))
    page.locator(".map__family summary").nth(2).tap()
    page.locator(".map__outline a[data-concept=rope]").tap()
    title = page.locator("#rope-title")
    expect(title).to_be_in_viewport()
    assert page.locator(".map__drawing").evaluate("one => getComputedStyle(one).touchAction") in {
        "pan-x pan-y",
        "pan-y pan-x",
    }


@pytest.mark.soak
def test_no_letter_of_a_node_is_below_fourteen_pixels(
    new_page: Callable[..., Page], live_server: LiveServer
) -> None:
    for width in (390, 1440):
        page = new_page(viewport={"width": width, "height": 900})
        page.goto(live_server.url + at("/map/"))
        page.locator("[data-map=whole]").click()
        page.wait_for_timeout(400)
        sizes = page.locator(".node text").evaluate_all(
            "all => all.map((one) => parseFloat(getComputedStyle(one).fontSize)"
            " * one.getScreenCTM().a)"
        )
        assert min(sizes) >= 13.99
