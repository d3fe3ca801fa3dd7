"""The lesson form in a browser: the preview beside the text, and a figure that is chosen."""

import re

import pytest
from playwright.sync_api import expect

from tests.teaching.browsing import press_and_look_until_focused, sign_in
from tests.teaching.forms import teach

pytestmark = pytest.mark.slow
LESSON = teach("lessons/rope/")
PANE = ".teach-preview"
WIDE, PHONE = {"width": 1280, "height": 900}, {"width": 390, "height": 800}


@pytest.fixture
def form(site, new_page):
    """The form of a shipped lesson; nothing of it is saved."""
    page = sign_in(site, new_page())
    page.set_viewport_size(WIDE)
    page.goto(site.url + LESSON)
    page.locator("details:has(#text-2)").evaluate("part => { part.open = true; }")
    page.locator("#text-2").focus()
    return page


def test_preview_follows_the_text(form):
    pane = form.locator(PANE)
    expect(pane.locator("[data-figure]").first).to_be_visible()
    expect(pane.locator("> [role=status]")).to_contain_text("Words on its screens: 1:")
    pane.evaluate("part => { part.dataset.same = 'yes'; }")
    form.keyboard.press("Control+Home")
    form.keyboard.type("So $x^2$ is new. ")
    expect(pane.locator("math").first).to_be_visible()
    expect(pane).to_contain_text("is new.")
    slider = pane.locator("[data-figure] input[type=range]").first
    before = slider.input_value()
    slider.focus()
    form.keyboard.press("ArrowRight")
    expect(slider).not_to_have_value(before)
    # A slider is no change of the lesson, and what is typed elsewhere leaves it where it is.
    assert form.locator("#writing").evaluate(
        "form => [...new FormData(form).keys()].every(name => !name.includes('.'))"
    )


def test_lost_session_is_said_and_text_stays(form, page_errors):
    page_errors.allow("status of 403")
    expect(form.locator(f"{PANE} [data-figure]").first).to_be_visible()
    form.context.clear_cookies()
    form.locator("#text-2").fill("Typed without a session.")
    expect(form.locator(f"{PANE} > [role=status]")).to_contain_text(
        "No preview: you are signed out"
    )
    expect(form.locator("#text-2")).to_have_value("Typed without a session.")
    kept = form.evaluate(
        "Object.values(localStorage).some(text => text.includes('without a session'))"
    )
    assert kept


def test_narrow_window_has_no_pane(form):
    form.set_viewport_size(PHONE)
    expect(form.locator(PANE)).to_have_count(0)
    form.set_viewport_size(WIDE)
    expect(form.locator(PANE)).to_have_count(1)


@pytest.mark.parametrize("size", [WIDE, PHONE], ids=["1280", "390"])
def test_figure_is_chosen_by_keyboard(form, size):
    form.set_viewport_size(size)
    text = form.locator("#text-2")
    before = text.input_value()
    text.focus()
    form.keyboard.press("Control+Home")
    press_and_look_until_focused(form, "#choose-figure")
    form.keyboard.press("Enter")
    expect(form.locator("#figure-choice")).to_be_focused()
    form.locator("#figure-choice").select_option("rope/scores")
    figure = form.locator("#figure-dialog [data-figure]")
    expect(figure).to_have_attribute("data-figure", "scores")
    slider = figure.locator("input[name='scores.distances'], input[type=range]").first
    slider.focus()
    form.keyboard.press("ArrowRight")
    press_and_look_until_focused(form, "#figure-dialog [data-do=insert]")
    form.keyboard.press("Enter")
    expect(text).to_be_focused()
    block = text.input_value().removesuffix(before)
    assert re.fullmatch(
        r"```figure\nid: scores\nencoding: rope\nview: scores\nset: \{distances: \d+\}\n"
        r"sliders: \[(\w+, )*distances(, \w+)*\]\n```\n\n",
        block,
    ), block
