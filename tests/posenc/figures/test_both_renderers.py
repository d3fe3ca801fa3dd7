"""Two renderers of one view: the same values, limits and ticks, or they would drift apart."""

import numpy as np
import pytest
from posenc.figures.curves import MANY_POINTS
from posenc.figures.live import draw_live
from posenc.figures.reference import build

from tests.posenc.figures.drawing import views_of
from tests.posenc.figures.drawn import elements, live_lines, live_ticks, reference_ticks


def both(data, width):
    """Return the live picture, and for each plot its data, its box and matplotlib's axes."""
    picture, axes = (
        draw_live(data, width_px=width),
        build(data, scheme="light", width_px=width).axes,
    )
    data = picture.drawn or data  # columns that would be too narrow are drawn in groups
    return picture, list(zip(data.panels or (data,), picture.plots, axes, strict=False))


@pytest.mark.covering(most=8)
@pytest.mark.slow
@pytest.mark.parametrize(("entry", "view"), views_of("heatmap", "curves", "panels"))
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
            labels, places = zip(*drawn.labelled, strict=True)
            assert labels == tuple(label for label, _ in reference.labelled) == axis.tick_labels
            expected = [value for _, value in reference.labelled]
            np.testing.assert_allclose(places, expected, rtol=0, atol=span / 4000)
            np.testing.assert_allclose(
                sorted(drawn.values), sorted(reference.values), rtol=0, atol=span / 4000
            )
        assert sorted(axes.get_xlim()) == pytest.approx(panel.x.limits)
        assert sorted(axes.get_ylim()) == pytest.approx(panel.y.limits)
        assert {axes.get_xlabel(), axes.get_ylabel()} <= words | {""}
    assert plots[-1][2].get_xlabel() == plots[-1][0].x.label


def as_a_screen_shows(xs, ys, live, panel, box):
    """Return which points the live line has, each the nearest of those that follow.

    A line of very many points may leave out some, but no end of the range in a column of pixels.
    """
    if len(live[0]) == len(xs):
        return np.arange(len(xs))
    assert len(xs) > MANY_POINTS
    low, high = panel.x.limits
    width, height = box.width, abs(panel.y.limits[1] - panel.y.limits[0])
    log = panel.x.scale == "log"
    across, drawn = (
        (np.log(x / low) / np.log(high / low) if log else (x - low) / (high - low)) * width
        for x in (xs, live[0])
    )
    kept, at = [], 0
    for x, y in zip(drawn, live[1], strict=True):
        ahead = np.abs(across[at:] - x) / width + np.abs(ys[at:] - y) / height
        at += int(np.argmin(ahead))
        kept.append(at)
    for column in range(1, int(width) - 1):
        here = (across >= column) & (across < column + 1)
        if here.any():
            near = (drawn > column - 1) & (drawn < column + 2)
            assert live[1][near].min() <= ys[here].min() + height / 10_000
            assert live[1][near].max() >= ys[here].max() - height / 10_000
    return np.array(kept)


def on_paper(values, axis):
    """Return the values as they lie along an axis: their logarithms on a logarithmic one."""
    return np.log10(values) if axis.scale == "log" else np.asarray(values)


def same(found, expected, axis, *, atol):
    np.testing.assert_allclose(on_paper(found, axis), on_paper(expected, axis), rtol=0, atol=atol)


@pytest.mark.covering(most=8)
@pytest.mark.parametrize(("entry", "view"), views_of("curves", "panels"))
def test_both_renderers_draw_the_same_curves(entry, view):
    data = view.compute(entry.encoding())
    picture, plots = both(data, 1600)
    for panel, box, axes in plots:
        if panel.kind != "curves":
            continue
        lines = live_lines(picture, panel, box)
        drawn = [line for line in axes.get_lines() if line.get_label() in panel.series]
        assert len(drawn) == len(panel.series)
        there = np.isfinite(panel.values).any(axis=1)  # a curve may stand for all others
        drawn = [line for line, one in zip(drawn, there, strict=True) if one]
        assert len(lines) == len(drawn)
        spans = [np.ptp(on_paper(axis.limits, axis)) for axis in (panel.x, panel.y)]
        for live, reference, row in zip(lines, drawn, np.flatnonzero(there), strict=True):
            xs, ys = reference.get_data()
            known = np.isfinite(ys)
            kept = as_a_screen_shows(xs[known], ys[known], live, panel, box)
            same(live[0], xs[known][kept], panel.x, atol=spans[0] / 50_000)
            same(live[1], ys[known][kept], panel.y, atol=spans[1] / 10_000)
            places = np.searchsorted(xs, panel.x.values - 1e-9)
            same(ys[places], panel.values[row], panel.y, atol=spans[1] * 1e-9)


@pytest.mark.parametrize(("entry", "view"), views_of("circles"))
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
