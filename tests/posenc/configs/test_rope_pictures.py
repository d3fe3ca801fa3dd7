"""The ladder of periods and the clocks: their numbers against exact arithmetic."""

import math
from decimal import Decimal, getcontext
from itertools import pairwise

import numpy as np
import pytest
from posenc.catalog.rope import Rope
from posenc.configs import clocks, ladder, read_config, turning_of
from posenc.errors import ParameterError
from posenc.figures.live import draw_live, scene_of

from tests.posenc.configs.data import MODELS

LLAMA = Rope(head_dim=128, base=5e5, scaling="llama3", factor=8, trained_length=8192)
GEMMA = Rope(head_dim=512, base=1e6, rotary_share=0.25, share="proportional", pairing="half-split")


def test_periods_are_split_by_their_turns():
    data = ladder(LLAMA, trained=8192, stated=131_072)
    early, never, late, trained = data.values
    periods = 2 * math.pi / LLAMA.inv_freq
    assert data.series[0].startswith("a turn in 8")
    for pair, period in enumerate(periods):
        rows = [row[pair] for row in (early, never, late)]
        place = 0 if period <= 8192 else 2 if period <= 131_072 else 1
        assert rows[place] == pytest.approx(period, rel=1e-12)
        assert sum(math.isfinite(number) for number in rows) == 1
    assert trained[[0, -1]].tolist() == [8192, 8192]
    assert data.band.low == 131_072
    assert data.summary["beyond"] == 25


@pytest.mark.parametrize("model", MODELS, ids=[model["name"] for model in MODELS])
def test_ladders_have_the_expected_slowest_period(model):
    stack = read_config(model["new"])
    slowest = {
        ladder(way.rope, trained=way.trained, stated=None).summary["slowest"]
        for way in turning_of(stack)
        if model["layer"] in way.places
    }
    assert slowest.pop() == pytest.approx(model["slowest_period"], abs=0.051)


def test_two_models_have_the_same_axis():
    axes = [ladder(rope, stated=8192).y for rope in (LLAMA, GEMMA)]
    assert axes[0].limits == axes[1].limits == (1.0, 1e9)


def test_still_pairs_have_no_point_and_no_clock():
    data = ladder(GEMMA, stated=262_144)
    assert np.isnan(data.values[:, 64:]).all()
    assert "192 pairs never turn." in data.finding
    hands = clocks(GEMMA, position=131_071)
    assert hands.values.shape == (64, 1)
    assert "192 pairs never turn." in hands.finding


@pytest.mark.parametrize("position", [0, 1, 131_070, 131_071])
def test_angles_are_exact_to_the_last_position(position):
    getcontext().prec = 50
    base, angles = Decimal(10_000), clocks(Rope(head_dim=128), position=position).values[:, 0]
    for pair in range(64):
        exact = position * base ** (Decimal(-2 * pair) / 128)
        assert abs(Decimal(float(angles[pair])) - exact) < Decimal("1e-10")


def test_hands_behind_are_counted_and_marked():
    data = clocks(LLAMA, position=131_071, stated=131_072)
    behind = sum(131_071 * omega < 2 * math.pi for omega in LLAMA.inv_freq)
    assert data.summary["behind"] == behind == 25
    parts = scene_of(data, 720).parts
    arcs = [part for part in parts if part.layer == "lines" and part.kind == "path"]
    rings = [part for part in parts if part.layer == "lines" and part.kind == "circle"]
    assert (len(arcs), len(rings)) == (25, 39)
    assert {part.attributes["stroke"] for part in arcs} == {"series-1"}


@pytest.mark.parametrize("width", [360, 720])
def test_clocks_fit_in_the_picture(width):
    data = clocks(LLAMA, position=5)
    scene = scene_of(data, width)
    for box in scene.plots:
        assert 0 <= box.x < box.x + box.width <= width
        assert 0 <= box.y < box.bottom <= scene.height
    boxes = sorted((box.y, box.x, box.width) for box in scene.plots)
    for (y, x, size), (lower, right, _) in pairwise(boxes):
        assert lower > y + size or right > x + size
    assert draw_live(data, width_px=width).svg.startswith("<svg ")


@pytest.mark.parametrize(
    ("rope", "words"),
    [
        (Rope(head_dim=2048), "1 to 512 pairs"),
        (Rope(head_dim=64, rotary_share=0), "1 to 512 pairs"),
        (
            Rope(head_dim=64, rotary_share=0, share="proportional", pairing="half-split"),
            "at least one pair turn",
        ),
    ],
)
def test_what_cannot_be_drawn_is_refused(rope, words):
    for draw in (lambda: ladder(rope), lambda: clocks(rope, position=1)):
        with pytest.raises(ParameterError, match=words):
            draw()
