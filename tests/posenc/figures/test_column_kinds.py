"""Sines and cosines are never mixed in a picture, whatever its width and the number of columns."""

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from posenc.catalog.sinusoidal import Sinusoidal
from posenc.column_kinds import NARROWEST_IN_TURN
from posenc.figures.cells import cells_drawn, colour_indices, one_pixel_or_more
from posenc.figures.live import draw_live
from posenc.figures.palettes import PALETTES
from posenc.figures.reference import build
from posenc.registry import REGISTRY

from tests.examples import examples
from tests.posenc.figures.drawing import HEATMAP
from tests.posenc.figures.drawn import images

LAYOUTS = st.sampled_from(["interleaved", "concatenated"])
GRIDS = st.sampled_from(["paper", "tensor2tensor"])
MODELS = st.builds(Sinusoidal, d_model=st.integers(4, 1100), layout=LAYOUTS, grid=GRIDS)
COLOURS = np.frombuffer(PALETTES["signed_unit"]["light"][1], np.uint8).reshape(256, 3)
AT_ZERO = {"sine": 0.0, "cosine": 1.0, "zero": 0.0}


def assert_no_mixture(encoding, data, drawn):
    """Each drawn column lies within the values of one wave, of the columns near it."""
    columns = data.values.shape[1]
    pixels = drawn.shape[1]
    waves = np.array([encoding.column(int(name))[0] for name in data.column_names])
    for pixel in range(pixels):
        middle = (pixel + 0.5) * columns / pixels
        near = np.abs(np.arange(columns) + 0.5 - middle) <= columns / pixels + 1
        fits = [
            np.all(drawn[:, pixel] >= data.values[:, near & (waves == wave)].min(axis=1) - 1e-12)
            and np.all(
                drawn[:, pixel] <= data.values[:, near & (waves == wave)].max(axis=1) + 1e-12
            )
            for wave in set(waves[near])
        ]
        assert any(fits), pixel


@pytest.mark.slow
@examples(40)
@given(MODELS, st.integers(1, 30), st.integers(160, 900))
@example(Sinusoidal(d_model=512), 20, 360)
@example(Sinusoidal(d_model=1024), 20, 720)
@example(Sinusoidal(d_model=513, layout="concatenated", grid="tensor2tensor"), 20, 360)
def test_no_drawn_cell_comes_from_a_sine_and_a_cosine(encoding, positions, width):
    data = HEATMAP.compute(encoding, positions=positions)
    picture = draw_live(data, width_px=width)
    drawn, _ = cells_drawn(picture.drawn, picture.plot.width, picture.plot.height)
    assert_no_mixture(encoding, picture.drawn, drawn)
    expected = {tuple(COLOURS[int(colour_indices(np.array([v]), (-1.0, 1.0))[0])]) for v in (0, 1)}
    assert {tuple(one) for one in images(picture.svg)[0][0].tolist()} <= expected


@given(MODELS, st.integers(160, 900))
def test_columns_take_turns_only_where_each_is_wide_enough_to_be_seen(encoding, width):
    picture = draw_live(HEATMAP.compute(encoding), width_px=width)
    waves = [encoding.column(int(name))[0] for name in picture.drawn.column_names]
    changes = sum(one != other for one, other in pairwise(waves))
    narrow = picture.plot.width < NARROWEST_IN_TURN * encoding.d_model
    assert changes < len(set(waves)) or not narrow
    in_order = picture.drawn.column_names == tuple(map(str, range(encoding.d_model)))
    label = picture.drawn.x.label
    assert label.startswith("dimension j" if in_order else "pair i of the sines, then of the cos")
    assert ("columns are grouped" in picture.note) == (not in_order)
    assert label in picture.svg


@pytest.mark.covering
@pytest.mark.slow
@pytest.mark.parametrize("width", [360, 720])
@pytest.mark.parametrize("view", ["heatmap", "full-period"])
def test_a_plot_is_equally_wide_for_every_d_model(view, width):
    compute = REGISTRY["sinusoidal"].views[view].compute
    models = (2, 50, *range(60, 1024, 97), 340, 512, 1024)
    widths = {draw_live(compute(Sinusoidal(d_model=d)), width_px=width).plot.width for d in models}
    assert len(widths) == 1
    reference = {
        build(compute(Sinusoidal(d_model=d)), scheme="light", width_px=width)
        .axes[0]
        .get_position()
        .width
        for d in (50, 512, 1024)
    }
    assert len({round(one, 6) for one in reference}) == 1


@given(MODELS, st.integers(160, 900), st.data())
def test_the_cursor_is_on_the_pixel_that_its_cell_is_behind(encoding, width, data):
    dimension = data.draw(st.integers(0, encoding.d_model - 1))
    picture = draw_live(HEATMAP.compute(encoding, dimension=dimension), width_px=width)
    drawn = picture.drawn
    _, column = drawn.cursor
    assert drawn.column_names[column] == str(dimension)
    pixels = images(picture.svg)[0].shape[1]
    under = int((column + 0.5) / encoding.d_model * pixels)
    # The first row shows 0 for a sine and 1 for a cosine: the outline is on one of its own kind,
    # or beside the one px at which both meet.
    value = AT_ZERO[encoding.column(dimension)[0]]
    colour = COLOURS[int(colour_indices(np.array([value]), (-1.0, 1.0))[0])].tolist()
    beside = images(picture.svg)[0][0][max(under - 1, 0) : under + 2].tolist()
    assert colour in beside


@pytest.mark.parametrize("view", ["heatmap", "full-period", "behind-a-row", "rounded-positions"])
@pytest.mark.parametrize("width", [360, 720])
def test_every_picture_of_codes_knows_its_kinds(view, width):
    data = REGISTRY["sinusoidal"].views[view].compute(Sinusoidal(d_model=1000))
    drawn = draw_live(data, width_px=width).drawn
    maps = [one for one in drawn.panels or (drawn,) if one.kind == "heatmap"]
    assert maps
    for one in maps:
        assert one.kinds == ("sines",) * 500 + ("cosines",) * 500


def test_categories_are_never_averaged():
    values = np.tile([0.0, 10.0], (1, 50))
    shown, note = one_pixel_or_more(values, 30, 10, mean=False)
    assert set(shown.ravel()) <= {0.0, 10.0}
    assert note == "Each column of pixels is one of 4 columns."
