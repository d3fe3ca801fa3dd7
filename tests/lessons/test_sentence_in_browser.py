"""A sentence in the reader's hands: by mouse, touch, keys, without a script, in every look."""

import re
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from playwright.sync_api import Locator, Page, expect
from pytest_django.live_server_helper import LiveServer

from quizzes.content_files.files import DiskFiles
from quizzes.lessons.lesson_files import read_course, read_lessons
from quizzes.lessons.sentence.picture import Sentence, sentence_context
from quizzes.lessons.sentence.word_attention import attend
from quizzes.lessons.store import save_course, save_lesson
from tests.accessible import serious_findings, small_targets
from tests.browser import each, sideways_scroll
from tests.courses import at, some_course
from tests.lessons.course import write_course

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.browser]
LOOKS = ("grid", "outputs", "arcs")
OPTIONS = "positions: choice\nmask: choice"
UNCHANGED = "Every weight has moved with its words; none has changed."
SENTENCES = ["the dog chased the man", "Ä ö 語 word", " ".join(map(str, range(12)))]
LONG = "Ada met a very old internationalisation cat who slept under their house"
VALUES = """(root) => [...root.querySelectorAll("tbody tr")].map((row) =>
  [...row.cells].slice(1).map((cell) => cell.textContent.trim()))"""


@pytest.fixture
def step(live_server: LiveServer, tmp_path: Path) -> Callable[..., str]:
    """Return the address of a step with these blocks."""

    def show(*blocks: str) -> str:
        fences = [f"Words.\n\n```sentence\n{block}\n```\n" for block in blocks]
        root = write_course(tmp_path, {"one": "\n:::screen Next\n\n".join(fences), "two": "End."})
        save_course(some_course(), read_course(DiskFiles(root))[0][0])
        assert read_lessons(DiskFiles(root))[1] == []
        save_lesson(some_course(), read_lessons(DiskFiles(root))[0][0])
        return live_server.url + at("/learn/first/one/")

    return show


def open_live(page: Page, address: str) -> Locator:
    page.goto(address)
    root = page.locator(".sentence").first
    expect(root).to_have_class(re.compile("sentence--on"))
    return root


def words_of(root: Locator) -> list[str]:
    """Return the words that can be moved, in their order."""
    return root.locator("button.sentence__tile").all_text_contents()


def drag(page: Page, handle: Locator, x: float, y: float) -> None:
    box = handle.bounding_box()
    assert box is not None
    start = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    page.mouse.move(*start)
    page.mouse.down()
    page.mouse.move(start[0] + x / 2, start[1] + y / 2, steps=4)
    page.mouse.move(start[0] + x, start[1] + y, steps=4)
    page.mouse.up()


@pytest.mark.covering
@pytest.mark.parametrize("words", ["the dog chased the man", "The cat saw the dog"])
@pytest.mark.parametrize(("positions", "mask"), [("off", "none"), ("on", "causal")])
@pytest.mark.parametrize("look", LOOKS)
def test_the_page_says_what_the_server_says(
    page: Page, step: Callable[..., str], look: str, positions: str, mask: str, words: str
) -> None:
    """Scripts put the same picture in place of the first one, so nothing moves."""
    options = f"look: {look}\npositions: {positions}\nmask: {mask}"
    root = open_live(page, step(f"id: a\nwords: {words}\n{options}"))
    text = root.inner_text()
    values = root.evaluate(VALUES)
    context = sentence_context(
        Sentence("a", tuple(words.split()), look, positions, mask, is_own=False)
    )
    assert context["reading"] in text
    assert context["note"] in text
    assert values == [[cell.text for cell in row.cells] for row in context["rows"]]


def test_the_page_computes_what_the_engine_computes(page: Page, step: Callable[..., str]) -> None:
    open_live(page, step("id: a"))
    names = page.evaluate("performance.getEntriesByType('resource').map((entry) => entry.name)")
    module = next(name for name in names if "/word-attention" in name)
    script = "async ([at, words, settings]) => (await import(at)).attend(words, settings)"
    for sentence in SENTENCES:
        words = sentence.split()
        for positions in (False, True):
            for causal in (False, True):
                settings = {"positions": positions, "causal": causal}
                numbers = page.evaluate(script, [module, words, settings])
                expected = attend(words, **settings)
                for name in ("weights", "outputs"):
                    np.testing.assert_allclose(
                        numbers[name], getattr(expected, name), rtol=0, atol=1e-12
                    )


def test_keys_move_rows_and_columns(page: Page, step: Callable[..., str]) -> None:
    root = open_live(page, step(f"id: a\n{OPTIONS}"))
    before = root.evaluate(VALUES)
    dog = root.get_by_role("button", name="dog, place 2 of 5")
    dog.focus()
    page.keyboard.press("ArrowDown")
    assert words_of(root) == ["the", "chased", "dog", "the", "man"]
    moved = root.get_by_role("button", name="dog, place 3 of 5")
    expect(moved).to_be_focused()
    expect(root.get_by_role("status")).to_contain_text(UNCHANGED)
    after = root.evaluate(VALUES)
    order = [0, 2, 1, 3, 4]
    assert after == [[before[row][column] for column in order] for row in order]
    assert root.locator("thead th").all_text_contents()[1:] == words_of(root)
    page.keyboard.press("End")
    assert words_of(root)[-1] == "dog"
    page.keyboard.press("End")
    page.keyboard.press("Home")
    assert words_of(root)[0] == "dog"


def test_positions_and_mask_change_the_numbers(page: Page, step: Callable[..., str]) -> None:
    root = open_live(page, step(f"id: a\n{OPTIONS}"))
    status = root.get_by_role("status")
    expect(status).to_have_text("The 2 rows of “the” are equal.")
    switch = root.get_by_role("switch", name="Positions")
    switch.press("Enter")
    expect(switch).to_be_checked()
    expect(status).to_contain_text(re.compile(r"Positions on: weights change by up to 0\.[1-9]"))
    expect(status).to_contain_text("The 2 rows of “the” differ by up to 0.")
    root.get_by_role("button", name="man, place 5 of 5").press("Home")
    expect(status).to_contain_text("With positions, weights change by up to 0.")
    switch.click()
    root.get_by_role("switch", name="Causal mask").click()
    expect(root.locator(".sentence__cell--masked")).to_have_count(10)
    root.get_by_role("button", name="man, place 1 of 5").press("End")
    expect(status).to_contain_text("With the causal mask, weights change by up to ")


@pytest.mark.parametrize("handle", ["column", pytest.param("row", marks=pytest.mark.soak)])
def test_a_mouse_takes_a_word_along(page: Page, step: Callable[..., str], handle: str) -> None:
    root = open_live(page, step("id: a"))
    if handle == "row":
        tiles = root.locator("button.sentence__tile")
    else:
        tiles = root.locator(".sentence__tile--column")
    first, last = tiles.nth(1).bounding_box(), tiles.nth(4).bounding_box()
    assert first is not None
    assert last is not None
    drag(page, tiles.nth(1), last["x"] - first["x"], last["y"] - first["y"])
    assert words_of(root) == ["the", "chased", "the", "man", "dog"]
    expect(root.get_by_role("status")).to_contain_text(UNCHANGED)
    expect(root).not_to_have_class(re.compile("sentence--moving"))
    resting = (
        "(root) => [...root.querySelectorAll('tr, td, th')].every((part) => !part.style.transform)"
    )
    page.wait_for_function(resting, arg=root.element_handle())


def test_escape_puts_a_word_back(page: Page, step: Callable[..., str]) -> None:
    root = open_live(page, step("id: a\nlook: arcs"))
    box = root.locator("button.sentence__tile").nth(0).bounding_box()
    assert box is not None
    page.mouse.move(box["x"] + 20, box["y"] + 20)
    page.mouse.down()
    page.mouse.move(box["x"] + 20 + 2 * box["width"], box["y"] + 20, steps=6)
    assert words_of(root) != ["the", "dog", "chased", "the", "man"]
    page.keyboard.press("Escape")
    page.mouse.up()
    assert words_of(root) == ["the", "dog", "chased", "the", "man"]


def test_escape_puts_a_column_back(page: Page, step: Callable[..., str]) -> None:
    """A column takes no focus, so the key comes to the page and not to the figure."""
    root = open_live(page, step("id: a"))
    tiles = root.locator(".sentence__tile--column")
    first, last = tiles.nth(1).bounding_box(), tiles.nth(4).bounding_box()
    assert first is not None
    assert last is not None
    page.mouse.move(first["x"] + 10, first["y"] + 10)
    page.mouse.down()
    page.mouse.move(last["x"] + 10, first["y"] + 10, steps=6)
    assert words_of(root) == ["the", "chased", "the", "man", "dog"]
    page.keyboard.press("Escape")
    page.mouse.up()
    assert words_of(root) == ["the", "dog", "chased", "the", "man"]


def test_a_word_released_outside_stays_there(page: Page, step: Callable[..., str]) -> None:
    """Pulled across its row, a word is not held yet, and the figure hears of no release outside."""
    root = open_live(page, step("id: a"))
    tiles = root.locator("button.sentence__tile")
    box, last = tiles.nth(1).bounding_box(), tiles.nth(4).bounding_box()
    assert box is not None
    assert last is not None
    x, y = box["x"] + 10, box["y"] + box["height"] / 2
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(0, y, steps=6)
    page.mouse.up()
    page.mouse.move(x, y, steps=4)
    page.mouse.move(x, last["y"] + last["height"] / 2, steps=6)
    assert words_of(root) == ["the", "dog", "chased", "the", "man"]
    expect(root).not_to_have_class(re.compile("sentence--moving"))
    tiles.nth(1).press("End")
    assert words_of(root) == ["the", "chased", "the", "man", "dog"]


def test_a_finger_takes_a_word_along(new_page, step: Callable[..., str]) -> None:
    page = new_page(viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True)
    root = open_live(page, step("id: a\nlook: arcs"))
    tiles = root.locator("button.sentence__tile")
    tiles.first.scroll_into_view_if_needed()
    start, end = tiles.nth(1).bounding_box(), tiles.nth(4).bounding_box()
    line = page.context.new_cdp_session(page)
    y = start["y"] + start["height"] / 2
    ways = [start["x"] + 20 + share * (end["x"] - start["x"]) / 8 for share in range(9)]
    for kind, xs in (("touchStart", ways[:1]), ("touchMove", ways), ("touchEnd", [None])):
        for x in xs:
            points = [] if x is None else [{"x": x, "y": y}]
            line.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})
    assert words_of(root) == ["the", "chased", "the", "man", "dog"]


def test_values_are_read_by_pointer_and_keys(page: Page, step: Callable[..., str]) -> None:
    root = open_live(page, step("id: a"))
    reading = root.locator("[data-part=reading]")
    weights = attend(["the", "dog", "chased", "the", "man"], positions=False).weights
    expect(reading).to_contain_text("“chased” gives ")
    root.locator("tbody tr").nth(1).locator("td").nth(4).hover()
    expect(reading).to_have_text(f"“dog” gives {weights[1, 4]:.2f} of its attention to “man”")
    root.locator("tbody tr").nth(0).locator("td").nth(0).hover()
    expect(root.locator(".sentence__cell--twin")).to_have_count(1)
    root.locator("td[tabindex='0']").focus()
    for key in ("End", "ArrowDown", "ArrowLeft", "ArrowUp", "ArrowUp"):
        page.keyboard.press(key)
    share = f"{weights[0, 3]:.2f}"
    expect(reading).to_have_text(
        f"“the” (position 0) gives {share} of its attention to “the” (position 3)"
    )


def test_arcs_are_read_word_by_word(page: Page, step: Callable[..., str]) -> None:
    root = open_live(page, step("id: a\nlook: arcs"))
    weights = attend(["the", "dog", "chased", "the", "man"], positions=False).weights
    root.get_by_role("button", name="man, place 5 of 5").focus()
    shares = root.locator(".sentence__share").all_text_contents()
    assert shares == [f"{share:.2f}" for share in weights[4]]
    reading = root.locator("[data-part=reading]")
    expect(reading).to_contain_text(f"“man” gives {weights[4, 4]:.2f} of its attention to itself, ")
    expect(root.locator(".sentence__arc--chosen")).to_have_count(5)


def test_a_typed_sentence_stays_in_the_browser(page: Page, step: Callable[..., str]) -> None:
    address = step("id: a", "id: b\nwords: dog bites man")
    root = open_live(page, address)
    page.evaluate("location.hash = '2'")
    sent: list[str] = []
    page.on("request", lambda request: sent.append(request.url + (request.post_data or "")))
    field = root.get_by_label("Your sentence")
    field.fill("<b>Ada</b> met " + "x" * 30)
    field.press("Enter")
    assert words_of(root) == ["<b>Ada</b>", "met", "x" * 20]
    assert words_of(page.locator("#sentence-b")) == ["dog", "bites", "man"]
    root.get_by_role("button", name="Shuffle").click()
    assert words_of(root) != ["<b>Ada</b>", "met", "x" * 20]
    assert not any("Ada" in text or "xxx" in text for text in sent)
    page.reload()
    expect(root).to_have_class(re.compile("sentence--on"))
    assert words_of(root) == ["<b>Ada</b>", "met", "x" * 20]
    field.fill("word " * 12)
    field.press("Enter")
    field.fill("word " * 13)
    field.press("Enter")
    assert len(words_of(root)) == 12
    expect(root.get_by_role("status")).to_contain_text("The first 12 words are shown.")
    field.fill("one")
    field.press("Enter")
    expect(root.get_by_role("status")).to_have_text("Write at least two words.")


def test_typed_words_appear_without_enter(page: Page, step: Callable[..., str]) -> None:
    root = open_live(page, step("id: a"))
    field = root.get_by_label("Your sentence")
    field.fill("a red fox ")
    expect(root.get_by_role("button", name="fox, place 3 of 3").first).to_be_visible()
    expect(field).to_have_value("a red fox ")
    expect(field).to_be_focused()
    field.fill("")
    page.wait_for_timeout(600)  # longer than a pause
    expect(root.get_by_role("status")).not_to_contain_text("Write at least")
    field.fill("fox")
    field.blur()
    expect(root.get_by_role("status")).to_have_text("Write at least two words.")


@pytest.mark.parametrize("look", LOOKS)
def test_without_a_script_picture_and_values_stand(
    new_page, step: Callable[..., str], look: str
) -> None:
    page = new_page(java_script_enabled=False)
    page.goto(step(f"id: a\nlook: {look}\n{OPTIONS}"))
    expect(page.get_by_role("button", name="Shuffle")).to_be_hidden()
    if look == "arcs":
        page.get_by_text("Values as a table").click()
    row = page.locator("tbody tr").filter(has_text="chased")
    expect(row.locator("td").first).to_be_visible()


@pytest.mark.covering
@pytest.mark.parametrize("look", LOOKS)
@pytest.mark.parametrize("words", ["the dog chased the man", LONG])
@pytest.mark.parametrize("width", [320, 390, 1280])
@pytest.mark.parametrize("media", [{}, {"color_scheme": "dark"}, {"forced_colors": "active"}])
def test_everybody_can_use_every_look(
    page: Page, step: Callable[..., str], look: str, words: str, width: int, media: dict[str, str]
) -> None:
    page.set_viewport_size({"width": width, "height": 844})
    page.emulate_media(**media)
    root = open_live(page, step(f"id: a\nlook: {look}\nwords: {words}\n{OPTIONS}"))
    assert serious_findings(page) == []
    assert small_targets(page) == []
    assert sideways_scroll(page) == 0
    sizes = root.evaluate(
        "(root) => [...root.querySelectorAll('button, td, p, span')]"
        ".map((part) => parseFloat(getComputedStyle(part).fontSize))"
    )
    assert min(sizes) >= 12


def test_nothing_below_moves_while_it_lives(new_page, step: Callable[..., str]) -> None:
    page = new_page(viewport={"width": 390, "height": 800})
    page.add_init_script(
        "window.moved = 0; new PerformanceObserver((list) => list.getEntries().forEach((entry) =>"
        " { if (!entry.hadRecentInput) moved += entry.value; }))"
        ".observe({ type: 'layout-shift', buffered: true });"
    )
    root = open_live(page, step("id: a", "id: b\nlook: arcs"))
    page.evaluate("localStorage.setItem('ordinal:sentence', 'Ada met a very old cat today')")
    page.reload()
    expect(root).to_have_class(re.compile("sentence--on"))
    height = "(root) => root.getBoundingClientRect().height"
    before = root.evaluate(height)
    root.get_by_role("button", name="Shuffle").press("Enter")
    expect(root.get_by_role("status")).to_contain_text(UNCHANGED)
    for cell in each(root.locator("tbody tr").nth(1).locator("td")):
        cell.hover()
        assert root.evaluate(height) == before
    page.wait_for_timeout(600)
    assert page.evaluate("moved") < 0.001


@pytest.mark.parametrize("width", [1280, pytest.param(390, marks=pytest.mark.soak)])
def test_a_picture_fills_its_column(page: Page, step: Callable[..., str], width: int) -> None:
    page.set_viewport_size({"width": width, "height": 800})
    root = open_live(page, step("id: a", "id: b\nlook: arcs"))
    column = min(0.62 * width, 960) if width == 1280 else 0.85 * width
    box = root.locator(".sentence__table").bounding_box()
    assert box is not None
    assert box["width"] >= 0.95 * column
