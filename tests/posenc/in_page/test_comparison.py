"""The comparison sees what is different, and its rule for ties is about ties."""

import copy

import numpy as np
import pytest
from posenc.query import read_query
from posenc.registry import REGISTRY

from tests.posenc.in_page.comparison import bound_of, differences, expected_of, is_on_a_tie
from tests.posenc.in_page.draws import Draw


def drawn(slug, view, **query):
    entry = REGISTRY[slug]
    return Draw(read_query(entry, entry.views[view], query), texts=False)


def spoil(data, path, change):
    for step in path[:-1]:
        data = data[step]
    data[path[-1]] = change(data[path[-1]])


@pytest.mark.parametrize(
    ("path", "change"),
    [
        (["x", "ticks", 1], lambda tick: tick + 1e-9),
        (["y", "tick_labels", 0], lambda label: label + " "),
        (["zones", 1, "label"], str.upper),
        (["zones"], lambda zones: zones[:-1]),
        (["between"], lambda _: None),
        (["series"], lambda names: [*names, "more"]),
        (["limits", 1], lambda high: high + 1e-9),
        (["values"], lambda values: values + 1e-9),
        (["values"], lambda values: np.where(values == 0, np.nan, values)),
        (["values"], lambda values: values.T),
        (["masked"], lambda _: "hidden"),
    ],
)
def test_a_spoilt_picture_is_told(path, change):
    draw = drawn("t5_bias", "staircase")
    expected = expected_of(draw)
    bound = bound_of(draw.selection, expected)
    found = copy.deepcopy(expected)
    assert differences(found, expected, bound) == []
    spoil(found, path, change)
    (told,) = differences(found, expected, bound)
    assert told.startswith(path[0])


def test_a_title_of_a_panel_is_compared_and_that_of_the_whole_is_the_servers():
    expected = expected_of(drawn("sinusoidal", "widths"))
    found = copy.deepcopy(expected) | {"title": "", "summary": {}}
    assert differences(found, expected, 1e-12) == []
    found["panels"][2]["title"] = ""
    (told,) = differences(found, expected, 1e-12)
    assert told.startswith("panels[2].title: ")


def test_a_longest_wavelength_of_a_power_of_ten_is_on_a_tie():
    at = (1000 / (2 * np.pi)) ** 2  # of 4 columns: 2 pi sqrt(base)
    near = {"d_model": "4", "text": "16"}
    assert is_on_a_tie(drawn("sinusoidal", "wavelengths", base=repr(float(at)), **near).selection)
    assert not is_on_a_tie(drawn("sinusoidal", "wavelengths", base="25000", **near).selection)
    assert not is_on_a_tie(drawn("t5_bias", "staircase").selection)


def test_a_range_of_six_ticks_is_on_no_tie():
    """60 columns: the products begin at 30, and Python's sum may be a rounding beside it."""
    assert not is_on_a_tie(drawn("sinusoidal", "dot-products", d_model="60").selection)
