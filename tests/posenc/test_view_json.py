"""ViewData as plain JSON: every field under its name, nothing that JSON cannot say."""

import json
from dataclasses import fields

import numpy as np
import posenc.catalog  # noqa: F401  (fills the registry)
import pytest
from posenc.registry import REGISTRY
from posenc.views import ViewData, view_json

VIEWS = [
    pytest.param(entry, view, id=f"{entry.slug}-{view.slug}")
    for entry in REGISTRY.values()
    for view in entry.views.values()
]


@pytest.mark.covering(most=8)
@pytest.mark.slow
@pytest.mark.parametrize(("entry", "view"), VIEWS)
def test_a_view_survives_a_journey_as_json(entry, view):
    data = view.compute(entry.encoding())
    told = json.loads(json.dumps(view_json(data), allow_nan=False))
    assert told.keys() == {one.name for one in fields(ViewData)}
    _require_same(told, data)


def _require_same(told, data):
    values = np.array(told["values"]["data"], dtype=float).reshape(told["values"]["shape"])
    np.testing.assert_array_equal(values, np.where(np.isfinite(data.values), data.values, np.nan))
    assert told["x"]["ticks"] == list(data.x.ticks)
    assert told["y"]["tick_labels"] == list(data.y.tick_labels)
    assert [one["label"] for one in told["zones"]] == [one.label for one in data.zones]
    assert [one["corners"]["shape"] for one in told["edges"]] == [
        list(one.corners.shape) for one in data.edges
    ]
    assert (told["between"] is None) == (data.between is None)
    for panel, its in zip(told["panels"], data.panels, strict=True):
        _require_same(panel, its)


def test_cells_without_a_number_are_null():
    alibi = REGISTRY["alibi"]
    data = alibi.views["penalties"].compute(alibi.encoding(form="causal"), tokens=2)
    assert view_json(data)["values"] == {"shape": [2, 2], "data": [0.0, None, 0.5, 0.0]}


def test_arrays_are_written_as_the_caller_asks():
    rope = REGISTRY["rope"]
    data = rope.views["turns"].compute(rope.encoding(head_dim=2), positions=2)
    assert view_json(data, array=np.ndarray.tolist)["values"] == [[0.0, 1.0]]
