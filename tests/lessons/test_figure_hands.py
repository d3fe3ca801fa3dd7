"""Hands on a live figure: fingers that scroll past it, play buttons, figures that move together."""

import json
import re
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from playwright.sync_api import Page, Route, expect
from posenc.catalog.sinusoidal import Sinusoidal
from pytest_django.live_server_helper import LiveServer

from quizzes.content_files.files import DiskFiles
from quizzes.lessons.lesson_files import read_course, read_lessons
from quizzes.lessons.store import save_course, save_lesson
from tests.accessible import faint_text, serious_findings
from tests.browser import PageErrors, sideways_scroll
from tests.courses import at, some_course
from tests.lessons.course import FIGURE, write_course

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.browser]


SERVED = """
```figure
id: c
encoding: learned
view: similarity
```
"""
READING = r"position (\d+), dimension (\d+): ([+−]?[0-9.]+)"
READ = re.compile(r"^[a-z ]+ 0, [a-z ]+ 0: \+1\.0000$")


@pytest.fixture
def step(live_server: LiveServer, tmp_path: Path) -> str:
    """The address of a step with two figures of 4 positions, one without a cursor, and text."""
    text = FIGURE.format(id="a") + FIGURE.format(id="b") + SERVED + "\n\nWords.\n" * 60
    root = write_course(tmp_path, {"one": text, "two": "Words."})
    save_course(some_course(), read_course(DiskFiles(root))[0][0])
    save_lesson(some_course(), read_lessons(DiskFiles(root))[0][0])
    return live_server.url + at("/learn/first/one/")


def swipe(page: Page, x: float, y: float, *, across: float = 0, down: float = 0) -> None:
    """Put a finger down, move it in ten steps and lift it."""
    session = page.context.new_cdp_session(page)

    def touch(kind: str, part: float | None) -> None:
        at = [] if part is None else [{"x": x + across * part, "y": y + down * part}]
        session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": at})

    touch("touchStart", 0)
    for part in range(1, 11):
        touch("touchMove", part / 10)
        page.wait_for_timeout(16)
    touch("touchEnd", None)
    page.wait_for_timeout(300)


def test_a_finger_that_scrolls_past_changes_nothing(
    new_page: Callable[..., Page], step: str
) -> None:
    page = new_page(has_touch=True, viewport={"width": 390, "height": 700})
    page.goto(step)
    slider = page.locator("#a-d_model")
    slider.scroll_into_view_if_needed()
    for target in (slider, page.locator("#figure-a [data-part=canvas]")):
        before = page.evaluate("scrollY")
        box = target.bounding_box()
        assert box
        swipe(page, box["x"] + box["width"] * 0.8, box["y"] + box["height"] / 2, down=-150)
        assert page.evaluate("scrollY") > before + 50
        page.evaluate("scrollTo(0, 0)")
        slider.scroll_into_view_if_needed()
        assert slider.input_value() == "8"
        expect(page.locator("#figure-a [data-part=cursor-text]")).to_contain_text("position 1,")


def test_a_finger_that_moves_sideways_or_taps_sets_a_slider(
    new_page: Callable[..., Page], step: str
) -> None:
    page = new_page(has_touch=True, viewport={"width": 390, "height": 700})
    page.goto(step)
    slider = page.locator("#a-d_model")
    slider.scroll_into_view_if_needed()
    box = slider.bounding_box()
    assert box
    y = box["y"] + box["height"] / 2
    swipe(page, box["x"] + box["width"] * 0.5, y, across=60)
    dragged = int(slider.input_value())
    assert dragged > 8
    expect(page.locator("#figure-a [data-part=subtitle]")).to_contain_text(f"{dragged} dim")
    box = slider.bounding_box()
    assert box
    y = box["y"] + box["height"] / 2
    page.touchscreen.tap(box["x"] + box["width"] * 0.9, y)
    page.wait_for_timeout(200)
    assert int(slider.input_value()) > dragged
    expect(page.locator("#a-d_model-value")).to_have_text(slider.input_value())


@pytest.mark.soak
def test_a_tap_on_the_picture_chooses_a_cell(new_page: Callable[..., Page], step: str) -> None:
    page = new_page(has_touch=True, viewport={"width": 390, "height": 700})
    page.goto(step)
    box = page.locator("#figure-a [data-part=cursor]").bounding_box()
    assert box
    page.touchscreen.tap(box["x"] + box["width"] / 2, box["y"] + 20)
    expect(page.locator("#figure-a [data-part=cursor-text]")).to_contain_text("position 0,")


def test_play_moves_a_slider_until_a_hand_takes_over(page: Page, step: str) -> None:
    page.goto(step)
    slider, button = page.locator("#a-position"), page.get_by_role("button", name="Play position")
    button.first.click()
    page.wait_for_function("() => document.getElementById('a-position').value !== '1'")
    pause = page.get_by_role("button", name="Pause position")
    expect(pause).to_be_visible()
    slider.press("Home")
    expect(pause).to_have_count(0)
    assert slider.input_value() == "0"


PLAYED = """() => {
  window.steps = [];
  const figure = document.querySelector("#figure-a");
  const textOf = (part) => figure.querySelector(part)?.textContent ?? "";
  figure.addEventListener("figure:shown", ({ detail }) => {
    if (figure.classList.contains("live--stale")) return;
    const parts = [".card__where", ".card__value", ".live__readout:not([hidden])"];
    steps.push([detail.base, detail.d_model, ...parts.map(textOf)]);
  });
}"""


@pytest.mark.parametrize("name", ["d_model", pytest.param("base", marks=pytest.mark.soak)])
def test_card_follows_each_step_of_play(page: Page, step: str, name: str) -> None:
    """Value and picture change together: the words of a step were asked for before it."""
    page.goto(step)
    expect(page.locator("#figure-a")).to_have_class(re.compile("live--here"))
    page.evaluate(PLAYED)
    page.get_by_role("button", name=f"Play {name}").first.click()
    page.locator("#figure-a .live__canvas").hover(position={"x": 80, "y": 60})
    page.wait_for_function(
        "() => window.steps.filter((step) => step[4]).length >= 4", timeout=30_000
    )
    page.get_by_role("button", name=f"Pause {name}").click()
    steps = page.evaluate("steps")
    assert len({(base, d_model) for base, d_model, *_ in steps}) >= 4
    for base, d_model, where, value, readout in steps:
        codes = Sinusoidal(d_model=int(d_model), base=float(base)).encode(np.arange(4))
        assert where == "position 1, dimension 2"  # which no step leaves
        assert value == f"{codes[1, 2]:+.4f}".replace("-", "−")
        if readout:
            row, column, read = re.fullmatch(READING, readout).groups()
            assert float(read.replace("−", "-")) == pytest.approx(
                codes[int(row), int(column)], abs=6e-5
            )


def test_readout_keeps_its_cell_after_a_scroll(new_page: Callable[..., Page], step: str) -> None:
    page = new_page(has_touch=True, viewport={"width": 390, "height": 700})
    page.goto(step)
    expect(page.locator("#figure-a")).to_have_class(re.compile("live--here"))
    page.locator("#a-base").press("ArrowRight")  # from now on the page draws
    canvas = page.locator("#figure-a [data-part=canvas]")
    canvas.scroll_into_view_if_needed()
    box = canvas.bounding_box()
    assert box
    page.touchscreen.tap(box["x"] + box["width"] / 2, box["y"] + box["height"] / 4)
    readout = page.locator("#figure-a .live__readout")
    cell, _, value = readout.inner_text(timeout=5000).partition(":")
    page.evaluate(f"scrollBy(0, {box['height'] / 3})")
    base = "field => { field.stepUp(5); field.dispatchEvent(new Event('input', {bubbles: true})) }"
    page.locator("#a-base").evaluate(base)
    expect(readout).not_to_have_text(f"{cell}:{value}")
    assert readout.inner_text().startswith(f"{cell}:")


@pytest.mark.soak
def test_play_pauses_when_the_figure_leaves_the_screen_or_the_page_is_hidden(
    page: Page, step: str
) -> None:
    page.goto(step)
    play = page.get_by_role("button", name="Play base").first
    pause = page.get_by_role("button", name="Pause base")
    play.click()
    expect(pause).to_be_visible()
    page.evaluate("scrollTo(0, document.body.scrollHeight)")
    expect(pause).to_have_count(0)
    left = page.locator("#a-base").input_value()
    page.wait_for_timeout(500)
    assert page.locator("#a-base").input_value() == left
    play.click()
    expect(pause).to_be_visible()
    page.evaluate(
        "Object.defineProperty(document, 'hidden', { value: true });"
        "document.dispatchEvent(new Event('visibilitychange'))"
    )
    expect(pause).to_have_count(0)


@pytest.mark.soak
def test_play_steps_where_motion_is_not_wanted(new_page: Callable[..., Page], step: str) -> None:
    page = new_page(reduced_motion="reduce")
    page.goto(step)
    button = page.get_by_role("button", name="Step position").first
    for expected in ("2", "3", "0"):
        button.click()
        assert page.locator("#a-position").input_value() == expected
    page.wait_for_timeout(400)
    assert page.locator("#a-position").input_value() == "0"


@pytest.mark.soak
def test_figures_with_a_position_move_together(page: Page, step: str) -> None:
    page.goto(step)
    page.locator("#a-position").press("ArrowRight")
    expect(page.locator("#b-position")).to_have_value("2")
    expect(page.locator("#figure-b [data-part=cursor-text]")).to_contain_text("position 2,")
    page.locator("#b-position").press("End")
    expect(page.locator("#a-position")).to_have_value("3")
    assert page.locator("#b-d_model").input_value() == "8"


@pytest.mark.soak
def test_a_slider_speaks_once_and_nothing_moves_below_it(page: Page, step: str) -> None:
    page.goto(step)
    assert page.locator("#figure-a output").count() == 0
    place = "document.querySelector('#figure-a .live__sliders').getBoundingClientRect().y + scrollY"
    page.evaluate("document.fonts.ready.then(() => null)")
    page.locator("#a-d_model").focus()
    top = page.evaluate(place)
    for key in ("ArrowRight",) * 4:
        page.locator("#a-d_model").press(key)
    expect(page.locator("#figure-a [data-part=subtitle]")).to_contain_text("12 dimensions")
    assert page.evaluate(place) == top


@pytest.mark.soak
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_figures_on_a_phone_are_accessible(
    new_page: Callable[..., Page], step: str, scheme: str
) -> None:
    page = new_page(color_scheme=scheme, viewport={"width": 390, "height": 800})
    page.goto(step)
    expect(page.get_by_role("application").first).to_have_accessible_name(
        "Cell cursor, at position 1, dimension 2: +0.0998"
    )
    assert serious_findings(page) == []
    assert sideways_scroll(page) == 0


@pytest.mark.soak
def test_the_value_under_the_pointer_of_a_picture_of_the_page(page: Page, step: str) -> None:
    page.goto(step)
    page.locator("#a-d_model").press("ArrowLeft")  # from now on the page draws
    expect(page.locator("#figure-a")).to_have_class(re.compile("live--here"))
    read_first_cell(page, "a", re.compile("^position 0, dimension 0: 0.0000$"))


@pytest.mark.soak
def test_the_value_under_the_pointer_of_a_picture_of_the_server(page: Page, step: str) -> None:
    page.goto(step)
    with page.expect_request(re.compile(r"similarity\.json.*reading=1")):
        read_first_cell(page, "c", READ)
    page.mouse.move(0, 0)
    expect(page.locator("#figure-c .live__readout")).to_be_hidden()


@pytest.mark.soak
def test_keys_read_a_picture_after_the_network_failed(
    page: Page, page_errors: PageErrors, step: str
) -> None:
    page_errors.allow("^console: .*(net::ERR_FAILED|dynamically imported module)")
    for late in ("figure-readout", "numbers/sinusoidal"):  # itself, and what it imports
        page.route(re.compile(late), lambda route: route.abort(), times=1)
    with page.expect_event("requestfailed"):
        page.goto(step)
    expect(page.locator("#figure-a")).not_to_have_class(re.compile("live--here"))
    page.locator("#figure-c [data-part=cursor]").focus()
    with page.expect_event("requestfailed"):
        page.keyboard.press("ArrowDown")
    page.wait_for_timeout(1500)  # no exception: what the network does not bring is done without
    page.locator("#a-d_model").press("ArrowRight")
    expect(page.locator("#figure-a")).to_have_class(re.compile("live--here"))
    page.locator("#figure-c [data-part=cursor]").focus()
    page.keyboard.press("ArrowDown")
    expect(page.locator("#figure-c .live__readout")).to_contain_text(" 1, ")
    spoken = page.locator("#figure-c .live__canvas [aria-live]")
    expect(spoken).to_have_count(1)
    expect(spoken).to_contain_text(" 1, ")
    page.keyboard.press("ArrowUp")
    expect(spoken).to_have_text(READ)


@pytest.mark.soak
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_words_of_the_picture_before_are_dimmed_and_can_be_read(
    new_page: Callable[..., Page], step: str, scheme: str
) -> None:
    page = new_page(color_scheme=scheme, viewport={"width": 390, "height": 800})
    page.goto(step)
    expect(page.locator("#figure-a")).to_have_class(re.compile("live--here"))
    plain = page.locator("#figure-a .live__title").evaluate("(one) => getComputedStyle(one).color")
    waiting: list[Route] = []

    def keep(route: Route) -> None:  # Playwright counts the parameters, which a method hides
        waiting.append(route)

    page.route(re.compile("heatmap.json"), keep)
    page.locator("#a-d_model").press("ArrowRight")
    expect(page.locator("#figure-a")).to_have_class(re.compile("live--stale"))
    page.wait_for_timeout(300)
    for part in (".live__title", ".live__subtitle", ".card__value", ".live__finding"):
        dim = page.locator(f"#figure-a {part}").evaluate("(one) => getComputedStyle(one).color")
        assert dim != plain, part
    assert faint_text(page) == []
    name = page.locator("#figure-a [role=img]").get_attribute("aria-label")
    assert name == "The code of each position", "no words of the picture before"
    waiting[0].continue_()
    expect(page.locator("#figure-a")).not_to_have_class(re.compile("live--stale"))


def read_first_cell(page: Page, figure: str, words: re.Pattern[str]) -> None:
    root = page.locator(f"#figure-{figure}")
    canvas = root.locator("[data-part=canvas]")
    canvas.scroll_into_view_if_needed()
    box = canvas.bounding_box()
    geometry = json.loads(root.get_attribute("data-geometry") or "")["wide"]
    assert box
    scale = box["width"] / geometry["width"]
    x, y = (part * scale + 3 for part in geometry["plot"][:2])
    page.mouse.move(box["x"] + x, box["y"] + y)
    expect(root.locator(".live__readout")).to_have_text(words)
