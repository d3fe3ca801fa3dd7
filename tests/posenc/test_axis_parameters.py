"""Every view of the catalogue names the parameters that change its x axis, and no others."""

from collections.abc import Iterator
from typing import Any

import posenc.catalog  # noqa: F401  (fills the registry)
import pytest
from posenc.errors import ParameterError, QueryError
from posenc.parameters import Parameter
from posenc.query import Selection, all_parameters, read_query
from posenc.registry import REGISTRY, Entry, View
from posenc.views import ViewData

pytestmark = pytest.mark.slow
VIEWS = [(entry, view) for entry in REGISTRY.values() for view in entry.views.values()]


def other_values(parameter: Parameter, usual: Any) -> Iterator[str]:
    """Return three values of a slider as a page sends them: its ends, and one between them."""
    assert parameter.slider is not None
    low, high, step = parameter.slider
    for value in (low, high, low + (high - low) // (4 * step) * step):
        number = parameter.kind(value)
        if number != usual:
            yield parameter.format(number)


def differ(one: ViewData, other: ViewData) -> bool:
    """Return whether readers see other x axes in two pictures, or another column outlined."""
    if one.panels:
        return any(differ(*panels) for panels in zip(one.panels, other.panels, strict=False))
    if one.cursor is not None and other.cursor is not None and one.cursor[1] != other.cursor[1]:
        return True
    return axis_of(one) != axis_of(other)


def axis_of(data: ViewData) -> list[object]:
    if data.kind == "circles":  # without an axis: a hand for each position
        return [data.values.shape[-1]]
    return [data.x.limits, data.x.tick_labels, None if data.x.values is None else [*data.x.values]]


def moves_axis(selection: Selection, parameter: Parameter) -> bool:
    usual = selection.compute()
    for text in other_values(parameter, selection.values()[parameter.name]):
        try:
            changed = read_query(selection.entry, selection.view, {parameter.name: text}).compute()
        except (ParameterError, QueryError):  # too much for the other parameters
            continue
        if differ(usual, changed):
            return True
    return False


@pytest.mark.parametrize(
    ("entry", "view"), VIEWS, ids=[f"{entry.slug}-{view.slug}" for entry, view in VIEWS]
)
def test_view_names_what_moves_its_axis(entry: Entry, view: View) -> None:
    selection = read_query(entry, view, {})
    moving = [
        parameter.name
        for parameter in all_parameters(selection)
        if parameter.slider and not parameter.choices and moves_axis(selection, parameter)
    ]
    assert moving or view.kind == "circles"  # two arrows have no axis
    assert sorted(view.along_x) == sorted(moving)
