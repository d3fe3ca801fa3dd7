"""Registering encodings and their views: mistakes are found when the file is imported."""

import subprocess
import sys

import posenc.catalog  # noqa: F401  (fills the registry)
import pytest
from posenc.encoding import param
from posenc.errors import ParameterError, RegistrationError
from posenc.registry import REGISTRY, register

ENTRY = REGISTRY["sinusoidal"]


def test_a_slug_is_registered_once():
    with pytest.raises(RegistrationError, match=r"'sinusoidal' is taken by posenc\.catalog"):
        register(ENTRY.encoding, slug="sinusoidal", title="again", source="")


def test_a_view_has_a_slug_of_its_own():
    with pytest.raises(RegistrationError, match="'sinusoidal' has two views 'heatmap'"):
        ENTRY.view("heatmap", title="again", kind="heatmap", scale="signed_unit")


def test_a_view_parameter_may_not_hide_a_parameter_of_the_encoding():
    with pytest.raises(RegistrationError, match="'base' is one of the encoding's own"):
        ENTRY.view("new", title="t", kind="curves", scale="category", params={"base": param(1.0)})
    assert "new" not in ENTRY.views


@pytest.mark.parametrize("name", ["bass", "reach"])
def test_view_names_own_parameters_of_its_axis(name):
    with pytest.raises(RegistrationError, match=f"along_x='{name}': must be one of .*'base'"):
        ENTRY.view("new", title="t", kind="curves", scale="category", along_x=(name,))
    assert "new" not in ENTRY.views


def test_the_registry_is_for_reading():
    with pytest.raises(TypeError):
        REGISTRY["mine"] = ENTRY
    with pytest.raises(TypeError):
        ENTRY.views["mine"] = ENTRY.views["heatmap"]


def test_the_registry_alone_is_empty_and_the_catalogue_fills_it():
    program = "from posenc.registry import REGISTRY as R; print(len(R), end=' ');"
    program += "import posenc.catalog; print(len(R))"
    said = subprocess.check_output([sys.executable, "-c", program], text=True)
    before, after = map(int, said.split())
    assert before == 0
    assert after == len(REGISTRY)


def test_an_unknown_argument_of_a_view_is_refused_by_name():
    with pytest.raises(ParameterError, match="colour=red: is not a parameter of the view"):
        ENTRY.views["heatmap"].compute(ENTRY.encoding(), colour="red")


@pytest.mark.parametrize("given", [{"in_page": "new.js"}, {"in_page_cells": 10}])
def test_a_module_of_the_page_and_its_numbers_are_given_together(given):
    with pytest.raises(RegistrationError, match=r"in_page=.* in_page_cells=.* together"):
        ENTRY.view("new", title="t", kind="curves", scale="category", **given)
    assert "new" not in ENTRY.views
