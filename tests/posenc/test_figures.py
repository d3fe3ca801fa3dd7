"""Two renderers of one view: the same values, limits and ticks, or they would drift apart."""

import re
from xml.etree import ElementTree as ET

import numpy as np
import posenc.catalog  # noqa: F401  (fills the registry)
import pytest
from hypothesis import given
from hypothesis import strategies as st
from posenc.catalog.alibi import Alibi
from posenc.catalog.sinusoidal import Sinusoidal
from posenc.errors import ParameterError
from posenc.figures.cells import colour_indices, one_pixel_or_more
from posenc.figures.live import draw_live
from posenc.figures.palettes import INKS, PALETTES
from posenc.figures.reference import build, draw
from posenc.registry import REGISTRY

from tests.posenc.drawn import (
    covered,
    elements,
    images,
    live_lines,
    live_ticks,
    reference_ticks,
    rgb,
    words_outside,
)

VIEWS = [
    pytest.param(entry, view, id=f"{entry.slug}-{view.slug}")
    for entry in REGISTRY.values()
    for view in entry.views.values()
]
HEATMAP = REGISTRY["sinusoidal"].views["heatmap"]
FIGURE_3 = HEATMAP.compute(Sinusoidal(d_model=50))
SCHEMES = ["light", "dark"]


@pytest.mark.parametrize("scale", PALETTES)
@pytest.mark.parametrize("scheme", SCHEMES)
def test_the_palettes_are_those_of_matplotlib(scale, scheme):
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


@pytest.mark.parametrize("scheme", SCHEMES)
def test_figure_3_shows_the_same_colours_live_in_the_reference_and_by_matplotlib(scheme):
    from matplotlib import colormaps
    from matplotlib.colors import Normalize

    live = draw_live(FIGURE_3, scheme=scheme)
    name, _ = PALETTES["signed_unit"][scheme]
    expected = colormaps[name](Normalize(-1, 1)(FIGURE_3.values), bytes=True)[:, :, :3]
    assert live.png
    np.testing.assert_array_equal(images(live.svg)[0], expected)
    np.testing.assert_array_equal(rgb(live.png), expected)
    np.testing.assert_array_equal(_cells_of_reference(FIGURE_3, scheme), expected)


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


WITH_AXES = [one for one in VIEWS if one.values[1].kind != "circles"]
CURVES = [one for one in VIEWS if one.values[1].kind in {"curves", "panels"}]
CIRCLES = [one for one in VIEWS if one.values[1].kind == "circles"]


def both(data, width):
    """Return the live picture, and for each plot its data, its box and matplotlib's axes."""
    picture, axes = (
        draw_live(data, width_px=width),
        build(data, scheme="light", width_px=width).axes,
    )
    return picture, list(zip(data.panels or (data,), picture.plots, axes, strict=False))


@pytest.mark.parametrize(("entry", "view"), WITH_AXES)
@pytest.mark.parametrize("width", [360, 720])
def test_both_renderers_have_the_same_ticks_labels_and_limits(entry, view, width):
    data = view.compute(entry.encoding())
    picture, plots = both(data, width)
    words = {element.text for element in elements(picture.svg, "text")}
    assert len(plots) == max(len(data.panels), 1)
    for panel, box, axes in plots:
        live = live_ticks(picture, panel, box)
        limits = (panel.x, panel.y)
        for drawn, reference, axis in zip(live, reference_ticks(axes), limits, strict=True):
            span = abs(axis.limits[1] - axis.limits[0])
            assert list(drawn.labelled) == list(reference.labelled) == list(axis.tick_labels)
            for label, value in reference.labelled.items():
                assert drawn.labelled[label] == pytest.approx(value, abs=span / 4000)
            np.testing.assert_allclose(
                sorted(drawn.values), sorted(reference.values), rtol=0, atol=span / 4000
            )
        assert sorted(axes.get_xlim()) == pytest.approx(panel.x.limits)
        assert sorted(axes.get_ylim()) == pytest.approx(panel.y.limits)
        assert {axes.get_xlabel(), axes.get_ylabel()} <= words | {""}
    assert plots[-1][2].get_xlabel() == data.x.label


@pytest.mark.parametrize(("entry", "view"), CURVES)
def test_both_renderers_draw_the_same_curves(entry, view):
    data = view.compute(entry.encoding())
    picture, plots = both(data, 1600)
    for panel, box, axes in plots:
        lines = live_lines(picture, panel, box)
        drawn = [line for line in axes.get_lines() if line.get_label() in panel.series]
        assert len(lines) == len(drawn) == len(panel.series)
        spans = [abs(high - low) for low, high in (panel.x.limits, panel.y.limits)]
        for live, reference, row in zip(lines, drawn, range(len(panel.values)), strict=True):
            xs, ys = reference.get_data()
            there = np.isfinite(ys)
            np.testing.assert_allclose(live[0], xs[there], rtol=0, atol=spans[0] / 50_000)
            np.testing.assert_allclose(live[1], ys[there], rtol=0, atol=spans[1] / 10_000)
            places = np.searchsorted(xs, panel.x.values - 1e-9)
            np.testing.assert_allclose(ys[places], panel.values[row], rtol=0, atol=spans[1] * 1e-9)


@pytest.mark.parametrize(("entry", "view"), CIRCLES)
@pytest.mark.parametrize("width", [360, 720])
def test_both_renderers_draw_the_same_hands_on_the_same_circles(entry, view, width):
    data = view.compute(entry.encoding())
    picture, axes = (
        draw_live(data, width_px=width),
        build(data, scheme="light", width_px=width).axes,
    )
    dots = [dot for dot in elements(picture.svg, "circle") if dot.get("fill") != "none"]
    count, positions = data.values.shape
    assert len(dots) == count * positions
    assert len(axes) == len(picture.plots) == count
    for row, (box, plot) in enumerate(zip(picture.plots, axes, strict=True)):
        assert plot.get_title() == data.series[row]
        for position, line in enumerate(plot.get_lines()):
            dot = dots[row * positions + position]
            x = (float(dot.get("cx")) - box.x) / box.width * 2 - 1
            y = 1 - (float(dot.get("cy")) - box.y) / box.height * 2
            angle = data.values[row, position]
            assert (x, y) == pytest.approx((np.cos(angle), np.sin(angle)), abs=2e-4)
            assert [end[1] for end in line.get_data()] == pytest.approx(
                [np.cos(angle), np.sin(angle)]
            )


@pytest.mark.parametrize(("entry", "view"), VIEWS)
@pytest.mark.parametrize("width", [300, 360, 720, 1200])
def test_live_words_are_large_enough_and_inside_the_picture(entry, view, width):
    picture = draw_live(view.compute(entry.encoding()), width_px=width)
    sizes = [float(size) for size in re.findall(r'font-size="([\d.]+)"', picture.svg)]
    assert min(sizes) >= 11
    assert words_outside(picture) == []


@pytest.mark.parametrize(("entry", "view"), VIEWS)
@pytest.mark.parametrize("scheme", SCHEMES)
def test_pictures_keep_a_strict_content_policy_and_name_themselves(entry, view, scheme):
    data = view.compute(entry.encoding())
    for svg in (draw_live(data, scheme=scheme).svg, draw(data, scheme=scheme, file="svg").decode()):
        root = ET.fromstring(svg)
        assert root.get("role") == "img"
        assert data.finding in root.get("aria-label")
        for element in root.iter():
            assert "style" not in element.attrib
            assert element.tag.rsplit("}", 1)[-1] not in {"style", "script", "foreignObject"}
            assert not [name for name in element.attrib if name.startswith("on")]
            for name, value in element.attrib.items():
                if name.endswith("href") and "rdf" not in name:
                    assert value.startswith(("data:image/png;base64,", "#"))


def test_words_of_a_view_cannot_become_elements():
    from dataclasses import replace

    hostile = replace(FIGURE_3, title='<script>"&', x=replace(FIGURE_3.x, label="<b>\"'"))
    for svg in (draw_live(hostile).svg, draw(hostile, file="svg").decode()):
        root = ET.fromstring(svg)
        assert root.get("aria-label").startswith('<script>"&')
        assert not [e for e in root.iter() if e.tag.endswith(("script", "}b"))]


@pytest.mark.parametrize("file", ["svg", "png", "pdf"])
def test_equal_figures_are_equal_bytes(file):
    first = draw(FIGURE_3, file=file)
    assert first == draw(HEATMAP.compute(Sinusoidal(d_model=50)), file=file)
    assert first != draw(HEATMAP.compute(Sinusoidal(d_model=48)), file=file)


def test_eight_threads_draw_what_one_draws():
    from concurrent.futures import ThreadPoolExecutor

    views = [HEATMAP.compute(Sinusoidal(d_model=d)) for d in (4, 6, 8, 10)]
    alone = [draw(view, file="svg", width_px=400) for view in views]
    with ThreadPoolExecutor(8) as pool:
        together = list(pool.map(lambda view: draw(view, file="svg", width_px=400), views * 4))
    assert together == alone * 4


def test_drawing_leaves_the_settings_of_matplotlib_alone():
    import matplotlib as mpl

    before = dict(mpl.rcParams)
    draw(FIGURE_3)
    assert dict(mpl.rcParams) == before


@given(st.integers(1, 700), st.integers(1, 900), st.integers(160, 1600))
def test_every_cell_has_a_pixel_or_the_picture_says_what_a_pixel_stands_for(rows, columns, width):
    data = HEATMAP.compute(Sinusoidal(d_model=max(columns, 2)), positions=rows)
    picture = draw_live(data, width_px=width)
    shown_rows, shown_columns, _ = images(picture.svg)[0].shape
    assert shown_rows <= picture.plot.height
    assert shown_columns <= picture.plot.width
    assert bool(picture.note) == ((shown_rows, shown_columns) != data.values.shape)
    assert picture.note in picture.alt
    for shown, px in ((shown_columns, picture.plot.width), (shown_rows, picture.plot.height)):
        assert px / shown >= 6 or px % shown == 0, "cells of unequal width make moire"


def test_more_cells_than_pixels_are_means_of_neighbours():
    values = np.arange(30.0).reshape(3, 10)
    shown, note = one_pixel_or_more(values, width=4, height=2)
    columns = [values[:, i : i + 3].mean(axis=1) for i in (0, 3, 6, 9)]
    by_hand = np.stack(columns, axis=1)
    expected = [(by_hand[0] + by_hand[1]) / 2, by_hand[2]]
    np.testing.assert_allclose(shown, expected)
    assert note == (
        "Each column of pixels is the mean of 3 columns. Each row of pixels is the mean of 2 rows."
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


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"scheme": "blue"}, "scheme=blue: must be one of light, dark"),
        ({"width_px": 20}, "width_px=20: must be between 160 and 1600"),
        ({"width_px": 10**9}, "width_px=1000000000: must be between 160 and 1600"),
    ],
)
def test_a_scheme_or_width_that_cannot_be_drawn_is_refused(arguments, message):
    for function in (draw_live, draw):
        with pytest.raises(ParameterError, match=message):
            function(FIGURE_3, **arguments)
    with pytest.raises(ParameterError, match="file=gif: must be one of svg, png, pdf"):
        draw(FIGURE_3, file="gif")


@pytest.mark.parametrize("scheme", SCHEMES)
def test_words_stand_out_from_the_paper(scheme):
    """WCAG 1.4.3: 4.5 to 1 for words; 1.4.11: 3 to 1 for ticks and curves."""
    ink = INKS[scheme]
    assert _contrast(ink.text, ink.paper) >= 7
    assert _contrast(ink.soft, ink.paper) >= 3


def _contrast(one, other):
    lights = sorted(_luminance(colour) for colour in (one, other))
    return (lights[1] + 0.05) / (lights[0] + 0.05)


def _luminance(colour):
    parts = np.array([int(colour[i : i + 2], 16) for i in (1, 3, 5)]) / 255
    linear = np.where(parts <= 0.04045, parts / 12.92, ((parts + 0.055) / 1.055) ** 2.4)
    return linear @ [0.2126, 0.7152, 0.0722]
