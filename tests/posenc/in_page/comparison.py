"""What is different between a view of the page and the same view of Python.

Marks, ticks, labels, names and which cells are masked must be equal. Real numbers may differ by
their rounding: 1e-12 and 4 units in the last place of the largest number or angle behind them;
where Python adds angles (`Sinusoidal.table`), by what it is itself away from the truth.
"""

import math
from dataclasses import replace
from typing import Any

import numpy as np
from posenc.catalog.rope import Rope
from posenc.catalog.sinusoidal import Sinusoidal
from posenc.query import Selection
from posenc.views import ViewData, number_axis, view_json

from tests.posenc.in_page.draws import Draw

EPS = 2.0**-52
BY_THE_SERVER = {
    "title",
    "subtitle",
    "finding",
    "summary",
}  # of the whole; the page leaves them out


def expected_of(draw: Draw) -> dict[str, Any]:
    """Return the ViewData of Python as dictionaries, its arrays numpy's."""
    return view_json(draw.selection.compute(), array=lambda array: array)


def bound_of(selection: Selection, expected: dict[str, Any]) -> float:
    """Return by how much real numbers may differ."""
    encoding, arguments = selection.encoding, selection.arguments
    if selection.view.slug in {"heatmap", "dot-products"}:
        assert isinstance(encoding, Sinusoidal)
        count = arguments.get("offsets", 0) + arguments.get("position", 0)
        farthest = count if "offsets" in arguments else arguments["positions"]
        return 1e-12 + 2 * 2e-16 * farthest * float(encoding.inv_freq.max())
    largest = float(np.nanmax(np.abs(expected["values"]), initial=0))
    if isinstance(encoding, Sinusoidal):
        farthest = max(arguments.get("positions", 0), 100)
        largest = max(largest, farthest * float(encoding.inv_freq.max()))
    if isinstance(encoding, Rope):
        farthest = max(value for value in arguments.values() if isinstance(value, int))
        largest = max(largest, farthest * float(encoding.inv_freq_for(farthest + 1).max()))
    return 1e-12 + 4 * EPS * largest


def differences(found: Any, expected: Any, bound: float, *, at: str = "") -> list[str]:
    """Return where the page's ViewData is another than Python's, and how."""
    if isinstance(expected, np.ndarray):
        return _of_arrays(found, expected, bound, at)
    if at == "limits" or at.endswith("].limits"):
        return _of_arrays(np.array(found, dtype=float), np.array(expected), bound, at)
    if isinstance(expected, list) and expected and isinstance(expected[0], dict):
        found, expected = dict(enumerate(found)), dict(enumerate(expected))
        at = f"{at}["
    if not isinstance(expected, dict):
        return [] if found == expected else [f"{at}: {found!r} instead of {expected!r}"]
    if found is None or found.keys() != expected.keys():
        return [f"{at}: {found} instead of {sorted(expected)}"]
    parts = []
    for name in expected.keys() - (set() if at else BY_THE_SERVER):
        place = f"{at}{name}]" if at.endswith("[") else f"{at}.{name}".strip(".")
        parts += differences(found[name], expected[name], bound, at=place)
    return parts


def _of_arrays(found: Any, expected: Any, bound: float, at: str) -> list[str]:
    if found is None or found.shape != expected.shape:
        return [f"{at}: shape {getattr(found, 'shape', None)} instead of {expected.shape}"]
    if not np.array_equal(np.isnan(found), np.isnan(expected)):
        return [f"{at}: other cells are masked"]
    worst = float(np.nanmax(np.abs(found - expected), initial=0))
    return [] if worst <= bound else [f"{at}: differs by {worst:.2e}, more than {bound:.2e}"]


def is_on_a_tie(selection: Selection) -> bool:
    """Return whether ticks, labels or names change when the base changes by one part in 10^13.

    One rounding error then decides what is written, so Python and the page may differ. An axis
    that ends where a tick or its step changes is such a tie as well.
    """
    given = selection.compute()
    base = getattr(selection.encoding, "base", None)
    if base is not None:
        for by in (1 - 1e-13, 1 + 1e-13):
            near = replace(selection, encoding=replace(selection.encoding, base=base * by))
            if _words(near.compute()) != _words(given):
                return True
    low, high = given.limits
    if given.kind != "curves" or given.y.scale != "linear" or given.limits == given.y.limits:
        return False
    by = 1e-10 * max(abs(low), abs(high))
    around = [number_axis("", low + a, high + b) for a in (-by, by) for b in (-by, by)]
    return any(axis.ticks != given.y.ticks for axis in around)


def _words(data: ViewData) -> Any:
    """Return what must be equal: everything but real numbers and sentences of the server."""
    plain = view_json(data, array=lambda array: array.shape)
    keep = {name: plain[name] for name in plain.keys() - BY_THE_SERVER - {"limits", "band"}}
    return _without_limits(keep)


def _without_limits(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: _without_limits(one) for name, one in value.items()}
    if isinstance(value, list):
        return [_without_limits(one) for one in value]
    return None if isinstance(value, float) and math.isnan(value) else value
