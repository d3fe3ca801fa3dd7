"""Figures as wide as their column with words that can be read, and one place for every title."""

import re
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.browser import each, sideways_scroll
from tests.course_folders import POSITIONAL
from tests.courses import at

SOAK = pytest.mark.soak
FENCE = re.compile(r"^```(?:figure|predict)$.*?^encoding: (\S+)$.*?^view: (\S+)$", re.M | re.S)
LESSONS = POSITIONAL / "lessons"
SHARE, WIDEST = 0.62, 960  # the column of a figure, of the window and in px
LEAST_FILLED, LEAST_LETTERS = 0.95, 12.0
WINDOWS = [
    {"width": 1280, "height": 800},
    pytest.param({"width": 1440, "height": 900}, marks=SOAK),
    pytest.param({"width": 1920, "height": 1080}, marks=SOAK),
    pytest.param({"width": 2560, "height": 1440}, marks=SOAK),
]
PHONE = {"width": 390, "height": 844}
# Of each figure: the width of its picture with the words beside it, and of its smallest letters.
FIGURES = """async () => {
  const smallest = (words, scale) => Math.min(...words.map((one) =>
    parseFloat(getComputedStyle(one).fontSize) * scale));
  const facts = async (canvas) => {
    const picture = canvas.querySelector("img, .live__stage");
    const box = picture.getBoundingClientRect();
    const beside = parseFloat(getComputedStyle(canvas).marginLeft);
    let svg = picture.querySelector("svg");
    if (picture.tagName === "IMG") {
      picture.loading = "eager"; // those further down wait for their reader
      await picture.decode();
      const { currentSrc } = picture; // the page itself may not fetch what is in it
      const text = currentSrc.startsWith("data:")
        ? decodeURIComponent(currentSrc.slice(currentSrc.indexOf(",") + 1))
        : await (await fetch(currentSrc)).text();
      svg = new DOMParser().parseFromString(text, "image/svg+xml").documentElement;
      svg.style.position = "fixed";
      document.body.append(svg);
    }
    const scale = box.width / svg.viewBox.baseVal.width;
    const letters = [smallest([...svg.querySelectorAll("text")], scale)];
    if (picture.tagName === "IMG") svg.remove();
    const own = [...canvas.querySelectorAll(".live__words span, .live__axis-name")];
    if (own.length) letters.push(smallest(own, 1));
    return { width: box.width + beside, letters: Math.min(...letters) };
  };
  const canvases = [...document.querySelectorAll(".live__canvas")];
  return Promise.all(canvases.filter((one) => one.checkVisibility()).map(facts));
}"""
WHOLE_STEP = """() => {
  const { length } = document.querySelectorAll("[data-screens] > *");
  if (length) location.hash = length;
}"""
TITLE = """() => {
  const { left, top } = document.querySelector("h1").getBoundingClientRect();
  return [left + scrollX, top + scrollY];
}"""
# How many nodes of the map stand whole in its stage and in the window, and its smallest letters.
MAP = """() => {
  const stage = document.querySelector(".map__stage").getBoundingClientRect();
  const letters = [...document.querySelectorAll("a.node text")].map((text) =>
    parseFloat(getComputedStyle(text).fontSize) * text.getScreenCTM().a);
  const visible = [...document.querySelectorAll("a.node > rect:first-of-type")].filter((one) => {
    const box = one.getBoundingClientRect();
    return box.left >= stage.left && box.right <= Math.min(stage.right, innerWidth)
      && box.top >= stage.top && box.bottom <= Math.min(stage.bottom, innerHeight);
  }).length;
  return { visible, letters: Math.min(...letters), stage: stage.width };
}"""


def steps_with_views() -> dict[str, str]:
    """Return the first step that shows each view, by the view's name."""
    paths: dict[str, str] = {}
    for file in sorted(LESSONS.glob("*/steps/*.md")):
        lesson, step = file.parts[-3], file.stem.partition("-")[2]
        for encoding, view in FENCE.findall(file.read_text()):
            paths.setdefault(f"{encoding}/{view}", at(f"/learn/{lesson}/{step}/"))
    return {view: path for view, path in paths.items() if "/deep-dive/" not in path}


VIEWS = steps_with_views()
STEPS = list(dict.fromkeys(VIEWS.values()))
QUICK_STEPS = STEPS[:2]


def open_whole(page: Page, address: str) -> None:
    """Open a step with all of its screens."""
    page.goto(address)
    page.evaluate(WHOLE_STEP)
    expect(page.locator("[data-figure]:not(.live--on)")).to_have_count(0)


def figures_of(page: Page) -> list[dict[str, Any]]:
    figures: list[dict[str, Any]] = page.evaluate(FIGURES)
    return figures


def test_steps_of_many_views_are_measured() -> None:
    assert len(VIEWS) >= 12
    assert len(STEPS) >= 12


@pytest.mark.parametrize("window", WINDOWS)
@pytest.mark.parametrize("steps", [QUICK_STEPS, pytest.param(STEPS[2:], marks=SOAK)])
def test_pictures_fill_their_column(site, new_page, window, steps) -> None:
    page = new_page(viewport=window)
    column = min(SHARE * window["width"], WIDEST)
    for step in steps:
        open_whole(page, site.url + step)
        figures = figures_of(page)
        assert figures, step
        for figure in figures:
            assert LEAST_FILLED * column <= figure["width"] <= column + 1, step
            assert figure["letters"] >= LEAST_LETTERS - 0.01, step
        assert sideways_scroll(page) == 0, step


@pytest.mark.parametrize("steps", [QUICK_STEPS[:1], pytest.param(STEPS[1:], marks=SOAK)])
def test_pictures_fill_a_phone(site, new_page, steps) -> None:
    page = new_page(viewport=PHONE)
    for step in steps:
        open_whole(page, site.url + step)
        for figure in figures_of(page):
            assert 0.8 * PHONE["width"] <= figure["width"] <= PHONE["width"], step
        assert sideways_scroll(page) == 0, step


@pytest.mark.parametrize("window", WINDOWS)
@pytest.mark.parametrize("lesson", ["one-attention", pytest.param("sinusoidal-values", marks=SOAK)])
def test_titles_of_a_lesson_have_one_place(site, new_page, window, lesson) -> None:
    page = new_page(viewport=window)
    page.goto(site.url + at(f"/learn/{lesson}/"))
    steps = [link.get_attribute("href") for link in each(page.locator("a.steps__step"))]
    places = set()
    for step in steps:
        page.goto(site.url + str(step))
        places.add(tuple(page.evaluate(TITLE)))
    assert len(steps) > 3
    assert len(places) == 1


@pytest.mark.parametrize("window", WINDOWS)
def test_a_wide_window_has_the_whole_map(site, new_page, window) -> None:
    page = new_page(viewport=window)
    page.goto(site.url + at("/map/"))
    expect(page.locator(".map--live")).to_be_attached()
    facts = page.evaluate(MAP)
    assert facts["visible"] == page.locator("a.node").count() > 20
    assert facts["letters"] >= LEAST_LETTERS
    assert facts["stage"] == window["width"]
    assert sideways_scroll(page) == 0
