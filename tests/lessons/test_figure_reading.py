"""Every value of a figure can be read: by pointing, by touch, by keys, in every kind of picture."""

import base64
import re
from collections.abc import Callable, Iterator
from dataclasses import replace

import numpy as np
import pytest
from django.test import Client
from playwright.sync_api import Page, expect
from posenc.errors import QueryError
from posenc.figures.live import scene_of
from posenc.query import Selection, read_query
from posenc.registry import REGISTRY
from pytest_django.live_server_helper import LiveServer

from quizzes.lessons.figures.live import MOST_READ, cell_words, reading

VIEWS = [(entry, view) for entry in REGISTRY.values() for view in entry.views.values()]
IDS = [f"{entry.slug}/{view.slug}" for entry, view in VIEWS]


def usual(name: str, **texts: str) -> Selection:
    encoding, view = name.split("/")
    entry = REGISTRY[encoding]
    return read_query(entry, entry.views[view], texts)


@pytest.mark.covering
@pytest.mark.parametrize("one", VIEWS, ids=IDS)
@pytest.mark.parametrize("width", ["wide", "narrow"])
def test_an_answer_has_every_number_of_a_picture_and_its_place(one, width):
    selection = read_query(*one, {})
    found = reading(selection, width=width)
    scene = scene_of(selection.compute(), found["width"])
    data = scene.drawn
    panels = data.panels or (data,)
    if data.kind == "circles":
        panels = tuple(replace(data, values=row[None]) for row in data.values)
    sizes = [panel.values.size for panel in panels]
    for place, panel in zip(found["places"], panels, strict=True):
        rows, columns = place["shape"]
        assert (rows, columns) == panel.values.shape
        if place["values"] is None:
            assert sum(sorted(sizes)[: sorted(sizes).index(panel.values.size) + 1]) > MOST_READ
        else:
            sent = np.frombuffer(base64.b64decode(place["values"]), "<f4")
            np.testing.assert_array_equal(sent, panel.values.ravel().astype(np.float32))
        assert len(place["columns"]["names"]) == columns
        assert len(place["rows"]["names"]) == rows
        x, y, wide, high = place["box"]
        assert x >= 0
        assert y >= 0
        assert x + wide <= found["width"]
        assert y + high <= found["height"]
        assert place["kind"] != "curves" or place["xs"] is not None


def test_of_too_many_numbers_the_small_plots_are_sent_and_the_others_asked_for_one_by_one():
    selection = usual("sinusoidal/behind-a-row", positions="45000")
    places = reading(selection, width="wide")["places"]
    sizes = [rows * columns for rows, columns in (place["shape"] for place in places)]
    assert max(sizes) > MOST_READ
    assert [place["values"] is None for place in places] == [size > MOST_READ for size in sizes]
    words = cell_words(selection, (0, 1), panel=0, width="wide")
    assert words.startswith(scene_of(selection.compute(), 720).drawn.panels[0].title + ": ")
    with pytest.raises(QueryError, match="must be below 3"):
        cell_words(selection, (0, 0), panel=3, width="wide")


@pytest.mark.django_db
@pytest.mark.parametrize(
    "query",
    [
        "at=0,0&panel=x",
        "at=0,0&panel=-1",
        f"panel={9:05000}",
        f"at=0,{9:05000}",
        "reading=2",
        "at=9999,0",
    ],
)
def test_a_value_that_is_not_there_is_refused_by_name(client: Client, query):
    answer = client.get(f"/figures/alibi/biases.json?{query}")
    assert answer.status_code == 400
    assert set(answer.json()) & {"panel", "reading", "at"}


KEYS = ["ArrowRight", "ArrowRight", "ArrowDown", "End", "PageUp", "ArrowUp", "ArrowLeft", "Home"]
READ = [  # in the page and from the server: curves, panels, circles, a map
    "alibi/slopes",
    "kerple/bias",
    "alibi/biases",
    "shaw/lookup",
    "rope/turns",
    "sinusoidal/widths",
    "learned/similarity",
]


@pytest.mark.browser
@pytest.mark.django_db(transaction=True)
@pytest.mark.covering(most=1)
@pytest.mark.parametrize("name", READ)
def test_keys_tell_what_the_engine_computes(page: Page, live_server: LiveServer, name: str):
    page.goto(f"{live_server.url}/explore/?enc={name}")
    selection = usual(name)
    cursor, readout = page.locator("[data-part=cursor]"), page.locator(".live__readout")
    spoken = page.locator(".live__canvas [aria-live]")
    cursor.focus()
    heard = []
    for key, (place, row, column) in zip(KEYS, walked(selection), strict=True):
        page.keyboard.press(key)
        words = words_of(selection, place, row, column)
        expect(readout).to_have_text(words)
        expect(spoken).to_have_text(words)
        heard.append(words)
    assert len(set(heard)) > 4
    page.keyboard.press("Tab")
    expect(readout).to_be_hidden()


def walked(selection: Selection) -> Iterator[tuple[int, int, int]]:
    """Yield the plot, row and column at which each of KEYS arrives."""
    data = selection.compute()
    sizes = [panel.values.shape for panel in data.panels or (data,)]
    kinds = [panel.kind for panel in data.panels or (data,)]
    if data.kind == "circles":
        sizes, kinds = [(1, sizes[0][1])] * sizes[0][0], ["circles"] * sizes[0][0]
    place = row = column = 0
    for key in KEYS:
        rows, columns = sizes[place]
        if key in ("Home", "End"):
            column = 0 if key == "Home" else columns - 1
        elif key.startswith("Page"):
            assert key == "PageUp"
            if kinds[place] == "heatmap":
                row = max(row - 5, 0)
            else:
                column = max(column - 10, 0)
        elif key in ("ArrowLeft", "ArrowRight"):
            column = min(max(column + (1 if key == "ArrowRight" else -1), 0), columns - 1)
        elif key == "ArrowDown" and row == rows - 1 and place < len(sizes) - 1:
            place, row, column = place + 1, 0, min(column, sizes[place + 1][1] - 1)
        elif key == "ArrowUp" and row == 0 and place > 0:
            place -= 1
            row, column = sizes[place][0] - 1, min(column, sizes[place][1] - 1)
        else:
            row = min(max(row + (1 if key == "ArrowDown" else -1), 0), rows - 1)
        yield place, row, column


def words_of(selection: Selection, place: int, row: int, column: int) -> str:
    if selection.view.kind == "circles":
        place, row = 0, place
    return cell_words(selection, (row, column), panel=place, width="wide")


@pytest.mark.browser
@pytest.mark.django_db(transaction=True)
@pytest.mark.covering(most=1)
@pytest.mark.parametrize("touch", [False, True])
@pytest.mark.parametrize("name", ["kerple/bias", "alibi/biases", "rope/turns", "sinusoidal/widths"])
def test_the_value_at_a_point_is_that_of_the_engine(
    new_page: Callable[..., Page], live_server: LiveServer, name: str, touch: bool
):
    """Half way along the first plot stands a value that the engine has at that row and column."""
    size = {"width": 390, "height": 844} if touch else {"width": 1280, "height": 900}
    page = new_page(has_touch=touch, viewport=size)
    page.goto(f"{live_server.url}/explore/?enc={name}")
    selection = usual(name)
    width = "narrow" if touch else "wide"
    found = reading(selection, width=width)
    x, y, wide, high = found["places"][0]["box"]
    page.evaluate("document.querySelector('.live__canvas').scrollIntoView()")
    picture = page.locator(".live__canvas [data-part=picture]").bounding_box()
    assert picture
    scale = picture["width"] / found["width"]
    at = (picture["x"] + (x + wide / 2) * scale, picture["y"] + (y + high / 2) * scale)
    if touch:
        page.touchscreen.tap(*at)
    else:
        page.mouse.move(*at)
    readout = page.locator(".live__readout")
    expect(readout).to_have_text(re.compile(r": [+−]?\d"))
    rows, columns = found["places"][0]["shape"]
    cells = ((row, column) for row in range(rows) for column in range(columns))
    known = {cell_words(selection, cell, panel=0, width=width) for cell in cells}
    assert readout.inner_text() in known
    box = readout.bounding_box()
    assert box
    assert box["x"] >= 0
    assert box["x"] + box["width"] <= size["width"]
    if not touch:
        page.mouse.move(0, 0)
        expect(readout).to_be_hidden()


@pytest.mark.soak
@pytest.mark.browser
@pytest.mark.django_db(transaction=True)
def test_of_very_many_values_the_one_is_asked_for_when_the_pointer_rests(
    page: Page, live_server: LiveServer
):
    page.goto(f"{live_server.url}/explore/?enc=sinusoidal/full-period")
    page.evaluate("document.querySelector('.live__canvas').scrollIntoView()")
    picture = page.locator(".live__canvas img").bounding_box()
    assert picture
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url) if "at=" in request.url else None)
    page.mouse.move(picture["x"] + picture["width"] * 0.3, picture["y"] + picture["height"] * 0.3)
    expect(page.locator(".live__readout")).to_have_text(re.compile(r"position \d+, dimension \d+:"))
    for step in range(12):  # on its way it asks for nothing
        page.mouse.move(picture["x"] + picture["width"] * 0.3 - 4 * step, picture["y"] + 150)
    assert len(asked) <= 2


@pytest.mark.soak
@pytest.mark.browser
@pytest.mark.django_db(transaction=True)
def test_the_outlined_patch_moves_by_click_and_keys(page: Page, live_server: LiveServer):
    page.goto(f"{live_server.url}/explore/?enc=rope_2d/patches")
    cursor = page.locator("[data-part=cursor]")
    cursor.press("ArrowDown")
    expect(page.locator("#a-row")).to_have_value("6")
    expect(page.locator("[data-part=cursor-text]")).to_contain_text("row 6, column 8")
    box = cursor.bounding_box()
    assert box
    cursor.click(position={"x": box["width"] / 2, "y": box["height"] / 4})
    expect(page.locator("[data-part=cursor-text]")).not_to_contain_text("row 6, column 8")
