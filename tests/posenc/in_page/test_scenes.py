"""The page lays a picture out as Python does: the same parts, words and names of colours, each
place within 0.01 px.
"""

import gzip
import importlib
import re
from collections.abc import Iterator
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page
from posenc.figures.live import scene_of
from posenc.figures.scene import as_json

from quizzes.config.static_storage import without_comments
from tests.posenc.in_page.draws import IN_PAGE, Draw, golden_draws, random_draws
from tests.posenc.in_page.page_server import STATIC, serving

WIDTHS = (300, 360, 720, 1200)
MOST_BYTES = 32_500  # compressed; 1 000 let value and formula run along with Play
APART = 0.0101  # px: a half may be rounded up or down
NUMBER = re.compile(r"-?\d+(?:\.\d+)?")
IMPORT = re.compile(r'^import .*?from "(.+?)";$', re.MULTILINE | re.DOTALL)
IN_THE_PAGE = """
async (scenes) => {
  const { layoutOf } = await import("/figures/page-picture.js");
  const corners = (box) => [box.x, box.y, box.width, box.height];
  const found = [];
  for (const { module, parameters, width } of scenes) {
    const { compute } = await import(`/figures/views/${module}`);
    const { sceneOf } = await layoutOf(compute(parameters).kind, compute(parameters).scale);
    const { plots, parts, drawn, ...rest } = sceneOf(compute(parameters), width);
    const plain = parts.map((part) => part.kind === "cells"
      ? { ...part, box: corners(part.box), indices: Array.from(part.indices) } : part);
    found.push({ ...rest, plots: plots.map(corners), parts: plain });
  }
  return found;
}
"""
# The most numbers that an array of a step has, of (module, parameters, width).
LARGEST_ARRAY = """
async ([module, parameters, width]) => {
  const { heatmapScene } = await import("/figures/heatmap.js");
  const { compute } = await import(`/figures/views/${module}`);
  const usual = Float64Array;
  const lengths = [];
  globalThis.Float64Array = class extends usual {
    constructor(...given) {
      super(...given);
      lengths.push(this.length);
    }
  };
  try {
    const { drawn } = heatmapScene(compute(parameters), width);
    return [Math.max(...lengths), drawn.values.data.length];
  } finally {
    globalThis.Float64Array = usual;
  }
}
"""


@pytest.mark.slow
def test_the_page_lays_out_what_python_lays_out(page: Page):
    """Every view, at every width; the draws of a view take turns at the widths."""
    turns = [
        (draw, width)
        for one in IN_PAGE
        for number, draw in enumerate(draw for draw in golden_draws(*one) if draw.texts)
        for width in WIDTHS[number % 2 :: 2]
    ]
    require_same_scenes(page, turns)


@pytest.mark.soak
@pytest.mark.parametrize("one", IN_PAGE, ids=[view.in_page for _, view in IN_PAGE])
def test_the_page_lays_out_what_python_lays_out_within_the_sliders(page: Page, one):
    most = one[1].in_page_cells
    draws = [draw for draw in random_draws(*one, 40) if draw.selection.compute().values.size < most]
    assert len(draws) >= 10
    require_same_scenes(page, [*product(draws, WIDTHS)])


@pytest.mark.parametrize("group", ["none", "sine-cosine"])
def test_a_step_of_the_largest_heatmap_has_no_array_of_all_its_numbers(page: Page, group: str):
    """It would be written, read and thrown away in each step; a reader who points makes it."""
    parameters = {"d_model": "512", "positions": "512", "group": group}
    with serving([]) as server:
        page.goto(server.address)
        asked = ["sinusoidal/heatmap.js", parameters, 720]
        largest, of_reader = page.evaluate(LARGEST_ARRAY, asked)
    assert largest <= 512 * 512 / 16
    assert of_reader == 512 * 512


def test_a_moved_part_or_another_colour_is_noticed():
    draw = next(golden_draws(*IN_PAGE[0]))
    scene = as_json(scene_of(draw.selection.compute(), 720))
    moved = as_json(scene_of(draw.selection.compute(), 722))
    assert apart(scene, scene) == ""
    assert apart(moved, scene)
    frame = next(part for part in moved["parts"] if part["kind"] == "rect")
    again = {**frame, "attributes": {**frame["attributes"], "stroke": "text"}}
    assert "stroke" in apart(again, frame)


def test_the_constants_of_the_page_are_those_of_python():
    figure_facts = importlib.import_module("tools.figure_facts")
    for file, text in figure_facts.texts().items():
        assert file.read_text() == text, "run: python tools/figure_facts.py"


@pytest.mark.parametrize("one", IN_PAGE, ids=[view.in_page for _, view in IN_PAGE])
def test_the_scripts_of_a_figure_are_small(one):
    """What a page with this view loads before anybody touches it, as production sends it."""
    view = one[1]
    begin = ["lessons/figure.js", "figures/page-picture.js", f"figures/views/{view.in_page}"]
    begin += [f"figures/{view.kind}.js", "lessons/figure-play.js", "lessons/figure-together.js"]
    if view.tokens_on != "none":
        begin += ["lessons/figure-words.js"]
    if view.kind == "heatmap":
        begin += ["figures/paint-cells.js", f"figures/palettes/{view.scale}.js"]
    loaded = loaded_by(STATIC / name for name in begin)
    assert STATIC / "figures/drawer.js" in loaded
    sent = [without_comments(one.read_text()).encode() for one in loaded]
    assert sum(len(gzip.compress(one)) for one in sent) <= MOST_BYTES


def loaded_by(files: Iterator[Path]) -> set[Path]:
    """Return the modules that are loaded with these, those asked for later left out."""
    found: set[Path] = set()
    left = [*files]
    while left:
        file = left.pop().resolve()
        if file not in found:
            found.add(file)
            left += [file.parent / name for name in IMPORT.findall(file.read_text())]
    return found


def require_same_scenes(page: Page, scenes: list[tuple[Draw, int]]) -> None:
    """Hold each scene that the page makes of a draw at a width to Python's."""
    with serving([]) as server:
        page.goto(server.address)
        asked = [{**draw.for_page(), "width": width} for draw, width in scenes]
        found = page.evaluate(IN_THE_PAGE, asked)
    for (draw, width), scene in zip(scenes, found, strict=True):
        expected = as_json(scene_of(draw.selection.compute(), width))
        assert apart(scene, expected) == "", f"{draw} at {width} px"


def apart(found: Any, expected: Any) -> str:
    """Return the first place where two scenes differ, "" where they do not."""
    return next(_differences(found, expected, ""), "")


def _differences(found: Any, expected: Any, at: str) -> Iterator[str]:
    if isinstance(expected, list) and at.endswith(".indices"):
        if found != expected:
            yield f"{at}: other colours"
    elif isinstance(expected, dict | list):
        parts, others = (_by_name(one) for one in (expected, found))
        if parts.keys() != others.keys():
            yield f"{at}: {sorted(others)} instead of {sorted(parts)}"
        else:
            for name, one in parts.items():
                yield from _differences(others[name], one, f"{at}.{name}")
    elif found != expected and not _nearly(str(found), str(expected)):
        yield f"{at}: {found!r} instead of {expected!r}"


def _by_name(one: dict[str, Any] | list[Any]) -> dict[str, Any]:
    return one if isinstance(one, dict) else {f"{place:05}": part for place, part in enumerate(one)}


def _nearly(found: str, expected: str) -> bool:
    """Return whether only numbers differ, and these by rounding."""
    if NUMBER.sub("#", found) != NUMBER.sub("#", expected):
        return False
    both = zip(NUMBER.findall(found), NUMBER.findall(expected), strict=True)
    return all(abs(float(one) - float(other)) < APART for one, other in both)
