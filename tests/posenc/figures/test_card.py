"""Figure 1: every line of a card is true, checked by computing what it says."""

import math
import re
from xml.etree import ElementTree as ET

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from posenc.catalog.sinusoidal import Sinusoidal
from posenc.encoding import Encoding
from posenc.errors import ParameterError
from posenc.figures.card import gauge, value_card

NUMBER = re.compile(r"[0-9.]+")


def compute(line):
    """Return what a line of the formula comes to, and whether it claims to be exact."""
    expression = line.lstrip("=≈ ").replace("^", "**")
    assert re.fullmatch(r"(sin|cos)\([0-9./*() ]+\)", expression), line
    return eval(expression, {"sin": math.sin, "cos": math.cos}), not line.startswith("≈")


@given(
    st.integers(2, 60),
    st.sampled_from(["paper", "tensor2tensor"]),
    st.sampled_from(["interleaved", "concatenated"]),
    st.sampled_from([10.0, 10_000.0, 123.5, 1e6]),
    st.integers(0, 511),
    st.data(),
)
def test_every_line_comes_to_the_value(d_model, grid, layout, base, position, data):
    dimension = data.draw(st.integers(0, d_model - 1))
    encoding = Sinusoidal(d_model=d_model, base=base, grid=grid, layout=layout)
    card = value_card(encoding, position, dimension)
    assert card.value == encoding.table(position + 1)[position, dimension] or card.value == (
        pytest.approx(encoding.table(position + 1)[position, dimension], abs=1e-12)
    )
    assert float(card.value_text.replace("−", "-")) == pytest.approx(card.value, abs=5.1e-5)
    if card.wavelength is None:
        assert card.value == 0
        return
    for line in card.formula_lines:
        result, exact = compute(line)
        tolerance = 1e-12 if exact else 5.1e-5 * max(position, 1)  # a divisor of 4 decimals
        assert result == pytest.approx(card.value, abs=tolerance), line
    last, _ = compute(card.formula_lines[-1])
    assert last == pytest.approx(card.value, abs=5.1e-5)
    assert 2 * math.pi / card.wavelength == pytest.approx(encoding.inv_freq[card.pair])


def test_the_card_of_figure_1():
    card = value_card(Sinusoidal(d_model=50), 3, 4)
    assert card.value_text == "+0.9909"
    assert card.kind_text == "even, so sine, with i = 2"
    assert card.formula_lines == ("sin(3 / 10000^(4/50))", "≈ sin(3 / 2.0893)", "≈ sin(1.4359)")
    assert card.formula_tex[0] == r"\sin\left(\frac{3}{10000^{4/50}}\right)"
    assert card.turn_text == "One turn every 13.1 positions."


def test_text_and_tex_hold_the_same_numbers():
    card = value_card(Sinusoidal(d_model=512), 100_000, 301)
    for plain, tex in zip(card.formula_lines, card.formula_tex, strict=True):
        assert NUMBER.findall(plain) == NUMBER.findall(tex)
    assert card.turn_text == "One turn every 1\u202f387 positions."


def test_the_left_over_column_of_tensor2tensor_says_that_it_is_zero():
    card = value_card(Sinusoidal(d_model=7, grid="tensor2tensor"), 5, 6)
    assert (card.value, card.value_text, card.wavelength) == (0.0, "0.0000", None)
    assert "always 0" in card.kind_text


def test_a_value_that_rounds_to_nothing_has_no_sign():
    card = value_card(Sinusoidal(d_model=512), 355, 0)  # sin 355 = -0.00003
    assert card.value < 0
    assert card.value_text == "0.0000"


@pytest.mark.parametrize(
    ("encoding", "position", "dimension", "argument"),
    [
        (Sinusoidal(d_model=8), 3, 8, "dimension"),
        (Sinusoidal(d_model=8), 3, -1, "dimension"),
        (Sinusoidal(d_model=8), -1, 0, "position"),
        (Sinusoidal(d_model=8), 1.5, 0, "position"),
        (Sinusoidal(d_model=8), True, 0, "position"),
        (Sinusoidal(d_model=8), "3", 0, "position"),
        (Sinusoidal(d_model=8), 10**30, 0, "position"),
        (Encoding(), 3, 0, "encoding"),
    ],
)
def test_a_cell_that_is_not_there_is_refused_by_name(encoding, position, dimension, argument):
    with pytest.raises(ParameterError) as caught:
        value_card(encoding, position, dimension)
    assert caught.value.argument == argument


@pytest.mark.parametrize("value", [-1.0, -0.25, 0.0, 0.9909, 1.0])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_mark_of_a_gauge_stands_at_the_value(value, scheme):
    root = ET.fromstring(gauge(value, scheme=scheme, width_px=240))
    strip = root.find("{*}image")
    mark = root.findall("{*}rect")[-1]
    middle = float(mark.get("x")) + float(mark.get("width")) / 2
    along = (middle - float(strip.get("x"))) / float(strip.get("width"))
    assert along * 2 - 1 == pytest.approx(value, abs=1e-3)
    assert [word.text for word in root.findall("{*}text")] == ["−1", "0", "+1"]
    assert np.all([float(word.get("x")) <= 240 for word in root.findall("{*}text")])
    assert "on a scale" in root.get("aria-label")


@pytest.mark.parametrize("value", [None, "1", np.nan, np.ones(3), 1j])
def test_a_gauge_of_anything_but_a_number_is_refused(value):
    with pytest.raises(ParameterError, match=r"^value="):
        gauge(value)
