"""What stands at the right of a screen of text: outputs of programs, and terms that it uses."""

import re
from pathlib import Path

import pytest
from django.test import Client
from playwright.sync_api import Page, expect
from pytest_django.live_server_helper import LiveServer

from quizzes.content_files.files import DiskFiles
from quizzes.lessons.lesson_files import read_course, read_lessons
from quizzes.lessons.store import save_course, save_lesson
from tests.accessible import serious_findings
from tests.browser import sideways_scroll
from tests.courses import at, some_course
from tests.factories import create_question
from tests.lessons.course import FIGURE, LISTING, write_course

TERMS = """
| word | where | meaning |
|---|---|---|
| token | everywhere | a piece of text, as in [step one](/learn/first/one/) |
| key | everywhere | what a token is found by |
| bucket | everywhere | the offsets that share a row |
| weight | attention | a share of a value |
| weight | learning | a number that training changes |
| layer | everywhere | one of the parts that a model has above each other: it takes a row for each |
| slope | everywhere | how fast a penalty grows with the distance of two words |
"""
QUESTION = "\n```question\nslug: asked\n```\n"
LONG = "x" * 120  # in a line of output
STEP = f"""\
Every token has a key, and a weight.
{QUESTION}

:::screen With a figure

A bucket.
{FIGURE.format(id="codes")}

:::screen With a program

A layer.
{LISTING}

:::screen The end

A token has a slope. {"Word by word it goes on. " * 15}
{QUESTION.replace("asked", "other")}

:::screen Long lines

```listing
title: Long
---
print("x" * 120)
---
{LONG}
```
"""
ADDRESS = at("/learn/first/one/")
WIDE, NARROW = 1100, 1090
HEIGHTS = """() =>
  [...document.querySelectorAll(".screen--margin")].map((screen) => screen.offsetHeight)"""


@pytest.fixture
def step(db: None, tmp_path: Path) -> str:
    root = write_course(tmp_path, {"one": STEP, "whole": "A token has a key.", "notation": TERMS})
    save_course(some_course(), read_course(DiskFiles(root))[0][0])
    lessons, problems = read_lessons(DiskFiles(root))
    assert problems == []
    save_lesson(some_course(), lessons[0])
    for slug in ("asked", "other"):
        create_question(slug)
    return ADDRESS


def screens_of(html: str) -> list[str]:
    return re.split(r'<div class="screen[ "]', html)[1:]


def names_in(screen: str) -> list[str]:
    return re.findall(r'class="margin__term"><b>([^<]*)</b>', screen)


@pytest.mark.both_databases(postgresql="soak")
def test_margin_has_terms_that_screen_introduces(client: Client, step: str) -> None:
    """Not those with two meanings here, nor where a figure or an output stands."""
    screens = screens_of(client.get(step).content.decode())
    assert list(map(names_in, screens)) == [["token", "key"], [], [], ["slope"], []]


@pytest.mark.both_databases(postgresql="soak")
def test_margin_has_no_links(client: Client, step: str) -> None:
    """A card without room is out of sight, and must not take the focus there."""
    (margin, *_) = re.findall(r"<aside.*?</aside>", client.get(step).content.decode(), re.DOTALL)
    assert "as in step one" in margin
    assert "<a " not in margin


@pytest.mark.both_databases(postgresql="soak")
def test_undivided_step_has_no_margin(client: Client, step: str) -> None:
    for undivided in ("whole", "notation"):
        html = client.get(at(f"/learn/first/{undivided}/")).content.decode()
        assert "a piece of text" in html
        assert "margin__term" not in html


@pytest.fixture
def whole(page: Page, live_server: LiveServer, step: str) -> Page:
    """The step with all of its screens, as somebody sees it who has read it before."""
    page.set_viewport_size({"width": WIDE, "height": 900})
    page.goto(f"{live_server.url}{step}#5")
    expect(page.locator("[data-figure]:not(.live--on)")).to_have_count(0)
    return page


@pytest.mark.django_db(transaction=True)
@pytest.mark.browser
class TestInBrowser:
    def test_wide_window_shows_terms_at_right(self, whole: Page) -> None:
        term, text = whole.get_by_text("what a token is found by"), whole.get_by_text("Every token")
        expect(term.first).to_be_visible()
        assert term.first.bounding_box()["x"] > text.bounding_box()["x"] + 600
        whole.set_viewport_size({"width": NARROW, "height": 900})
        expect(term.first).to_be_hidden()

    def test_output_stands_right_where_it_fits(self, whole: Page) -> None:
        whole.get_by_role("button", name="Guess").first.click()
        whole.get_by_role("button", name="Guess").click()
        short, long = whole.locator(".listing__code"), whole.locator(".listing__output")
        (code, output), (wide_code, below) = (
            (short.nth(place).bounding_box(), long.nth(place).bounding_box()) for place in (0, 1)
        )
        assert output["x"] >= code["x"] + code["width"]
        tops = [part.locator("pre").first.bounding_box()["y"] for part in (short.first, long.first)]
        assert tops[0] == pytest.approx(tops[1], abs=2)
        assert below["y"] >= wide_code["y"] + wide_code["height"]
        assert sideways_scroll(whole) == 0
        whole.set_viewport_size({"width": NARROW, "height": 900})
        code, output = short.first.bounding_box(), long.first.bounding_box()
        assert output["y"] >= code["y"] + code["height"]

    def test_margin_makes_no_screen_taller(self, whole: Page) -> None:
        """The first screen has a line of text, and two terms."""
        heights = whole.evaluate(HEIGHTS)
        whole.locator(".margin").evaluate_all("(all) => all.forEach((one) => one.remove())")
        assert whole.evaluate(HEIGHTS) == heights
        assert len(heights) == 2

    def test_accessible_with_margins(self, whole: Page) -> None:
        assert serious_findings(whole) == []

    def test_margins_need_no_script(self, new_page, live_server: LiveServer, step: str) -> None:
        page = new_page(java_script_enabled=False)
        page.goto(live_server.url + step)
        expect(page.get_by_role("complementary", name="Terms used here")).to_have_count(2)
        expect(page.locator(".code--output").first).to_be_visible()
