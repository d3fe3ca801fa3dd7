"""The explorer as it is used: by keyboard, without a script, on a phone, shared."""

import re
from collections.abc import Callable
from dataclasses import replace

import posenc.catalog  # noqa: F401  (fills the registry)
import pytest
from playwright.sync_api import Locator, Page, expect
from posenc.registry import REGISTRY
from pytest_django.live_server_helper import LiveServer

from quizzes.lessons import explorer_view
from tests.accessible import serious_findings
from tests.browser import PageErrors, sideways_scroll

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.browser]


def subtitle(page: Page, figure: str) -> Locator:
    return page.locator(f"#figure-{figure} [data-part=subtitle]")


def test_learner_compares_slides_shares_and_goes_back(
    page: Page, new_page: Callable[..., Page], live_server: LiveServer
) -> None:
    page.goto(f"{live_server.url}/explore/")
    page.get_by_role("navigation", name="Encodings").get_by_role("link", name="RoPE").first.click()
    views = "&".join(f"enc=rope/{view}" for view in ("scores", "turns", "arcs", "padded", "packed"))
    page.wait_for_url(f"**/explore/?{views}")
    page.get_by_label("base", exact=True).focus()
    page.keyboard.press("ArrowRight")
    for figure in "abc":  # what has a base of its own in its subtitle
        expect(subtitle(page, figure)).not_to_contain_text("base 10\u202f000")
    base = page.locator("#all-base").get_attribute("aria-valuetext")
    page.get_by_role("link", name="Compare xPos").press("Enter")
    page.wait_for_url(re.compile(r"enc=rope/scores&enc=xpos/scores&a\.base="))
    for figure in "ab":
        expect(subtitle(page, figure)).to_contain_text(f"base {base}")
    page.locator("#all-head_dim").press("ArrowRight")
    for figure in "ab":
        expect(subtitle(page, figure)).not_to_contain_text("head_dim 64")
    page.wait_for_url(re.compile(r"(a\.head_dim=.*b|b\.head_dim=.*a)\.head_dim="))
    friend = new_page()
    friend.goto(page.url)
    expect(subtitle(friend, "b")).to_have_text(subtitle(page, "b").inner_text())
    page.go_back()
    page.wait_for_url(re.compile(r"enc=rope/packed&a\.base="))
    expect(subtitle(page, "c")).to_contain_text(f"base {base}")


def test_shift_click_compares_in_the_same_window(page: Page, live_server: LiveServer) -> None:
    page.goto(f"{live_server.url}/explore/?enc=rope/scores")
    page.locator("#a-base").press("ArrowRight")
    expect(subtitle(page, "a")).not_to_contain_text("base 10\u202f000")
    page.locator(".encoding__open", has_text="xPos").click(modifiers=["Shift"])
    page.wait_for_url(re.compile(r"enc=rope/scores&enc=xpos/scores&a\.base=(\d+)&b\.base=\1"))
    assert len(page.context.pages) == 1
    page.get_by_role("link", name="Close Rotary").click()
    page.wait_for_url(re.compile(r"\?enc=xpos/scores&a\.base="))


@pytest.mark.parametrize("window", [390, pytest.param(1280, marks=pytest.mark.soak)])
def test_rail_of_24_encodings_keeps_the_page(
    new_page: Callable[..., Page],
    live_server: LiveServer,
    monkeypatch: pytest.MonkeyPatch,
    window: int,
) -> None:
    more = {f"more{n}": replace(REGISTRY["kerple"], slug=f"more{n}") for n in range(10)}
    monkeypatch.setattr(explorer_view, "REGISTRY", {**REGISTRY, **more})
    page = new_page(viewport={"width": window, "height": 800})
    page.goto(f"{live_server.url}/explore/?enc=nope/equal-tokens")
    rail = page.get_by_role("navigation", name="Encodings")
    expect(rail.locator(".encoding__open")).to_have_count(24)
    expect(rail.locator("[aria-current]")).to_be_in_viewport(ratio=0.95)
    box = rail.bounding_box()
    assert box is not None
    assert box["height"] <= 800
    assert sideways_scroll(page) == 0


@pytest.mark.soak
def test_a_look_is_two_clicks_from_a_second(page: Page, live_server: LiveServer) -> None:
    page.goto(f"{live_server.url}/explore/")
    looks = page.get_by_role("navigation", name="Worth a look").get_by_role("link")
    for number in range(looks.count()):
        looks.nth(number).click()
        expect(looks.nth(number)).to_have_attribute("aria-current", "true")


@pytest.mark.soak
def test_without_a_script(new_page: Callable[..., Page], live_server: LiveServer) -> None:
    page = new_page(java_script_enabled=False)
    page.goto(f"{live_server.url}/explore/?enc=rope/scores")
    page.get_by_role("link", name="Compare xPos").click()
    expect(page.locator("figure.live")).to_have_count(2)
    page.locator("#all-base").fill("2")
    page.locator("[data-shared]").get_by_role("button", name="Redraw").click()
    page.wait_for_url(re.compile(r"a\.base=100&b\.base=100$"))
    page.locator("#b-gamma").fill("0.8")
    page.locator("#figure-b").get_by_role("button", name="Redraw").click()
    page.wait_for_url(re.compile(r"a\.base=100&b\.base=100&b\.gamma=0\.8#figure-b$"))
    page.get_by_role("link", name="Close xPos").click()
    expect(page.locator("figure.live")).to_have_count(1)


# Of the pictures of a grid: the columns they stand in, their widths, and the size of their letters.
GRID = """() => {
  const boxes = [...document.querySelectorAll(".live__canvas :is(img, .live__stage)")]
    .map((picture) => picture.getBoundingClientRect());
  const widths = boxes.map(({ width }) => width);
  return {
    columns: new Set(boxes.map(({ left }) => Math.round(left))).size,
    letters: Math.min(...widths) / 360 * 12,
    widths,
  };
}"""
GAP = 16  # px between two columns


@pytest.mark.parametrize(
    ("window", "columns"),
    [
        (390, 1),
        pytest.param(1280, 2, marks=pytest.mark.soak),
        (1440, 3),
        pytest.param(1920, 3, marks=pytest.mark.soak),
    ],
)
def test_grid_has_pictures_with_readable_letters(
    new_page: Callable[..., Page], live_server: LiveServer, window: int, columns: int
) -> None:
    page = new_page(viewport={"width": window, "height": 900})
    page.goto(f"{live_server.url}/explore/?enc=rope/scores&enc=rope/turns&enc=rope/arcs")
    expect(page.locator("[data-figure]:not(.live--on)")).to_have_count(0)
    grid = page.evaluate(GRID)
    assert grid["columns"] == columns
    room = page.locator(".explore__pictures").bounding_box()
    assert room is not None
    column = (room["width"] - GAP * (columns - 1)) / columns
    assert all(0.95 * column <= width <= column + 1 for width in grid["widths"])
    assert grid["letters"] >= (12 if window > 400 else 11.9)
    assert sideways_scroll(page) == 0


@pytest.mark.soak
@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [320, 390, 1280])
@pytest.mark.parametrize(
    "query",
    [
        "",
        "?enc=nope/compare",
        "?enc=rope/scores&enc=alibi/biases&enc=shaw/lookup",
        "?enc=rope/scores&enc=rope/turns&enc=rope/arcs&enc=alibi/penalties&enc=alibi/slopes",
    ],
)
def test_accessible_not_wider_than_the_screen_and_begins_with_a_picture(
    new_page: Callable[..., Page], live_server: LiveServer, scheme: str, width: int, query: str
) -> None:
    page = new_page(color_scheme=scheme, viewport={"width": width, "height": 800})
    page.goto(f"{live_server.url}/explore/{query}")
    picture = page.locator(".live__canvas").first.bounding_box()
    assert picture is not None
    assert picture["y"] <= 640 or width == 320
    assert serious_findings(page) == []
    assert sideways_scroll(page) == 0


@pytest.mark.soak
def test_faults_stand_where_they_belong(
    page: Page, page_errors: PageErrors, live_server: LiveServer
) -> None:
    page_errors.allow("400")
    page.goto(f"{live_server.url}/explore/?enc=alibi/slopes&a.n_heads=99&z.q=1")
    expect(page.get_by_role("alert")).to_contain_text("z.q=1: this page has no figure")
    expect(page.locator("#a-n_heads-error")).to_have_text("n_heads=99: must be between 1 and 32")
    assert serious_findings(page) == []
