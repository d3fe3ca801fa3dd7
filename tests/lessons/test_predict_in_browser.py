"""Predictions as they are made: without a reload, by keyboard, without a script, on a lost line."""

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect
from pytest_django.live_server_helper import LiveServer

from quizzes.content_files.files import DiskFiles
from quizzes.lessons.lesson_files import read_course, read_lessons
from quizzes.lessons.store import save_course, save_lesson
from tests.accessible import serious_findings
from tests.browser import PageErrors, sideways_scroll
from tests.courses import at, some_course
from tests.lessons.course import write_course
from tests.lessons.test_predict import DRAG, OPTIONS

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.browser]


@pytest.fixture
def step(live_server: LiveServer, tmp_path: Path) -> str:
    root = write_course(tmp_path, {"one": OPTIONS + DRAG, "two": "Words."})
    save_course(some_course(), read_course(DiskFiles(root))[0][0])
    save_lesson(some_course(), read_lessons(DiskFiles(root))[0][0])
    return live_server.url + at("/learn/first/one/")


def test_choose_by_keyboard_see_and_go_on_sliding(page: Page, step: str) -> None:
    page.goto(step)
    page.evaluate("window.untouched = true")
    page.locator("#predict-base-100 input[value='1']").focus()
    page.keyboard.press("Space")
    page.keyboard.press("Enter")
    shown = page.locator("#predict-base-100")
    expect(shown).to_contain_text("Right, as you predicted")
    expect(shown).to_be_focused()
    assert page.evaluate("window.untouched"), "no reload"
    assert page.url.endswith("?base-100.predicted=1")
    page.locator("#base-100-base").press("End")
    expect(shown.locator("[data-part=subtitle]")).to_contain_text("base 1\u202f000\u202f000")
    page.wait_for_url(re.compile(r"base-100\.base=1e%2B06$"))
    page.reload()
    expect(shown).to_contain_text("Right, as you predicted")
    expect(shown.locator("[data-part=subtitle]")).to_contain_text("base 1\u202f000\u202f000")


def test_tab_reaches_choices_before_the_table(page: Page, step: str) -> None:
    """The picture is above them in a narrow window all the same."""
    page.set_viewport_size({"width": 390, "height": 800})
    page.goto(step)
    section = page.locator("#predict-base-100")
    picture, question = (
        section.locator(part).bounding_box() for part in (".live__canvas", ".predict__question")
    )
    assert picture is not None
    assert question is not None
    assert picture["y"] + picture["height"] <= question["y"]
    section.focus()
    page.keyboard.press("Tab")
    expect(section.locator("input[name=predicted]").first).to_be_focused()


def test_picture_and_choices_fit_in_the_window(page: Page, step: str) -> None:
    page.set_viewport_size({"width": 1280, "height": 800})
    page.goto(step)
    section = page.locator("#predict-base-100")
    top = section.evaluate("(part) => part.getBoundingClientRect().top")
    for part in (section.locator("img, svg").first, section.get_by_role("button")):
        box = part.bounding_box()
        assert box is not None
        assert box["y"] + box["height"] - top <= 800


@pytest.mark.soak
def test_drag_a_number(page: Page, step: str) -> None:
    page.goto(step)
    slider = page.locator("#predict-turns-number")
    slider.focus()
    for _ in range(5):
        slider.press("ArrowLeft")
    expect(page.locator("#predict-turns .slider__value")).to_have_text("7")
    page.locator("#predict-turns").get_by_role("button", name="See what happens").click()
    expect(page.locator("#predict-turns")).to_contain_text("Computed: 7 pairs turn.")
    assert page.locator("#predict-base-100 form").count() == 1, "the other one still waits"


@pytest.mark.soak
def test_without_a_script(new_page: Callable[..., Page], step: str) -> None:
    page = new_page(java_script_enabled=False)
    page.goto(step)
    page.locator("#predict-base-100").get_by_label("Nothing").check()
    page.locator("#predict-base-100").get_by_role("button", name="See what happens").click()
    expect(page.locator("#predict-base-100")).to_contain_text("Not quite")
    page.locator("#predict-turns").get_by_role("button", name="See what happens").click()
    expect(page.locator("#predict-turns")).to_contain_text("Computed: 7")
    expect(page.locator("#predict-base-100")).to_contain_text("Not quite")  # kept


def test_a_lost_line_keeps_the_prediction(page: Page, page_errors: PageErrors, step: str) -> None:
    page_errors.allow("ERR_FAILED|Failed to fetch")
    page.goto(step)
    page.route("**/predict/**", lambda route: route.abort())
    page.locator("#predict-base-100").get_by_label("Nothing").check()
    button = page.locator("#predict-base-100").get_by_role("button", name="See what happens")
    button.click()
    expect(page.get_by_role("alert")).to_contain_text("Your prediction is still here")
    page.unroute("**/predict/**")
    button.click()
    expect(page.locator("#predict-base-100")).to_contain_text("Not quite")


@pytest.mark.soak
@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("query", ["", "?base-100.predicted=2&turns.predicted=3"])
def test_accessible_before_and_after_on_a_phone(
    new_page: Callable[..., Page], step: str, scheme: str, query: str
) -> None:
    page = new_page(color_scheme=scheme, viewport={"width": 390, "height": 800})
    page.goto(step + query)
    assert serious_findings(page) == []
    assert sideways_scroll(page) == 0
