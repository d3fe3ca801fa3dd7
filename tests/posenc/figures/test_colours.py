"""A value has the same colour in both renderers and in matplotlib's own map."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from posenc.catalog.alibi import Alibi
from posenc.figures.cells import cells_drawn, colour_indices
from posenc.figures.live import draw_live
from posenc.figures.palettes import INKS, PALETTES
from posenc.figures.reference import build, draw
from posenc.registry import REGISTRY

from tests.posenc.figures.drawing import FIGURE_3, SCHEMES, views_of
from tests.posenc.figures.drawn import covered, elements, images, images_in, rgb


@pytest.mark.parametrize("scale", PALETTES)
@pytest.mark.parametrize("scheme", SCHEMES)
def test_the_palettes_equal_the_palettes_of_matplotlib(scale, scheme):
    from matplotlib import colormaps

    name, palette = PALETTES[scale][scheme]
    theirs = colormaps[name](np.arange(256), bytes=True)[:, :3]
    np.testing.assert_array_equal(np.frombuffer(palette, np.uint8).reshape(256, 3), theirs)


@given(st.lists(st.floats(-1, 1), min_size=1))
def test_the_palette_index_of_a_value(values):
    expected = [min(255, int(np.floor(256 * (v + 1) / 2))) for v in values]
    assert colour_indices(np.array([values]), (-1.0, 1.0))[0].tolist() == expected


def test_both_ends_of_the_scale_have_their_colour_and_nothing_wraps_round():
    ends = colour_indices(np.array([[-1.0, 1.0, -1.1, 1.1]]), (-1.0, 1.0))
    assert ends.tolist() == [[0, 255, 0, 255]]


@pytest.mark.covering(most=1)
@pytest.mark.slow
@pytest.mark.parametrize("scheme", SCHEMES)
def test_figure_3_shows_the_same_colours_live_in_the_reference_and_by_matplotlib(scheme):
    from matplotlib import colormaps
    from matplotlib.colors import Normalize

    live = draw_live(FIGURE_3, scheme=scheme)
    name, _ = PALETTES["signed_unit"][scheme]
    expected = colormaps[name](Normalize(-1, 1)(FIGURE_3.values), bytes=True)[:, :, :3]
    np.testing.assert_array_equal(images(live.svg)[0], expected)
    np.testing.assert_array_equal(_cells_of_reference(FIGURE_3, scheme), expected)


@pytest.mark.covering(most=1)
@pytest.mark.slow
@pytest.mark.parametrize("scheme", SCHEMES)
def test_cells_without_a_number_are_grey_and_bent_colours_logarithmic_in_both(scheme):
    from matplotlib import colormaps

    data = REGISTRY["alibi"].views["penalties"].compute(Alibi(n_heads=4, form="causal"), head=2)
    name, _ = PALETTES["magnitude"][scheme]
    highest = 31 * 0.25  # distance times the steepest slope
    shares = np.log(1 + data.values / 0.1) / np.log(1 + highest / 0.1)
    grey = [int(INKS[scheme].masked[i : i + 2], 16) for i in (1, 3, 5)]
    later = np.triu(np.ones((32, 32), dtype=bool), k=1)
    shown = colormaps[name](np.nan_to_num(shares), bytes=True)[:, :, :3]
    expected = np.where(later[:, :, None], np.array(grey, dtype=np.uint8), shown)
    live = draw_live(data, scheme=scheme)
    np.testing.assert_array_equal(covered(live.svg), expected)
    below = np.s_[12:, :18]  # the reference has its legend in the upper right corner
    reference = _cells_of_reference(data, scheme)
    np.testing.assert_array_equal(reference[below], expected[below])
    assert "later keys" in " ".join(e.text for e in elements(live.svg, "text"))
    assert "later keys" in live.alt


def _cells_of_reference(data, scheme):
    """Return the colour in the middle of each cell of the reference PNG, without its cursor."""
    figure = build(data, scheme=scheme, width_px=1600)
    box = figure.axes[0].get_position()
    pixels = rgb(draw(data, scheme=scheme, file="png", width_px=1600))
    height, width, _ = pixels.shape
    rows, columns = data.values.shape
    xs = (box.x0 + (np.arange(columns) + 0.5) / columns * box.width) * width
    ys = (1 - box.y1 + (np.arange(rows) + 0.5) / rows * box.height) * height
    return pixels[np.ix_(ys.astype(int), xs.astype(int))]


@pytest.mark.covering(most=4)
@pytest.mark.slow
@pytest.mark.parametrize(("entry", "view"), views_of("heatmap", "panels"))
@pytest.mark.parametrize("width", [360, 720])
def test_every_map_shows_its_values_in_both_renderers(entry, view, width):
    """Each renderer's cells are those of the data, or means where it has no pixel for each."""
    data = view.compute(entry.encoding())
    picture = draw_live(data, width_px=width)
    axes = build(data, scheme="light", width_px=width).axes
    drawn = picture.drawn
    for panel, box, plot in zip(drawn.panels or (drawn,), picture.plots, axes, strict=False):
        if panel.kind != "heatmap":
            continue
        _, palette = PALETTES[panel.scale]["light"]
        colours = np.frombuffer(palette, np.uint8).reshape(256, 3)
        shown, _ = cells_drawn(panel, box.width, box.height)
        there = ~np.isnan(shown)
        expected = colours[colour_indices(shown, panel.limits, panel.bend)]
        cells = images_in(picture, box)[0]
        np.testing.assert_array_equal(cells[there], expected[there])
        image = plot.get_images()[0]
        shares = np.ma.filled(image.get_array().astype(float), np.nan)
        assert image.cmap.name == PALETTES[panel.scale]["light"][0]
        reference = image.to_rgba(image.get_array(), bytes=True)[:, :, :3]
        if shares.shape == shown.shape:
            np.testing.assert_array_equal(np.isnan(shares), ~there)
            off = np.abs(reference[there].astype(int) - expected[there]).max(initial=0)
            assert off <= 12, "more than the next colour of 256"
        else:
            assert min(shown.size, shares.size) < panel.values.size
