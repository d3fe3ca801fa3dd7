"""The live picture: words inside it, whole pixels, the outline on its cell."""

import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from posenc.catalog.sinusoidal import Sinusoidal
from posenc.figures.cells import one_pixel_or_more
from posenc.figures.live import draw_live

from tests.posenc.figures.drawing import HEATMAP, VIEWS
from tests.posenc.figures.drawn import elements, images, words_outside


@pytest.mark.covering
@pytest.mark.parametrize(("entry", "view"), VIEWS)
@pytest.mark.parametrize("width", [300, 360, 720, 1200])
def test_live_words_are_large_enough_and_inside_the_picture(entry, view, width):
    picture = draw_live(view.compute(entry.encoding()), width_px=width)
    sizes = [float(size) for size in re.findall(r'font-size="([\d.]+)"', picture.svg)]
    assert min(sizes) >= 11
    assert words_outside(picture) == []


@pytest.mark.slow
@given(st.integers(1, 700), st.integers(1, 900), st.integers(160, 1600))
def test_every_cell_has_a_pixel_or_the_picture_says_which_cells_share_one(rows, columns, width):
    data = HEATMAP.compute(Sinusoidal(d_model=max(columns, 2)), positions=rows)
    picture = draw_live(data, width_px=width)
    shown_rows, shown_columns, _ = images(picture.svg)[0].shape
    assert shown_rows <= picture.plot.height
    assert shown_columns <= picture.plot.width
    fewer = (shown_rows, shown_columns) != data.values.shape
    assert bool(picture.note) == (fewer or picture.drawn is not data)
    assert picture.note in picture.alt
    px = picture.plot.height
    assert px / shown_rows >= 6 or px % shown_rows == 0, "rows of unequal height make moire"


def test_more_cells_than_pixels_are_means_of_neighbours():
    values = np.arange(30.0).reshape(3, 10)
    shown, note = one_pixel_or_more(values, width=4, height=2)
    ends = ((0, 2), (2, 5), (5, 7), (7, 10))  # the columns whose middles are in each px
    columns = [values[:, low:high].mean(axis=1) for low, high in ends]
    by_hand = np.stack(columns, axis=1)
    expected = [(by_hand[0] + by_hand[1]) / 2, by_hand[2]]
    np.testing.assert_allclose(shown, expected)
    assert note == (
        "Each column of pixels is the mean of 2 to 3 columns."
        " Each row of pixels is the mean of 2 rows."
    )


def test_the_outline_is_on_its_cell_and_absent_when_the_cell_is():
    picture = draw_live(HEATMAP.compute(Sinusoidal(d_model=50), position=7, dimension=12))
    outline = elements(picture.svg, "rect")[-1]
    middle_x = float(outline.get("x")) + float(outline.get("width")) / 2
    middle_y = float(outline.get("y")) + float(outline.get("height")) / 2
    plot = picture.plot
    assert (middle_x - plot.x) / plot.width * picture.columns == pytest.approx(12.5, abs=0.01)
    assert (middle_y - plot.y) / plot.height * picture.rows == pytest.approx(7.5, abs=0.01)
    without = draw_live(HEATMAP.compute(Sinusoidal(d_model=50), position=20))
    assert len(elements(without.svg, "rect")) == len(elements(picture.svg, "rect")) - 2
    assert "outlined" in picture.alt
    assert "outlined" not in without.alt
