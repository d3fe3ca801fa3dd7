"""The frame of a step: its drawer of steps, sliders under their axis, a card at its cell."""

from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect
from pytest_django.live_server_helper import LiveServer

from quizzes.content_files.files import DiskFiles
from quizzes.lessons.lesson_files import read_course, read_lessons
from quizzes.lessons.store import save_course, save_lesson
from tests.accessible import serious_findings
from tests.browser import sideways_scroll
from tests.courses import at, some_course
from tests.lessons.course import FIGURE, write_course

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.browser]
# In px of the window: both ends of the plot, of the slider, the middle of the cell, the card's tip.
PLACES = """() => {
  const root = document.querySelector("#figure-a");
  const { plot, width, columns } = JSON.parse(root.dataset.geometry).wide;
  const picture = root.querySelector("[data-part=picture]").getBoundingClientRect();
  const at = (x) => picture.left + (x / width) * picture.width;
  const column = Number(root.querySelector("#a-dimension").value);
  const slider = root.querySelector("#a-dimension").getBoundingClientRect();
  const card = root.querySelector(".live__card");
  const tip = parseFloat(getComputedStyle(card, "::before").left) + 6;
  return {
    plot: [at(plot[0]), at(plot[0] + plot[2])],
    slider: [slider.left, slider.right],
    begin: root.querySelector(".live__sliders [type=range]").getBoundingClientRect().left,
    cell: at(plot[0] + ((column + 0.5) / columns) * plot[2]),
    tip: card.getBoundingClientRect().left + tip,
  };
}"""


@pytest.fixture
def step(live_server: LiveServer, tmp_path: Path) -> str:
    root = write_course(tmp_path, {"one": FIGURE.format(id="a"), "two": "Words."})
    save_course(some_course(), read_course(DiskFiles(root))[0][0])
    save_lesson(some_course(), read_lessons(DiskFiles(root))[0][0])
    return live_server.url + at("/learn/first/one/")


def test_keys_open_and_close_the_drawer(page: Page, step: str) -> None:
    page.goto(step)
    button = page.get_by_role("button", name="All 2 steps")
    drawer = page.get_by_role("navigation", name="Steps of this lesson")
    expect(drawer).to_be_hidden()
    button.press("Enter")
    expect(drawer).to_be_visible()
    page.keyboard.press("Tab")
    assert drawer.evaluate("(one) => one.contains(document.activeElement)")
    page.keyboard.press("Escape")
    expect(drawer).to_be_hidden()
    expect(button).to_be_focused()
    button.press("Enter")
    drawer.get_by_role("link", name="Step 2: Step two").press("Enter")
    page.wait_for_url("**/first/two/")


@pytest.mark.soak
@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [320, 1280])
def test_the_open_drawer_is_accessible(
    new_page: Callable[..., Page], step: str, width: int, scheme: str
) -> None:
    page = new_page(color_scheme=scheme, viewport={"width": width, "height": 640})
    page.goto(step)
    page.get_by_role("button", name="All 2 steps").click()
    assert serious_findings(page) == []
    assert sideways_scroll(page) == 0


def test_sliders_and_card_follow_the_picture(page: Page, step: str) -> None:
    page.goto(step)
    for key, dimension in (("Home", 0), ("ArrowRight", 1), ("End", 7)):
        page.locator("#a-dimension").press(key)
        where = page.locator("#figure-a .card__where")
        expect(where).to_have_text(f"position 1, dimension {dimension}")
        places = page.evaluate(PLACES)
        assert places["slider"] == pytest.approx(places["plot"], abs=2)
        assert places["begin"] == pytest.approx(places["plot"][0], abs=2)
        assert places["tip"] == pytest.approx(places["cell"], abs=2)
