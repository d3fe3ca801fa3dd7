"""Screens one after the other, and words that drive a figure: by mouse, touch, keys, no script."""

from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest
from playwright.sync_api import Page, Route, expect
from pytest_django.live_server_helper import LiveServer

from quizzes.content_files.files import DiskFiles
from quizzes.lessons.lesson_files import read_course, read_lessons
from quizzes.lessons.store import save_course, save_lesson
from tests.accessible import covered_controls, serious_findings
from tests.browser import each, sideways_scroll
from tests.courses import at, some_course
from tests.lessons.course import FIGURE, LISTING, write_course

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.browser]

STEP = f"""\
First words. {LISTING}

:::screen With a figure

Set [`d_model` to 16]{{set d_model=16}}, then see [column 3]{{show column=3}} or
[row 2]{{show row=2}}.
{FIGURE.format(id="codes")}

:::screen The end

Last words.
"""


GROWS = """\
Move [`positions` to 40 and `position` to 39]{set positions=40 position=39}.

```figure
id: codes
encoding: sinusoidal
view: heatmap
set: {d_model: 8, positions: 4, position: 3, dimension: 1}
sliders: [positions]
```
"""


def save_step(tmp_path: Path, text: str) -> str:
    """Save a lesson with this first step; return the step's path."""
    root = write_course(tmp_path, {"one": text, "two": "Words."})
    save_course(some_course(), read_course(DiskFiles(root))[0][0])
    assert read_lessons(DiskFiles(root))[1] == []
    save_lesson(some_course(), read_lessons(DiskFiles(root))[0][0])
    return at("/learn/first/one/")


@pytest.fixture
def step(live_server: LiveServer, tmp_path: Path) -> str:
    return live_server.url + save_step(tmp_path, STEP)


def _is_open(page: Page, number: int) -> bool:
    return page.locator(f"[id='{number}']").get_attribute("hidden") is None


def test_continue_is_in_sight(
    live_server: LiveServer, tmp_path: Path, new_page: Callable[..., Page]
) -> None:
    """Next to a figure, and on a screen higher than the window; nothing to press is behind it."""
    figure, high = FIGURE.format(id="codes"), "\n\n".join([LISTING] * 6)
    text = f"Words.\n\n{figure}\n\n:::screen\n\n{high}\n\n:::screen\n\nThe end.\n"
    page = new_page(viewport={"width": 1280, "height": 800}, reduced_motion="reduce")
    page.goto(live_server.url + save_step(tmp_path, text))
    bar = page.locator(".screens__foot")
    expect(bar).to_be_in_viewport(ratio=1)
    assert covered_controls(page) == []
    page.get_by_role("button", name="Continue", exact=True).click()
    screen = page.locator("[id='2']").bounding_box()
    assert screen
    assert screen["height"] > 800
    expect(bar).to_be_in_viewport(ratio=1)
    assert covered_controls(page) == []


def test_one_screen_after_the_other_by_keyboard(page: Page, step: str) -> None:
    page.goto(step)
    expect(page.get_by_text("First words.")).to_be_visible()
    assert [_is_open(page, number) for number in (1, 2, 3)] == [True, False, False]
    expect(page.get_by_text("1 of 3")).to_be_visible()
    expect(page.get_by_role("button", name="Mark as read")).to_be_hidden()
    page.get_by_role("button", name="Continue", exact=True).press("Enter")
    expect(page.locator("[id='2']")).to_be_focused()
    assert page.url.endswith("#2")
    expect(page.get_by_text("2 of 3")).to_be_visible()
    page.reload()
    assert [_is_open(page, number) for number in (1, 2, 3)] == [True, True, False]
    page.get_by_role("button", name="Continue", exact=True).click()
    expect(page.get_by_text("Last words.")).to_be_visible()
    expect(page.get_by_role("button", name="Continue", exact=True)).to_be_hidden()
    page.get_by_role("button", name="Mark as read").click()
    page.wait_for_url("**/two/")
    page.go_back()
    expect(page.get_by_text("Last words.")).to_be_visible()
    assert page.url.endswith("#3")


@pytest.mark.parametrize("width", [390, pytest.param(1280, marks=pytest.mark.soak)])
def test_without_popovers_steps_stand_in_page(page: Page, step: str, width: int) -> None:
    """As in Firefox 115 and Safari 16, which know neither the attribute nor the selector."""
    page.set_viewport_size({"width": width, "height": 844})
    page.route("**/*.css*", partial(_answer_changed, "not selector(:popover-open)", "(color: red)"))
    page.route(step, partial(_answer_changed, "popover>", ">"))
    page.goto(step)
    links = page.locator(".steps__step")
    expect(links).to_have_count(2)
    for link in each(links):
        expect(link).to_be_visible()
    for button in each(page.locator("[popovertarget]")):
        expect(button).to_be_hidden()
    drawer, title = (page.locator(part).bounding_box() for part in (".steps__drawer", "h1"))
    assert drawer is not None
    assert title is not None
    assert drawer["y"] + drawer["height"] <= title["y"]
    assert sideways_scroll(page) == 0


def _answer_changed(old: str, new: str, route: Route) -> None:
    answer = route.fetch()
    route.fulfill(response=answer, body=answer.text().replace(old, new))


def test_a_printed_step_has_no_list_of_steps(page: Page, step: str) -> None:
    page.goto(step)
    page.get_by_role("button", name="All 2 steps").click()
    expect(page.locator(".steps__drawer")).to_be_visible()
    page.emulate_media(media="print")
    expect(page.locator(".steps__drawer")).to_be_hidden()
    expect(page.get_by_role("heading", level=1)).to_be_visible()


@pytest.mark.soak
def test_an_address_opens_what_it_names(page: Page, step: str) -> None:
    page.goto(f"{step}#figure-codes")
    assert [_is_open(page, number) for number in (1, 2, 3)] == [True, True, False]
    page.get_by_role("button", name="Show all").click()
    expect(page.locator("[id='3']")).to_be_focused()
    assert page.url.endswith("#3")


@pytest.mark.soak
def test_a_step_that_was_read_is_open(page: Page, step: str) -> None:
    page.goto(f"{step}#3")
    page.get_by_role("button", name="Mark as read").click()
    page.wait_for_url("**/two/")
    page.goto(step)
    expect(page.get_by_text("Last words.")).to_be_visible()


@pytest.mark.soak
def test_paper_has_all_of_it(page: Page, step: str) -> None:
    page.goto(step)
    page.emulate_media(media="print")
    expect(page.get_by_text("Last words.")).to_be_visible()
    expect(page.get_by_role("button", name="Continue", exact=True)).to_be_hidden()


def test_without_a_script_the_step_is_one_page(new_page: Callable[..., Page], step: str) -> None:
    page = new_page(java_script_enabled=False)
    page.goto(step)
    expect(page.get_by_text("Last words.")).to_be_visible()
    expect(page.get_by_text("Set d_model to 16, then see column 3 or row 2.")).to_be_visible()
    assert page.locator(".prose button").count() == 0


def test_words_set_a_slider(page: Page, step: str) -> None:
    page.goto(f"{step}#2")
    chip = page.get_by_role("button", name="d_model to 16")
    chip.focus()
    before = page.evaluate("scrollY")
    page.keyboard.press("Enter")
    expect(page.locator("#codes-d_model")).to_have_value("16")
    expect(page.locator("[data-part=subtitle]")).to_contain_text("16 dimensions")
    told = page.locator("p[role=status].visually-hidden")
    expect(told).to_contain_text("The figure shows d_model 16. ")
    expect(page.locator("[data-part=announce]")).to_be_empty()  # told once
    expect(chip).to_be_focused()
    assert page.evaluate("scrollY") == before
    page.wait_for_url("**/?codes.d_model=16#2")


def test_words_move_cursor_into_larger_picture(
    page: Page, live_server: LiveServer, tmp_path: Path
) -> None:
    page.goto(live_server.url + save_step(tmp_path, GROWS))
    page.get_by_role("button", name="positions to 40").click()
    expect(page.locator("[data-part=subtitle]")).to_contain_text("40 positions")
    expect(page.locator("#codes-position")).to_have_value("39")


@pytest.mark.soak
def test_words_set_a_slider_by_mouse(page: Page, step: str) -> None:
    page.goto(f"{step}#2")
    page.get_by_role("button", name="d_model to 16").click()
    expect(page.locator("#codes-d_model")).to_have_value("16")
    expect(page.locator("[data-part=subtitle]")).to_contain_text("16 dimensions")


@pytest.mark.soak
def test_a_figure_beside_its_text_does_not_scroll_inside_itself(
    new_page: Callable[..., Page], step: str
) -> None:
    page = new_page(viewport={"width": 1440, "height": 700})
    page.goto(f"{step}#2")
    figure = page.locator(".screen--beside > .live")
    facts = "(one) => [one.scrollHeight <= one.clientHeight + 1, getComputedStyle(one).overflowY]"
    assert figure.evaluate(facts) == [True, "visible"]
    page.wait_for_function(  # its height is noted a moment after it is as high as that
        "(one) => parseFloat(getComputedStyle(one).top) + one.querySelector('.live__sliders')"
        ".getBoundingClientRect().bottom - one.getBoundingClientRect().top <= innerHeight",
        arg=figure.element_handle(),
    )


@pytest.mark.soak
def test_words_outline_a_column_or_row(new_page: Callable[..., Page], step: str) -> None:
    page = new_page(has_touch=True, viewport={"width": 390, "height": 844})
    page.goto(f"{step}#2")
    column = page.get_by_role("button", name="column 3")
    column.tap()
    expect(column).to_have_attribute("aria-pressed", "true")
    mark, picture = page.locator(".live__mark"), page.locator(".live__canvas img")
    expect(mark).to_be_visible()
    box, whole = mark.bounding_box(), picture.bounding_box()
    assert box
    assert whole
    assert box["height"] > 3 * box["width"]
    assert whole["x"] < box["x"] < whole["x"] + whole["width"] / 2  # the fourth column of eight
    page.get_by_role("button", name="row 2").tap()
    expect(column).to_have_attribute("aria-pressed", "false")
    expect(page.locator("p[role=status].visually-hidden")).to_have_text("Outlined: row 2.")
    row = mark.bounding_box()
    assert row
    assert row["width"] > row["height"]
    page.get_by_role("button", name="row 2").tap()
    expect(mark).to_have_count(0)


def test_card_follows_words_of_the_text(page: Page, step: str) -> None:
    page.goto(f"{step}#2")
    card = page.locator("[data-part=card]")
    expect(card).to_contain_text("position 1, dimension 2")
    page.get_by_role("button", name="column 3").click()
    expect(card).to_contain_text("dimension 3")
    page.get_by_role("button", name="row 2").click()
    expect(card).to_contain_text("position 2, dimension 3")


@pytest.mark.soak
def test_an_outline_stays_on_its_column_when_the_picture_changes(page: Page, step: str) -> None:
    page.goto(f"{step}#2")
    page.get_by_role("button", name="column 3").click()
    mark = page.locator(".live__mark")
    before = mark.bounding_box()
    page.get_by_role("button", name="d_model to 16").click()
    expect(page.locator("[data-part=subtitle]")).to_contain_text("16 dimensions")
    after = mark.bounding_box()
    assert before
    assert after
    assert after["width"] == pytest.approx(before["width"] / 2, abs=1)
    assert after["x"] < before["x"]
    page.locator("[data-control=d_model] input").first.press("Home")
    expect(page.locator("[data-part=subtitle]")).to_contain_text("2 dimensions")
    expect(mark).to_have_count(0)
    for _ in range(2):  # off, and on again
        page.get_by_role("button", name="column 3").click()
    told = page.locator("body > p[role=status].visually-hidden")
    expect(told).to_have_text("The picture does not show column 3 right now.")


@pytest.mark.soak
@pytest.mark.slow
@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [320, 390, 1200, 1440])
def test_it_is_accessible_and_fits(
    new_page: Callable[..., Page], step: str, scheme: str, width: int
) -> None:
    page = new_page(color_scheme=scheme, viewport={"width": width, "height": 900})
    page.goto(f"{step}#3")
    page.get_by_role("button", name="row 2").click()
    assert sideways_scroll(page) == 0
    assert serious_findings(page) == []


GUESSED = f"""\
A listing alone. {LISTING}

:::screen With something else to do

{LISTING}
{FIGURE.format(id="codes")}

:::screen The end

Last words.
"""


@pytest.mark.soak
def test_what_a_listing_alone_prints_is_guessed_before_it_is_seen(
    new_page: Callable[..., Page], live_server: LiveServer, tmp_path: Path
) -> None:
    root = write_course(tmp_path, {"one": GUESSED, "two": "Words."})
    save_course(some_course(), read_course(DiskFiles(root))[0][0])
    save_lesson(some_course(), read_lessons(DiskFiles(root))[0][0])
    address = live_server.url + at("/learn/first/one/")
    page = new_page()
    page.goto(f"{address}#2")
    first, second = each(page.locator(".code--output"))
    assert first.get_attribute("hidden") == "until-found"
    expect(second).to_be_visible()
    guess = page.get_by_role("button", name="Guess what it prints")
    expect(guess).to_have_count(1)
    assert serious_findings(page) == []
    guess.press("Enter")
    expect(first).to_be_focused()
    assert first.get_attribute("hidden") is None
    expect(guess).to_have_count(0)
    page.goto(f"{address}#3")
    page.get_by_role("button", name="Mark as read").click()
    page.wait_for_url("**/two/")
    page.goto(address)
    expect(page.get_by_role("button", name="Guess what it prints")).to_have_count(0)
    without = new_page(java_script_enabled=False)
    without.goto(address)
    for output in each(without.locator(".code--output")):
        expect(output).to_be_visible()
