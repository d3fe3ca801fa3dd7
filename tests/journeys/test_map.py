"""The concept map in a real browser: by mouse, by keyboard, on a phone, without JavaScript."""

import re

import pytest
from playwright.sync_api import Page, expect

from tests.accessible import findings
from tests.browser import each, sideways_scroll
from tests.courses import at

pytestmark = pytest.mark.slow

TRANSFORM = "document.querySelector('.map__all').getAttribute('transform')"


def focused(page: Page) -> str:
    return str(page.evaluate("document.activeElement.dataset.concept ?? ''"))


def settled(page: Page) -> str:
    """Return where the drawing stands once it has stopped moving."""
    before, now = "", str(page.evaluate(TRANSFORM))
    while now != before:
        page.wait_for_timeout(250)
        before, now = now, str(page.evaluate(TRANSFORM))
    return now


def test_by_keyboard_from_concept_to_concept_and_into_a_lesson(site, page):
    page.goto(site.url + at("/map/"))
    for _ in range(30):
        page.keyboard.press("Tab")
        if focused(page):
            break
    first = focused(page)
    page.keyboard.press("ArrowDown")
    below = focused(page)
    assert below != first
    page.keyboard.press("ArrowUp")
    assert focused(page) == first
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    expect(page.locator(f"#{below}-title")).to_be_focused()
    assert page.url.endswith(f"?focus={below}")
    page.keyboard.press("Escape")
    assert focused(page) == below
    expect(page.locator(".map__details")).to_be_hidden()
    assert page.url.endswith(at("/map/"))
    page.keyboard.press("Enter")
    link = page.locator(f"#{below} .concept__places a").first
    link.focus()
    page.keyboard.press("Enter")
    expect(page).to_have_url(re.compile("/learn/"))


@pytest.mark.soak
def test_keys_buttons_wheel_and_drag_move_the_map(site, page):
    page.goto(site.url + at("/map/?focus=rope"))
    begun = settled(page)
    page.locator('a.node[data-concept="rope"]').focus()
    page.keyboard.press("+")
    closer = settled(page)
    assert closer != begun
    page.keyboard.press("0")
    whole = settled(page)
    page.get_by_role("button", name="Zoom in").click()
    assert settled(page) != whole
    page.locator("[data-map=whole]").click()
    assert settled(page) == whole
    stage = page.locator(".map__stage").bounding_box()
    page.mouse.move(stage["x"] + 40, stage["y"] + 300)
    page.keyboard.down("Control")  # alone, the wheel scrolls the page
    page.mouse.wheel(0, -400)
    page.keyboard.up("Control")
    wheeled = settled(page)
    assert wheeled != whole
    page.mouse.down()
    page.mouse.move(stage["x"] + 140, stage["y"] + 220, steps=5)
    page.mouse.up()
    assert settled(page) != wheeled


@pytest.mark.soak
def test_zoom_survives_a_lower_window(site, new_page):
    page = new_page(viewport={"width": 1600, "height": 1400})
    page.goto(site.url + at("/map/"))
    whole = settled(page)
    page.get_by_role("button", name="Zoom in").click()
    scale = settled(page).partition("scale")[2]
    assert not whole.endswith(scale)
    page.set_viewport_size({"width": 1600, "height": 1340})
    page.wait_for_timeout(300)
    assert settled(page).endswith(scale)


@pytest.mark.soak
def test_a_click_opens_the_details_and_the_address_lands_there_again(site, page):
    page.goto(site.url + at("/map/"))
    page.locator("a.node").nth(1).click()
    opened = page.locator(".concept:visible")
    expect(opened).to_have_count(1)
    name = opened.get_attribute("id")
    page.reload()
    expect(page.locator(f"#{name}")).to_be_visible()
    node, stage = (
        page.locator(where).bounding_box()
        for where in (f'a.node[data-concept="{name}"]', ".map__stage")
    )
    assert stage["x"] <= node["x"] <= stage["x"] + stage["width"]
    assert stage["y"] <= node["y"] <= stage["y"] + stage["height"]
    details = page.locator(".map__details").bounding_box()
    assert node["x"] + node["width"] <= details["x"]  # they lie over the map, not over their node
    page.get_by_role("link", name="Close").click()
    expect(opened).to_have_count(0)
    assert page.url.endswith(at("/map/"))


@pytest.mark.soak
def test_two_fingers_zoom_on_a_phone(site, new_page):
    page = new_page(viewport={"width": 390, "height": 844}, has_touch=True)
    page.goto(site.url + at("/map/?focus=rope"))
    before = settled(page)
    page.wait_for_timeout(500)  # the details of the concept glide into sight
    page.locator(".map__stage").scroll_into_view_if_needed()  # the families stand above it
    box = page.locator(".map__stage").bounding_box()
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    touch = page.context.new_cdp_session(page)

    def fingers(kind: str, apart: float) -> None:
        points = [{"x": x - apart, "y": y, "id": 0}, {"x": x + apart, "y": y, "id": 1}]
        touch.send(
            "Input.dispatchTouchEvent",
            {"type": kind, "touchPoints": points if kind != "touchEnd" else []},
        )

    fingers("touchStart", 30)
    for apart in (45, 60, 80):
        fingers("touchMove", apart)
    fingers("touchEnd", 80)
    scale = re.compile(r"scale\(([\d.]+)\)")
    assert float(scale.search(settled(page))[1]) > 1.5 * float(scale.search(before)[1])
    assert sideways_scroll(page) == 0


@pytest.mark.covering(most=1)
@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("path", [at("/map/?focus=rope"), at("/map/outline/")])
def test_axe_finds_nothing(site, new_page, path, scheme):
    page = new_page(color_scheme=scheme, viewport={"width": 390, "height": 844})
    page.goto(site.url + path)
    assert findings(page) == []
    assert sideways_scroll(page) == 0


def test_letters_are_readable_on_a_phone(site, new_page):
    page = new_page(viewport={"width": 390, "height": 844})
    page.goto(site.url + at("/map/"))
    settled(page)
    letters = page.locator("a.node text").first.bounding_box()
    assert letters["height"] >= 11


@pytest.mark.soak
def test_without_javascript_a_node_is_a_link_to_its_details(site, new_page):
    page = new_page(java_script_enabled=False)
    page.goto(site.url + at("/map/"))
    page.locator('a.node[data-concept="rope"]').click()
    expect(page.locator("#rope-title")).to_be_visible()
    page.locator("#rope").get_by_role("link", name="Turn, do not add").click()
    expect(page).to_have_url(re.compile("/learn/rope/"))


@pytest.mark.soak
def test_paper_has_the_whole_map_and_the_stage_its_part_again(site, page):
    page.goto(site.url + at("/map/"))
    page.get_by_role("button", name="Zoom in").click()
    moved = page.locator(".map__all").get_attribute("transform")
    page.emulate_media(media="print")
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    frame = page.locator(".map__drawing").bounding_box()
    assert frame is not None
    for node in each(page.locator("a.node rect")):
        box = node.bounding_box()
        assert box is not None
        assert frame["x"] - 1 <= box["x"]
        assert box["x"] + box["width"] <= frame["x"] + frame["width"] + 1
        assert box["y"] + box["height"] <= frame["y"] + frame["height"] + 1
    page.evaluate("dispatchEvent(new Event('afterprint'))")
    assert page.locator(".map__all").get_attribute("transform") == moved
