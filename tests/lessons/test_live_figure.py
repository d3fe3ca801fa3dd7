"""The live figure in a real browser: what is seen is what the sliders say, always."""

import io
import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from PIL import Image
from playwright.sync_api import Page, Route, expect
from posenc.catalog.sinusoidal import Sinusoidal
from posenc.figures.cells import colour_indices
from posenc.figures.palettes import PALETTES
from pytest_django.live_server_helper import LiveServer

from quizzes.content_files.files import DiskFiles
from quizzes.lessons.lesson_files import read_course, read_lessons
from quizzes.lessons.store import save_course, save_lesson
from tests.accessible import serious_findings
from tests.browser import PageErrors, sideways_scroll
from tests.courses import at, some_course
from tests.lessons.course import FIGURE, write_course

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.browser]
PICTURE = "#figure-a .live__canvas :is(img, .live__stage)"
HERE = re.compile(r"/page-picture\.js")
JSON = re.compile(r"/figures/sinusoidal/heatmap\.json")


@pytest.fixture
def step(live_server: LiveServer, tmp_path: Path) -> str:
    """The address of a step with two figures, `a` and `b`: 4 positions of 8 dimensions each."""
    text = FIGURE.format(id="a") + FIGURE.format(id="b")
    root = write_course(tmp_path, {"one": text, "two": "Words."})
    save_course(some_course(), read_course(DiskFiles(root))[0][0])
    save_lesson(some_course(), read_lessons(DiskFiles(root))[0][0])
    return live_server.url + at("/learn/first/one/")


def shown(page: Page, figure: str = "a") -> str:
    return page.locator(f"#figure-{figure} [data-part=subtitle]").inner_text()


def settle(page: Page, words: str, figure: str = "a") -> None:
    expect(page.locator(f"#figure-{figure} [data-part=subtitle]")).to_contain_text(words)


def test_a_key_on_a_slider_changes_picture_words_card_and_address(page: Page, step: str) -> None:
    open_here(page, step)
    slider = page.locator("#a-d_model")
    slider.focus()
    slider.press("ArrowRight")
    expect(page.locator("#a-d_model-value")).to_have_text("9")
    settle(page, "4 positions × 9 dimensions")
    alt = page.locator("#figure-a [role=img]").get_attribute("aria-label")
    assert "4 positions × 9 dimensions" in str(alt)
    formula = "".join(page.locator("#figure-a .card__lines").inner_text().split())
    assert "2/9" in formula
    page.wait_for_url(re.compile(r"\?a\.d_model=9$"))
    assert "8 dimensions" in shown(page, "b")
    page.reload()
    settle(page, "9 dimensions")


@pytest.mark.parametrize("scheme", [pytest.param("light", marks=pytest.mark.soak), "dark"])
def test_the_pixels_are_the_values(new_page: Callable[..., Page], step: str, scheme: str) -> None:
    """Before the first move and after it, on light and on dark."""
    page = new_page(color_scheme=scheme)
    page.goto(step)
    for d_model in (8, 10):
        settle(page, f"{d_model} dimensions")
        _compare_pixels(page, d_model, scheme)
        page.locator("#a-d_model").press("ArrowRight")
        page.locator("#a-d_model").press("ArrowRight")


def _compare_pixels(page: Page, d_model: int, scheme: str) -> None:
    image = page.locator(PICTURE)
    picture = Image.open(io.BytesIO(image.screenshot())).convert("RGB")
    geometry = json.loads(page.locator("#figure-a").get_attribute("data-geometry") or "")["wide"]
    x, y, width, height = geometry["plot"]
    scale = picture.width / geometry["width"]
    values = Sinusoidal(d_model=d_model).table(4)
    palette = PALETTES["signed_unit"][scheme][1]  # type: ignore[index]
    indices = colour_indices(values, (-1.0, 1.0))
    for row in range(4):
        for column in range(d_model):
            at = (x + width * (column + 0.5) / d_model, y + height * (row + 0.5) / 4)
            seen = picture.getpixel((int(at[0] * scale), int(at[1] * scale)))
            index = int(indices[row, column])
            expected = tuple(palette[3 * index : 3 * index + 3])
            assert seen == expected, (row, column)


@pytest.mark.soak
def test_a_logarithmic_slider_gives_round_numbers(page: Page, step: str) -> None:
    page.goto(step)
    slider = page.locator("#a-base")
    slider.focus()
    slider.press("ArrowLeft")
    expect(page.locator("#a-base-value")).to_have_text("9\u202f440")
    settle(page, "base 9\u202f440")
    slider.press("Home")
    settle(page, "base 10.")
    assert slider.get_attribute("aria-valuetext") == "10"


@pytest.mark.soak
def test_cursor_moves_by_keys_and_by_click(page: Page, step: str) -> None:
    page.goto(step)
    where = page.locator("#figure-a .card__where")
    cursor = page.locator("#figure-a [data-part=cursor]")
    cursor.focus()
    for key, words in (
        ("ArrowDown", "position 2, dimension 2"),
        ("ArrowRight", "position 2, dimension 3"),
        ("Home", "position 2, dimension 0"),
        ("End", "position 2, dimension 7"),
        ("PageDown", "position 3, dimension 7"),
        ("ArrowRight", "position 3, dimension 7"),
    ):
        page.keyboard.press(key)
        expect(where).to_have_text(words)
    expect(page.locator("#a-dimension-value")).to_have_text("7")
    assert page.evaluate("document.activeElement.dataset.part") == "cursor"
    box = page.locator(PICTURE).bounding_box()
    assert box
    page.mouse.click(box["x"] + box["width"] * 0.12, box["y"] + 20)
    expect(where).to_have_text("position 0, dimension 0")
    expect(page.locator("#figure-a [data-part=announce]")).to_contain_text("dimension 0: 0.0000")


def by_the_server(page: Page, page_errors: PageErrors) -> None:
    """Keep the page from drawing, as where a view has no module."""
    page_errors.allow("Failed to load|ERR_FAILED|Failed to fetch")
    page.route(HERE, lambda route: route.abort())


def open_here(page: Page, address: str) -> None:
    """Open a page and wait until it can draw by itself."""
    page.goto(address)
    expect(page.locator("#figure-a.live--here")).to_be_attached()


SHOWN = """() => {
  window.steps = [];
  const figure = document.querySelector("#figure-a");
  figure.addEventListener("figure:shown", ({ detail }) => steps.push([
    detail.d_model, figure.classList.contains("live--stale"),
    figure.querySelector("canvas").width,
  ]));
}"""


def test_every_value_of_a_drag_is_drawn_in_the_page(page: Page, step: str) -> None:
    """Nothing is asked until the hand rests; until then the words are dimmed."""
    open_here(page, step)
    asked: list[str] = []
    page.on("request", lambda one: asked.append(one.url) if JSON.search(one.url) else None)
    page.evaluate(SHOWN)
    page.evaluate(
        """() => { for (let d = 9; d <= 20; d += 1) {
          const slider = document.querySelector("#a-d_model");
          slider.value = d;
          slider.dispatchEvent(new Event("input", { bubbles: true }));
        } }"""
    )
    assert page.evaluate("steps") == [[str(d), True, d] for d in range(9, 21)]
    assert asked == []
    settle(page, "20 dimensions")
    expect(page.locator("#figure-a")).not_to_have_class(re.compile("live--stale"))
    assert len(asked) == 1
    assert "d_model=20" in asked[0]
    assert "picture=0" in asked[0]


SUBTITLES = """() => {
  window.told = [];
  const words = document.querySelector("#figure-a [data-part=subtitle]");
  new MutationObserver(() => told.push(words.textContent)).observe(words, { childList: true });
}"""


@pytest.mark.soak
def test_the_answer_of_a_value_that_was_left_is_not_shown(page: Page, step: str) -> None:
    open_here(page, step)
    waiting: list[Route] = []

    def hold_the_first(route: Route) -> None:
        if waiting:
            return route.continue_()
        return waiting.append(route)

    page.route(JSON, hold_the_first)
    with page.expect_request(JSON):
        page.locator("#a-d_model").press("ArrowRight")
    page.evaluate(SUBTITLES)
    page.locator("#a-d_model").press("ArrowRight")
    waiting[0].continue_()
    settle(page, "10 dimensions")
    assert not any("9 dimensions" in words for words in page.evaluate("told"))


@pytest.mark.soak
@pytest.mark.parametrize(
    "fault", ["too many cells", pytest.param("no numbers", marks=pytest.mark.soak)]
)
def test_the_server_draws_what_the_page_cannot(
    page: Page, page_errors: PageErrors, step: str, fault: str
) -> None:
    page_errors.allow("no numbers")
    page.route(
        re.compile(r"/views/sinusoidal/heatmap\.js"),
        lambda route: route.fulfill(
            content_type="text/javascript",
            body="export const cells = () => 4e5; export const compute = null;"
            if fault == "too many cells"
            else "export const cells = () => 4;"
            "export function compute() { throw new Error('no numbers'); }",
        ),
    )
    open_here(page, step)
    page.locator("#a-d_model").press("ArrowRight")
    settle(page, "9 dimensions")
    assert "9 dimensions" in str(page.locator("#figure-a img").get_attribute("alt"))


@pytest.mark.soak
def test_one_step_is_asked_for_one_ahead_of_it_and_the_latest_wins(
    page: Page, page_errors: PageErrors, step: str
) -> None:
    by_the_server(page, page_errors)
    with page.expect_response("**/figure-ahead.js"):
        page.goto(step)
    page.wait_for_timeout(100)
    asked: list[str] = []
    waiting: list[Route] = []

    def hold(route: Route) -> None:
        asked.append(re.findall(r"d_model=(\d+)", route.request.url)[0])
        waiting.append(route)

    page.route(JSON, hold)
    slider = page.locator("#a-d_model")
    for _ in range(12):
        slider.press("ArrowRight")
    expect(page.locator("#a-d_model-value")).to_have_text("20")
    assert asked == ["9"]
    waiting.pop().continue_()
    _wait_for(page, waiting, 2)
    assert asked == ["9", "20", "26"], "20 is wanted, and from 9 to 20 the hand is on its way"
    for _ in range(8):
        slider.press("ArrowRight")
    page.evaluate(SUBTITLES)
    for route in waiting:
        route.continue_()
    waiting.clear()
    _wait_for(page, waiting, 2)
    assert asked[3:] == ["28", "32"]
    for route in waiting:
        route.continue_()
    settle(page, "28 dimensions")
    told = " ".join(page.evaluate("told"))
    assert re.findall(r"(\d+) dimensions", told) == ["20", "26", "28"]
    waiting.clear()
    slider.press("ArrowRight")
    _wait_for(page, waiting, 2)
    assert asked[5:] == ["29", "30"], "a hand that goes step by step finds the next one there"


def _wait_for(page: Page, waiting: list[Route], count: int) -> None:
    for _ in range(300):
        if len(waiting) >= count:
            return
        page.wait_for_timeout(20)


@pytest.mark.soak
def test_a_smaller_picture_takes_its_cursor_along(page: Page, step: str) -> None:
    page.goto(f"{step}?a.dimension=7")
    page.locator("#a-d_model").press("Home")
    expect(page.locator("#figure-a .card__where")).to_have_text("position 1, dimension 1")
    expect(page.locator("#a-dimension")).to_have_js_property("max", "1")
    settle(page, "2 dimensions")


def test_a_refusal_stands_beside_its_slider(page: Page, page_errors: PageErrors, step: str) -> None:
    page_errors.allow("400")
    page.goto(step)
    page.evaluate("document.querySelector('#a-d_model').max = 5000")
    page.locator("#a-d_model").press("End")
    expect(page.locator("#a-d_model-error")).to_have_text(
        "d_model=5000: must be between 2 and 1024"
    )
    expect(page.locator("#a-d_model")).to_have_attribute("aria-invalid", "true")
    expect(page.locator("#figure-a [data-part=problem]")).to_contain_text("between 2 and 1024")
    assert "8 dimensions" in shown(page)
    page.locator("#a-d_model").press("Home")
    settle(page, "2 dimensions")
    expect(page.locator("#a-d_model-error")).to_have_text("")
    expect(page.locator("#a-d_model")).not_to_have_attribute("aria-invalid", "true")


@pytest.mark.soak
def test_a_refusal_of_the_page_itself_stays_until_a_slider_moves(
    page: Page, page_errors: PageErrors, step: str
) -> None:
    page_errors.allow("400")
    page.goto(f"{step}?a.d_model=999999")
    error = page.locator("#a-d_model-error")
    page.wait_for_timeout(300)
    expect(error).to_have_text("d_model=999999: must be between 2 and 1024")
    page.locator("#a-d_model").press("ArrowRight")
    settle(page, "9 dimensions")
    expect(error).to_have_text("")


FAILURES: list[tuple[dict[str, Any] | None, str]] = [
    ({"status": 503, "headers": {"Retry-After": "1"}}, "The server is busy for the next 1 s."),
    ({"status": 429, "headers": {"Retry-After": "1"}}, "The server is busy for the next 1 s."),
    ({"status": 500}, "The server answered with an error (500)."),
    (None, "The server is not responding."),
]


def failing_once(answer: dict[str, Any] | None) -> Callable[[Route], None]:
    """Return a handler of requests that answers the first of them, or with None gives it up."""
    failed: list[int] = []

    def fail_once(route: Route) -> None:
        if failed:
            return route.continue_()
        failed.append(1)
        return route.fulfill(**answer) if answer else route.abort()

    return fail_once


def test_failures_are_explained_and_tried_again(
    page: Page, page_errors: PageErrors, step: str
) -> None:
    page_errors.allow("503|429|500|Failed to load|ERR_FAILED")
    page.goto(step)
    problem = page.locator("#figure-a [data-part=problem]")
    for number, (answer, words) in enumerate(FAILURES, start=9):
        page.route(JSON, failing_once(answer))
        page.locator("#a-d_model").press("ArrowRight")
        expect(problem).to_contain_text(words)
        expect(page.locator("#a-d_model-value")).to_have_text(str(number))
        settle(page, f"{number} dimensions")  # by itself, after a moment
        expect(problem).to_be_hidden()
        page.unroute(JSON)


@pytest.mark.soak
def test_a_change_of_colour_scheme_is_followed(page: Page, step: str) -> None:
    page.goto(step)
    with page.expect_request(lambda request: "scheme=dark" in request.url):
        page.emulate_media(color_scheme="dark")


@pytest.mark.soak
def test_table_follows_while_it_is_open(page: Page, step: str) -> None:
    page.goto(step)
    page.locator("#figure-a summary").click()
    cells = page.locator("#figure-a tbody tr:first-child td")
    expect(cells).to_have_count(8)
    page.locator("#a-d_model").press("ArrowRight")
    expect(cells).to_have_count(9)


@pytest.mark.soak
def test_without_a_script_the_form_redraws(new_page: Callable[..., Page], step: str) -> None:
    page = new_page(java_script_enabled=False)
    page.goto(f"{step}?b.d_model=12")
    page.locator("#a-d_model").press("ArrowRight")
    page.locator("#figure-a").get_by_role("button", name="Redraw").click()
    assert "9 dimensions" in shown(page)
    assert "12 dimensions" in shown(page, "b")
    assert page.locator("#figure-a [data-part=cursor]").is_hidden()


@pytest.mark.soak
def test_reading_on_without_a_script(new_page: Callable[..., Page], step: str) -> None:
    page = new_page(java_script_enabled=False)
    page.goto(step)
    page.get_by_role("button", name="Mark as read and continue").click()
    expect(page).to_have_url(re.compile(re.escape(at("/learn/first/two/")) + "$"))
    page.get_by_role("button", name="All 2 steps").click()
    expect(page.get_by_role("link", name=re.compile("Step 1: Step one, read"))).to_be_visible()


@pytest.mark.soak
@pytest.mark.parametrize("width", [390, 1280])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_page_is_accessible_and_fits(
    new_page: Callable[..., Page], step: str, width: int, scheme: str
) -> None:
    page = new_page(viewport={"width": width, "height": 800}, color_scheme=scheme)
    for address in (step, step.replace("first/one/", "")):
        page.goto(address)
        assert sideways_scroll(page) == 0
        assert serious_findings(page) == []


@pytest.mark.soak
def test_nothing_moves_when_the_first_picture_arrives(page: Page, step: str) -> None:
    page.goto(step)
    page.locator("#a-d_model").press("ArrowRight")
    settle(page, "9 dimensions")
    shift = page.evaluate(
        "new Promise((done) => { let sum = 0; new PerformanceObserver((list) => {"
        " for (const entry of list.getEntries()) sum += entry.value; })"
        ".observe({ type: 'layout-shift', buffered: true }); setTimeout(() => done(sum), 200); })"
    )
    assert shift < 0.01


@pytest.mark.soak
def test_the_cursor_of_a_grouped_picture_goes_by_what_is_seen(page: Page, step: str) -> None:
    """Sines stand in columns 0 to 3 and cosines after them: right of dimension 6 is dimension 1."""
    page.goto(f"{step}?a.group=sine-cosine&a.dimension=6")
    card = page.locator("#figure-a .card__where")
    expect(card).to_have_text("position 1, dimension 6")
    cursor = page.locator("#figure-a [data-part=cursor]")
    cursor.press("ArrowRight")
    expect(card).to_have_text("position 1, dimension 1")
    cursor.press("Home")
    expect(card).to_have_text("position 1, dimension 0")
    picture = page.locator(PICTURE).bounding_box()
    assert picture
    cursor.click(position={"x": picture["width"] * 0.96, "y": picture["height"] * 0.1})
    expect(card).to_contain_text("dimension 7")
