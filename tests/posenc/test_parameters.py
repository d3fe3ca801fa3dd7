"""One line declares a parameter; what is valid, what a page may ask, and what is said if not."""

import math
from dataclasses import dataclass
from typing import Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st
from posenc.encoding import Encoding, param, parameters
from posenc.errors import ParameterError, PosencError, QueryError


@dataclass(frozen=True)
class Sample(Encoding):
    """An encoding with a parameter of every kind."""

    size: int = param(8, ge=2, le=64, multiple_of=2, slider=(2, 32, 2), doc="how large")
    base: float = param(10_000.0, ge=1.0, slider=(10, 1e6, 1), scale="log")
    shift: float = param(0.0)
    kind: Literal["near", "far"] = param("near")
    causal: bool = param(False)


BY_NAME = {parameter.name: parameter for parameter in parameters(Sample)}


def test_parameters_come_in_the_order_they_were_declared_with_all_their_facts():
    assert list(BY_NAME) == ["size", "base", "shift", "kind", "causal"]
    size = BY_NAME["size"]
    assert (size.kind, size.default, size.ge, size.le, size.multiple_of) == (int, 8, 2, 64, 2)
    assert (size.slider, size.doc, size.web_limits) == ((2, 32, 2), "how large", (2, 32))
    assert BY_NAME["kind"].choices == ("near", "far")
    assert BY_NAME["base"].scale == "log"
    assert BY_NAME["base"].web_limits == (10, 1e6)


def test_a_number_without_a_slider_is_not_on_pages():
    assert {name for name, one in BY_NAME.items() if not one.on_pages} == {"shift"}


def test_valid_values_become_plain_numbers():
    import numpy as np

    sample = Sample(size=np.int64(6), base=np.float32(20), shift=3)
    assert (type(sample.size), type(sample.base), type(sample.shift)) == (int, float, float)
    assert sample == Sample(size=6, base=20.0, shift=3.0)
    assert hash(sample) == hash(Sample(size=6, base=20.0, shift=3.0))


@pytest.mark.parametrize(
    ("name", "text", "expected"),
    [
        ("size", "33", "size=33: must be between 2 and 32"),
        ("size", "1000000000", "size=1000000000: must be between 2 and 32"),
        ("size", "7", "size=7: must be even"),
        ("size", "8.0", "size=8.0: must be a whole number between 2 and 32"),
        ("size", "", "size=: must be a whole number between 2 and 32"),
        ("size", " 8", "size= 8: must be a whole number between 2 and 32"),
        ("size", "1_0", "size=1_0: must be a whole number between 2 and 32"),
        ("size", "٨", "size=٨: must be a whole number between 2 and 32"),
        ("size", "9" * 5000, "size=" + "9" * 60 + "...: must be a whole number between 2 and 32"),
        ("base", "nan", "base=nan: must be a number between 10 and 1000000"),
        ("base", "inf", "base=inf: must be a number between 10 and 1000000"),
        ("base", "1e400", "base=1e400: must be between 10 and 1000000"),
        ("base", "0x10", "base=0x10: must be a number between 10 and 1000000"),
        ("base", "9.99", "base=9.99: must be between 10 and 1000000"),
        ("shift", "1e999", "shift=1e999: must be finite"),
        ("kind", "Near", "kind=Near: must be one of near, far"),
        ("causal", "yes", "causal=yes: must be true or false"),
    ],
)
def test_text_that_cannot_be_used_is_refused_with_the_reason(name, text, expected):
    with pytest.raises(ParameterError) as caught:
        BY_NAME[name].parse(text)
    assert str(caught.value) == expected


def test_text_is_read():
    texts = {"size": "+8", "base": "1e3", "shift": "-.5", "kind": "far", "causal": "on"}
    read = {name: BY_NAME[name].parse(text) for name, text in texts.items()}
    assert read == {"size": 8, "base": 1000.0, "shift": -0.5, "kind": "far", "causal": True}
    assert type(read["base"]) is float


def test_the_library_takes_valid_values_that_no_slider_reaches():
    assert Sample(size=64, base=1e12).size == 64


@given(st.floats(10, 1e6))
def test_a_float_is_written_so_that_it_reads_back_the_same(value):
    assert BY_NAME["base"].parse(BY_NAME["base"].format(value)) == value


@pytest.mark.parametrize("value", [0.0010000000000000002, 0.00010000000000000002, 1e-300])
def test_the_longest_way_to_write_a_float_is_read_too(value):
    assert BY_NAME["shift"].parse(BY_NAME["shift"].format(value)) == value


@pytest.mark.slow
@given(st.text(max_size=30))
def test_any_text_is_read_or_refused_by_name_and_nothing_else_happens(text):
    for parameter in BY_NAME.values():
        refused, value = _refused(parameter.parse, text)
        assert refused == parameter.name or parameter.kind in (str, bool) or math.isfinite(value)


@given(st.one_of(st.none(), st.binary(), st.lists(st.integers()), st.complex_numbers(), st.text()))
def test_any_object_is_accepted_or_refused_by_name(value):
    for name, parameter in BY_NAME.items():
        refused, _ = _refused(parameter.validate, value)
        assert refused == name or parameter.kind in (str, bool)


def _refused(function, value):
    """Return which argument a ParameterError named, or "" and the result."""
    try:
        return "", function(value)
    except ParameterError as error:
        return error.argument, None


def test_errors_form_one_tree():
    error = ParameterError("size", 7, "must be even")
    assert isinstance(error, PosencError)
    assert isinstance(error, ValueError)
    both = QueryError([error, ParameterError("base", 0, "must be positive")])
    said = {"size": "size=7: must be even", "base": "base=0: must be positive"}
    assert both.by_argument() == said
    assert str(both) == "size=7: must be even; base=0: must be positive"
