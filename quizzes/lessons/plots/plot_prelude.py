"""What a plot's program calls, in the author sandbox: heatmap, curves, bars, points, panels.

This text is executed beside an author's program (see `draw_plot`); nothing of the site can be
imported there. Each function returns plain values, or raises ValueError with the name of what is
wrong: the traceback ends in the author's own line. What leaves the sandbox is checked once more by
`frames`.
"""

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import pairwise
from typing import Any

import numpy as np

MOST_NUMBERS = 40_000
Plain = dict[str, Any]


def heatmap(
    values: Any,
    *,
    title: str,
    rows: Iterable[Any] | None = None,
    columns: Iterable[Any] | None = None,
    **words: Any,
) -> Plain:
    """Return a heatmap of values (rows, columns); None is a cell without a number.

    `rows`, `columns`: their names, else they are counted from 0. `words`: x, y (what the axes are),
    says (the result in a sentence), subtitle, unit, low and high (the ends of the colours).
    """
    numbers = _table("values", values)
    named = {"rows": _names("rows", rows, len(numbers))}
    named["columns"] = _names("columns", columns, len(numbers[0]))
    return _plot("heatmap", title, words) | {"values": numbers, "xs": None, **named}


def curves(xs: Any, ys: Any, *, title: str, **words: Any) -> Plain:
    """Return curves over the same xs; `ys` is one list, or a dict with a name for each of them.

    `words`: as of heatmap; low and high are the ends of the y axis.
    """
    return _series("curves", xs, ys, title, words)


def bars(xs: Any, ys: Any, *, title: str, **words: Any) -> Plain:
    """Return bars from 0; xs are growing numbers, or names. As of curves."""
    names = list(xs)
    if any(isinstance(name, str) for name in names):
        plot = _series("bars", range(len(names)), ys, title, words)
        return plot | {"xs": None, "columns": _names("xs", names, len(names))}
    return _series("bars", names, ys, title, words)


def points(xs: Any, ys: Any, *, title: str, **words: Any) -> Plain:
    """Return points at (x, y), in any order; a dict of ys has a name for each group.

    A group has None where another group has the point.
    """
    return _series("points", xs, ys, title, words)


def panels(*plots: Plain, title: str, beside: int = 2, **words: Any) -> Plain:
    """Return two to six plots in one picture, at most `beside` of them next to each other."""
    if not 2 <= len(plots) <= 6:
        raise ValueError(f"panels: {len(plots)} plots: expected two to six")
    for plot in plots:
        if not isinstance(plot, dict) or plot.get("kind") in (None, "panels"):
            raise ValueError("panels: expected heatmap(...), curves(...), bars(...) or points(...)")
    if beside not in (1, 2, 3):
        raise ValueError(f"panels: beside={beside!r}: expected 1, 2 or 3")
    return _plot("panels", title, words) | {"panels": list(plots), "beside": beside}


def main_of(plot: Callable[..., Any]) -> Callable[..., str]:
    """Return the function that gives the JSON of one frame."""

    def main(**sliders: Any) -> str:
        with np.errstate(all="ignore"):
            frame = plot(**sliders)
        if not isinstance(frame, dict) or "kind" not in frame:
            kind = type(frame).__name__
            raise TypeError(
                f"plot() returned a {kind}, expected heatmap(...), curves(...), bars(...),"
                " points(...) or panels(...)"
            )
        return json.dumps(frame, allow_nan=False)

    return main


WORDS = ("x", "y", "says", "subtitle", "unit", "low", "high")


def _plot(kind: str, title: str, words: Mapping[str, Any]) -> Plain:
    unknown = sorted(set(words) - set(WORDS))
    if unknown:
        known = ", ".join(("title", *WORDS))
        raise ValueError(f"{kind}: unknown argument {unknown[0]!r} (known: {known})")
    plain: Plain = {"kind": kind, "title": title}
    for name in WORDS:
        value = words.get(name)
        if name in ("low", "high"):
            plain[name] = None if value is None else _number(name, value)
        elif value is not None and not isinstance(value, str):
            raise ValueError(f"{name}: {value!r}: expected text")
        else:
            plain[name] = value or ""
    if not isinstance(title, str) or not title.strip():
        raise ValueError(f"title: {title!r}: expected a sentence")
    return plain


def _series(kind: str, xs: Any, ys: Any, title: str, words: Mapping[str, Any]) -> Plain:
    across = [_number(f"xs: number {at}", x) for at, x in enumerate(xs)]
    if not across:
        raise ValueError("xs: is empty")
    if kind != "points" and any(b <= a for a, b in pairwise(across)):
        raise ValueError("xs: must grow from each to the next")
    named = ys if isinstance(ys, dict) else {"": ys}
    if not 1 <= len(named) <= 6:
        raise ValueError(f"ys: {len(named)} series: expected one to six")
    for name, row in named.items():
        if len(row) != len(across):
            label = f"ys: {name!r}" if name else "ys"
            raise ValueError(f"{label}: {len(row)} numbers, but there are {len(across)} xs")
    values = _table("ys", list(named.values()), tuple(map(str, named)))
    names = {"rows": _names("ys", named, len(named)), "columns": None}
    return _plot(kind, title, words) | {"values": values, "xs": across, **names}


def _table(name: str, values: Any, labels: Sequence[str] = ()) -> list[list[float | None]]:
    try:
        rows = [list(row) for row in values]
    except TypeError:
        raise ValueError(f"{name}: expected rows of numbers") from None
    lengths = sorted({len(row) for row in rows})
    if not rows or not lengths[0]:
        raise ValueError(f"{name}: is empty")
    if len(lengths) > 1:
        sizes = f"from {lengths[0]} to {lengths[-1]}"
        raise ValueError(f"{name}: rows have {sizes} numbers, expected all of the same length")
    if len(rows) * lengths[0] > MOST_NUMBERS:
        raise ValueError(f"{name}: {len(rows) * lengths[0]} numbers, at most {MOST_NUMBERS}")
    numbers = []
    for at, row in enumerate(rows):
        where = repr(labels[at]) if labels and labels[at] else f"row {at}"
        checked = [
            None if value is None else _number(f"{name}: {where}, number {place}", value)
            for place, value in enumerate(row)
        ]
        numbers.append(checked)
    return numbers


def _number(name: str, value: Any) -> float:
    try:
        number = float(value)
    except (TypeError, ValueError, OverflowError):
        raise ValueError(f"{name}: {str(value)[:40]!r}: expected a number") from None
    if not np.isfinite(number) or abs(number) > 1e12:
        raise ValueError(
            f"{name} is {number}: expected a finite number of at most 1e12, or None for no number"
        )
    return number


def _names(name: str, names: Iterable[Any] | None, count: int) -> list[str]:
    if names is None:
        return [str(at) for at in range(count)]
    texts = [value if isinstance(value, str) else f"{value:g}" for value in names]
    if len(texts) != count:
        raise ValueError(f"{name}: {len(texts)} names, expected {count}")
    return texts
