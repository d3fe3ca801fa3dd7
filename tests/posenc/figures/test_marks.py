"""Zones, lines along cells and their keys: in both renderers, at the same places."""

import re

import numpy as np
import pytest
from posenc.catalog.alibi import Alibi
from posenc.catalog.shaw import Shaw
from posenc.catalog.sinusoidal import Sinusoidal
from posenc.figures.describe import describe
from posenc.figures.live import draw_live
from posenc.figures.reference import build
from posenc.registry import REGISTRY

from tests.posenc.figures.drawing import VIEWS
from tests.posenc.figures.drawn import elements

MARKED = [
    ("sinusoidal", "full-period", Sinusoidal(d_model=50)),
    ("sinusoidal", "behind-a-row", Sinusoidal(d_model=50)),
    ("shaw", "clip", Shaw(clip_distance=6)),
    ("shaw", "lookup", Shaw(clip_distance=6)),
    ("t5_bias", "buckets", None),
    ("t5_bias", "staircase", None),
]


def compute(slug, view, encoding):
    entry = REGISTRY[slug]
    return entry.views[view].compute(encoding or entry.encoding())


@pytest.mark.covering
@pytest.mark.slow
@pytest.mark.parametrize(("slug", "view", "encoding"), MARKED)
@pytest.mark.parametrize("width", [360, 720])
def test_zones_begin_at_the_same_values_and_have_the_same_numbers(slug, view, encoding, width):
    data = compute(slug, view, encoding)
    picture, axes = (
        draw_live(data, width_px=width),
        build(data, scheme="light", width_px=width).axes,
    )
    for panel, box, plot in zip(data.panels or (data,), picture.plots, axes, strict=False):
        starts = [zone.low for zone in panel.zones[1:]]
        upright = [line.get_xdata()[0] for line in plot.get_lines() if _is_divider(line)]
        assert upright == pytest.approx(starts)
        low, high = panel.x.limits
        live = [(x - box.x) / box.width * (high - low) + low for x in _dividers(picture, box)]
        assert live == pytest.approx(starts, abs=(high - low) / 2000)
        numbers = [text.get_text() for text in plot.texts if text.get_weight() == "bold"]
        assert numbers == [str(one + 1) for one in range(len(panel.zones))]


def _is_divider(line):
    return len(line.get_xdata()) == 2 and line.get_ydata()[0] == 0 and line.get_ydata()[1] > 1


def _dividers(picture, box):
    """Return the x of the dashed lines that begin just above a plot."""
    paths = [
        path.get("d") for path in elements(picture.svg, "path") if path.get("stroke-dasharray")
    ]
    top = f"{box.y - 15:.2f}".rstrip("0").rstrip(".")
    found = [x for d in paths for x, y in re.findall(r"M([\d.]+) ([\d.]+)V", d) if y == top]
    return [float(x) for x in found if box.x <= float(x) <= box.x + box.width]


@pytest.mark.covering(most=8)
@pytest.mark.parametrize(("entry", "view"), VIEWS)
def test_every_mark_is_explained_in_both_and_in_words(entry, view):
    data = view.compute(entry.encoding())
    live = " ".join(text.text for text in elements(draw_live(data).svg, "text"))
    reference = " ".join(
        text.get_text() for text in build(data, scheme="light", width_px=720).texts
    )
    for panel in data.panels or (data,):
        labels = [mark.label for mark in (*panel.zones, *panel.edges)]
        if panel.kind == "heatmap" and np.isnan(panel.values).any():
            labels.append(panel.masked)
        for label in labels:
            assert label in live
            assert label in reference
            assert label in describe(data)


def test_the_lines_of_shaw_run_between_the_clipped_pairs_and_the_others():
    encoding = Shaw(clip_distance=3)
    data = REGISTRY["shaw"].views["lookup"].compute(encoding, tokens=8)
    later, earlier = (edge.corners for edge in data.panels[0].edges)
    np.testing.assert_array_equal(earlier, later[:, ::-1])
    for query in range(8):
        at = {x for x, y in later.tolist() if query - 0.5 <= y <= query + 0.5}
        clipped = [key for key in range(8) if key - query > 3]
        assert not clipped or min(clipped) - 0.5 in at
    axes = build(data, scheme="light", width_px=720).axes[0]
    drawn = [line.get_xydata() for line in axes.get_lines() if line.get_label().startswith("_bey")]
    assert len(drawn) == 4  # each line has a light one around it
    np.testing.assert_array_equal(drawn[0], later)


def test_a_text_without_clipped_pairs_has_no_zones():
    data = REGISTRY["shaw"].views["lookup"].compute(Shaw(clip_distance=64), tokens=8)
    assert [panel.edges for panel in data.panels] == [(), ()]
    assert [panel.zones for panel in data.panels] == [(), ()]


def test_heads_share_one_scale_one_bar_and_one_key():
    view = REGISTRY["alibi"].views["biases"]
    data = view.compute(Alibi(n_heads=8))
    assert len(data.panels) == 8
    assert len({(panel.limits, panel.bend, panel.bar_ticks) for panel in data.panels}) == 1
    assert data.panels[0].limits == (0.0, 15.5)
    svg = draw_live(data).svg
    words = [text.text for text in elements(svg, "text")]
    assert words.count("later keys, which a causal mask hides") == 1
    assert words.count("15.5") == 1
    rows, columns = np.tril_indices(32)
    for head, panel in enumerate(data.panels):
        assert np.isnan(panel.values[np.triu_indices(32, k=1)]).all()
        slope = 2.0 ** -(head + 1)
        np.testing.assert_allclose(panel.values[rows, columns], slope * (rows - columns))
    open_to_both = view.compute(Alibi(n_heads=8), causal=False)
    assert not any(np.isnan(panel.values).any() for panel in open_to_both.panels)


def test_more_heads_than_panels_show_the_first_and_the_last():
    data = REGISTRY["alibi"].views["biases"].compute(Alibi(n_heads=71), tokens=8)
    assert len(data.panels) == 12
    assert data.row_names[0] == "1"
    assert data.row_names[-1] == "71"
