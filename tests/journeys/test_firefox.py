"""The way of a newcomer in Firefox: a prediction, a lesson, a quiz, code, the search."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.courses import at
from tests.firefox import Firefox, open_firefox

pytestmark = [pytest.mark.soak, pytest.mark.firefox, pytest.mark.sandbox]

RIGHT = (
    Path(__file__).resolve().parents[2]
    / "quizzes/content/positional-encodings/exercises/inv-freq/reference.py"
)
MOST_STEPS = 60


@pytest.fixture
def firefox(tmp_path: Path) -> Iterator[Firefox]:
    with open_firefox(tmp_path) as running:
        yield running


def test_from_the_start_page_to_the_end_of_a_lesson(site, firefox):
    firefox.goto(site.url)
    firefox.click("#word-order button[value=no]")
    firefox.wait_to_see("#word-order [role=status]")
    firefox.leave_by("#word-order .word-order__act a")
    assert at("/learn/why-order/") in firefox.address()
    firefox.click("[data-inline-question] input[type=radio]")
    firefox.click("[data-inline-question] button")
    firefox.wait("document.querySelector('.inline-question').innerText.includes('Your answer')")
    firefox.goto(site.url + at("/learn/learned/"))
    for _ in range(MOST_STEPS):
        if "finished=" in firefox.address():
            break
        if firefox.run(
            "return document.querySelector('.screens__foot')?.checkVisibility() ?? false"
        ):
            firefox.click(".screens__foot button.button")
        else:
            firefox.leave_by(".step__next button")
    firefox.wait_to_see(".ending a.button")


def test_a_slider_moves_its_figure(site, firefox):
    firefox.goto(site.url + at("/learn/sinusoidal-values/seeing-it/"))
    slider = ".live input[type=range]"
    before = firefox.run(f"return document.querySelector('{slider}').value")
    shown = "document.querySelector('.live').innerText"
    text = firefox.run(f"return {shown}")
    firefox.type(slider, "\ue014\ue014")  # the right arrow, twice
    firefox.wait(f"document.querySelector('{slider}').value !== arguments[0]", before)
    firefox.wait(f"{shown} !== arguments[0]", text)


def test_a_quiz_is_answered_and_reviewed(site, firefox):
    firefox.goto(site.url + at("/quiz/alibi-quiz/"))
    firefox.leave_by("main form button")
    names = "[...new Set([...document.querySelectorAll('[type=radio]')].map((one) => one.name))]"
    for name in firefox.run(f"return {names}"):
        firefox.click(f"[type=radio][name='{name}']")
    firefox.leave_by("button[name=do][value=submit]")
    if "/review/" not in firefox.address():
        firefox.leave_by("button[value=submit-blank]")
    assert "right" in firefox.run("return document.querySelector('h1').innerText")


def test_code_is_graded(site, firefox):
    firefox.goto(site.url + at("/exercises/inv-freq/"))
    if not firefox.run("return document.querySelector('#editor-switch').checked"):
        firefox.click("#editor-switch")
    firefox.wait_to_see("#id_code")
    firefox.run(
        "const field = document.querySelector('#id_code'); field.value = arguments[0];"
        "field.dispatchEvent(new Event('input', { bubbles: true }))",
        RIGHT.read_text(),
    )
    firefox.click("button[name=kind][value=submit]")
    firefox.wait_to_see("#verdict [data-verdict=correct]")
    firefox.wait_to_see("#verdict .ending a.button")


def test_the_slash_searches_and_a_term_has_a_card(site, firefox):
    firefox.goto(site.url + at("/learn/alibi/penalty/"))
    firefox.run("document.querySelector('.term').focus()")
    firefox.wait(
        "[...document.querySelectorAll('.term-card')].some((one) => one.checkVisibility())"
    )
    firefox.goto(site.url + at("/learn/"))
    firefox.type("main a", "/")
    firefox.wait_to_see("dialog[open] input")
    firefox.type("dialog[open] input", "rotary")
    firefox.wait_to_see("dialog[open] a")
    assert "otary" in firefox.run("return document.querySelector('dialog[open]').innerText")
