"""Both pictures as documents: their policy, their words, their bytes."""

from dataclasses import replace
from xml.etree import ElementTree as ET

import numpy as np
import pytest
from posenc.catalog.sinusoidal import Sinusoidal
from posenc.errors import ParameterError
from posenc.figures.describe import describe
from posenc.figures.live import draw_live
from posenc.figures.palettes import INKS
from posenc.figures.reference import draw
from posenc.number_format import spoken

from tests.posenc.figures.drawing import FIGURE_3, HEATMAP, SCHEMES, VIEWS


@pytest.mark.covering(most=4)
@pytest.mark.slow
@pytest.mark.parametrize(("entry", "view"), VIEWS)
@pytest.mark.parametrize("scheme", SCHEMES)
def test_pictures_keep_a_strict_content_policy_and_name_themselves(entry, view, scheme):
    data = view.compute(entry.encoding())
    for svg in (draw_live(data, scheme=scheme).svg, draw(data, scheme=scheme, file="svg").decode()):
        root = ET.fromstring(svg)
        assert root.get("role") == "img"
        assert spoken(data.finding) in root.get("aria-label")
        for element in root.iter():
            assert "style" not in element.attrib
            assert element.tag.rsplit("}", 1)[-1] not in {"style", "script", "foreignObject"}
            assert not [name for name in element.attrib if name.startswith("on")]
            for name, value in element.attrib.items():
                if name.endswith("href") and "rdf" not in name:
                    assert value.startswith(("data:image/png;base64,", "#"))


def test_words_of_a_view_cannot_become_elements():
    hostile = replace(FIGURE_3, title='<script>"&', x=replace(FIGURE_3.x, label="<b>\"'"))
    for svg in (draw_live(hostile).svg, draw(hostile, file="svg").decode()):
        root = ET.fromstring(svg)
        assert root.get("aria-label").startswith('<script>"&')
        assert not [e for e in root.iter() if e.tag.endswith(("script", "}b"))]


@pytest.mark.slow
@pytest.mark.parametrize(
    "file", ["svg", *(pytest.param(one, marks=pytest.mark.soak) for one in ("png", "pdf"))]
)
def test_equal_figures_are_equal_bytes(file):
    first = draw(FIGURE_3, file=file)
    assert first == draw(HEATMAP.compute(Sinusoidal(d_model=50)), file=file)
    assert first != draw(HEATMAP.compute(Sinusoidal(d_model=48)), file=file)


@pytest.mark.soak
def test_eight_threads_draw_the_picture_of_a_single_thread():
    from concurrent.futures import ThreadPoolExecutor

    views = [HEATMAP.compute(Sinusoidal(d_model=d)) for d in (4, 8)]
    alone = [draw(view, file="svg", width_px=400) for view in views]
    with ThreadPoolExecutor(8) as pool:
        together = list(pool.map(lambda view: draw(view, file="svg", width_px=400), views * 4))
    assert together == alone * 4


def test_drawing_leaves_the_settings_of_matplotlib_alone():
    import matplotlib as mpl

    before = dict(mpl.rcParams)
    draw(FIGURE_3)
    assert dict(mpl.rcParams) == before


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"scheme": "blue"}, "scheme=blue: must be one of light, dark"),
        ({"width_px": 20}, "width_px=20: must be between 160 and 1600"),
        ({"width_px": 10**9}, "width_px=1000000000: must be between 160 and 1600"),
        ({"width_px": "8"}, "width_px=8: must be a whole number"),
        ({"width_px": 720.5}, "width_px=720.5: must be a whole number"),
        ({"scheme": ["light"]}, "must be one of light, dark"),
        ({"view_data": None}, "view_data=None: must be the ViewData that a view computes"),
    ],
)
def test_a_scheme_or_width_that_cannot_be_drawn_is_refused(arguments, message):
    for function in (draw_live, draw):
        with pytest.raises(ParameterError, match=message):
            function(**{"view_data": FIGURE_3, **arguments})
    if "view_data" in arguments:
        with pytest.raises(ParameterError, match=message):
            describe(**arguments)
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
