"""One frame of a plot: what left the sandbox, checked, and the same as data of a picture.

A plot's scales are those of all its frames together, so that an axis stays where it is while a
slider moves. Each refusal is a ValueError in words for the author.
"""

import json
import math
import zlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Any

import numpy as np
import numpy.typing as npt
from posenc.views import Axis, Kind, Limits, ViewData, cell_axis, number_axis

from quizzes.content_files.characters import describe_refused
from quizzes.lessons.own_numbers.table import round_up

KINDS: tuple[Kind, ...] = ("heatmap", "curves", "bars", "points", "panels")
MOST_NUMBERS = 40_000  # of one frame
MOST_PANELS = 6
MOST_SERIES = 6
LARGEST = 1e12  # in size: its tick label still leaves room for a plot
MAX_WORDS = {"title": 200, "subtitle": 300, "says": 400, "x": 60, "y": 60, "unit": 40}
MAX_NAME = 40
HEADS = ("rows", "columns", "xs", "low", "high")  # of every plot but panels; some may be null
HOLE = "no number"
SAME = 1e-9  # of the larger of two numbers: they are drawn as one
TICK_LETTERS = 44  # of all tick labels below a plot together

Plain = Mapping[str, Any]
Numbers = npt.NDArray[np.float64]


def read_frame(text: str) -> Plain:
    """Return a frame from the text of a program. Raises ValueError."""
    try:
        plain = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise ValueError(f"its frame cannot be read: {type(error).__name__}") from error
    _check(plain)
    count = sum(len(part["values"]) * len(part["values"][0]) for part in parts_of(plain))
    if count > MOST_NUMBERS:
        raise ValueError(f"{count} numbers in one frame, at most {MOST_NUMBERS} are allowed")
    frame: Plain = plain
    return frame


def parts_of(frame: Plain) -> Sequence[Plain]:
    """Return the plots of a frame: its panels, or itself."""
    parts: Sequence[Plain] = frame["panels"] if frame["kind"] == "panels" else [frame]
    return parts


def packed(frame: Plain) -> bytes:
    """Return a frame as it is stored."""
    return zlib.compress(json.dumps(frame, separators=(",", ":")).encode())


def unpacked(data: bytes) -> Plain:
    """Return a stored frame."""
    frame: Plain = json.loads(zlib.decompress(data))
    return frame


def shape_of(frame: Plain) -> list[str]:
    """Return the kinds of a frame's plots, which all frames of a plot have in common."""
    return [str(frame["kind"]), *(str(part["kind"]) for part in parts_of(frame))]


def _check(plain: Any) -> None:
    if not isinstance(plain, dict) or plain.get("kind") not in KINDS:
        raise ValueError("plot() returned something that is no plot")
    for name, longest in MAX_WORDS.items():
        text = plain.get(name)
        if not isinstance(text, str) or len(text) > longest:
            raise ValueError(f"{name}: expected text of at most {longest} characters")
        if wrong := describe_refused(text) or ("a line break" if "\n" in text else ""):
            raise ValueError(f"{name}: {wrong}")
    if not plain["title"].strip():
        raise ValueError("title: must not be empty")
    if plain["kind"] == "panels":
        _check_panels(plain)
    else:
        _check_numbers(plain)


def _check_panels(plain: Plain) -> None:
    panels = plain.get("panels")
    if not isinstance(panels, list) or not 2 <= len(panels) <= MOST_PANELS:
        raise ValueError(f"panels: expected two to {MOST_PANELS} plots")
    if plain.get("beside") not in (1, 2, 3):
        raise ValueError("panels: beside: expected 1, 2 or 3")
    for panel in panels:
        if not isinstance(panel, dict) or panel.get("kind") == "panels":
            raise ValueError("panels: expected plots that are no panels")
        _check(panel)
    if len({tuple(panel["rows"]) for panel in panels if _has_key(panel)}) > 1:
        raise ValueError("panels: series have different names, but share one key")


def _has_key(panel: Plain) -> bool:
    """Return whether a panel has several series, whose names stand above all panels."""
    return panel["kind"] != "heatmap" and len(panel["rows"]) > 1


def _check_numbers(plain: Plain) -> None:
    if lacking := [name for name in HEADS if name not in plain]:
        raise ValueError(f"{lacking[0]}: missing; return what heatmap, curves, bars or points made")
    values = plain.get("values")
    if not isinstance(values, list) or not values or not all(isinstance(r, list) for r in values):
        raise ValueError("values: expected rows of numbers")
    lengths = {len(row) for row in values}
    if len(lengths) != 1 or not min(lengths):
        raise ValueError("values: expected rows of numbers, all of the same length")
    for value in (value for row in values for value in row):
        if value is not None:
            _check_number("values", value)
    _check_heads(plain, values)
    ends = [plain.get(name) for name in ("low", "high")]
    for end in ends:
        if end is not None:
            _check_number("low and high", end)
    if None not in ends and not ends[0] < ends[1]:  # type: ignore[operator]
        raise ValueError(f"low={ends[0]}, high={ends[1]}: low must be below high")


def _check_heads(plain: Plain, values: Sequence[Sequence[Any]]) -> None:
    """Hold the names of rows and columns, and the xs, to the numbers that they belong to."""
    if plain["kind"] != "heatmap" and len(values) > MOST_SERIES:
        raise ValueError(f"ys: {len(values)} series, at most {MOST_SERIES} are allowed")
    xs, columns = plain.get("xs"), plain.get("columns")
    if xs is not None and plain["kind"] == "heatmap":
        raise ValueError("xs: a heatmap has names of columns instead")
    _check_names("rows", plain.get("rows"), len(values))
    if xs is None:
        _check_names("columns", columns, len(values[0]))
        if plain["kind"] not in ("heatmap", "bars"):
            raise ValueError("xs: expected numbers")
    elif not isinstance(xs, list) or len(xs) != len(values[0]):
        raise ValueError("xs: expected as many numbers as each row of ys has")
    else:
        for x in xs:
            _check_number("xs", x)
        if plain["kind"] != "points" and any(b <= a for a, b in pairwise(xs)):
            raise ValueError("xs: must grow from each to the next")


def _check_number(name: str, value: Any) -> None:
    if isinstance(value, bool) or not isinstance(value, int | float) or not abs(value) <= LARGEST:
        raise ValueError(f"{name}: expected finite numbers of at most 1e12 in size")


def _check_names(name: str, names: Any, count: int) -> None:
    if not isinstance(names, list) or len(names) != count:
        raise ValueError(f"{name}: expected {count} names")
    for text in names:
        if not isinstance(text, str) or len(text) > MAX_NAME or "\n" in text:
            raise ValueError(
                f"{name}: {str(text)[:60]!r}: a name has at most {MAX_NAME} characters"
            )
        if wrong := describe_refused(text):
            raise ValueError(f"{name}: {wrong}")


# ---- scales of all frames


def scales_of(frames: Iterable[Plain]) -> list[dict[str, Any]]:
    """Return the range of x and of the values for each plot of a picture, over all frames."""
    scales: list[dict[str, Any]] = []
    for frame in frames:
        for at, part in enumerate(parts_of(frame)):
            if at == len(scales):
                scales.append({"x": None, "values": None})
            scale = scales[at]
            scale["values"] = _wider(scale["values"], _range_of_values(part))
            if part["xs"] is not None:
                scale["x"] = _wider(scale["x"], _range_of_xs(part))
    return scales


def _range_of_values(part: Plain) -> Limits | None:
    numbers = [value for row in part["values"] for value in row if value is not None]
    numbers += [end for end in (part["low"], part["high"]) if end is not None]
    if part["kind"] == "bars":
        numbers.append(0.0)
    return (min(numbers), max(numbers)) if numbers else None


def _range_of_xs(part: Plain) -> Limits:
    low, high = min(part["xs"]), max(part["xs"])
    if part["kind"] == "bars":
        half = width_of_bars(part["xs"]) / 2
        return low - half, high + half
    return low, high


def width_of_bars(xs: Sequence[float]) -> float:
    """Return the room of one bar along the axis: the least distance of two."""
    return min((after - before for before, after in pairwise(xs)), default=1.0)


def _wider(known: Sequence[float] | None, more: Limits | None) -> list[float] | None:
    if known is None or more is None:
        return list(more) if more is not None else list(known) if known is not None else None
    return [min(known[0], more[0]), max(known[1], more[1])]


# ---- as data of a picture


def view_of(frame: Plain, scales: Sequence[Plain]) -> ViewData:
    """Return the data of a picture of a frame."""
    views = [_view(part, scale) for part, scale in zip(parts_of(frame), scales, strict=True)]
    if frame["kind"] != "panels":
        return views[0]
    first = views[0]
    return ViewData(
        kind="panels",
        scale=first.scale,
        values=first.values,
        x=first.x,
        y=first.y,
        limits=first.limits,
        title=frame["title"],
        subtitle=_sentence(frame["subtitle"]),
        finding=frame["says"] or " ".join(f"{view.title}: {view.finding}" for view in views),
        panels=tuple(views),
        panel_columns=frame["beside"],
        row_noun=first.row_noun,
        row_names=first.row_names,
        column_noun=first.column_noun,
        column_names=first.column_names,
    )


def _view(part: Plain, scale: Plain) -> ViewData:
    values = np.array(
        [[math.nan if number is None else number for number in row] for row in part["values"]],
        float,
    )
    low, high = scale["values"] or (0.0, 1.0)
    build = _heatmap if part["kind"] == "heatmap" else _series
    data = build(part, values, scale, low, high)
    return replace(data, finding=part["says"] or _range_in_words(values))


def _heatmap(part: Plain, values: Numbers, _scale: Plain, low: float, high: float) -> ViewData:
    rows, columns = values.shape
    is_signed = low < 0 < high
    largest = round_up(max(-low, high))
    limits = (-largest, largest) if is_signed else _nice(low, high)
    if part["low"] is not None and part["high"] is not None:
        limits = (part["low"], part["high"])
    return ViewData(
        kind="heatmap",
        scale="signed_unit" if is_signed else "magnitude",
        values=values,
        x=_named_axis(part["x"], part["columns"], most=10),
        y=_named_axis(part["y"], part["rows"], most=8),
        limits=limits,
        title=part["title"],
        subtitle=_sentence(part["subtitle"]),
        finding="",
        unit=part["unit"] or "value",
        masked=HOLE,
        row_noun=part["y"] or "row",
        row_names=tuple(part["rows"]),
        column_noun=part["x"] or "column",
        column_names=tuple(part["columns"]),
        square=rows == columns,
    )


def _series(part: Plain, values: Numbers, scale: Plain, low: float, high: float) -> ViewData:
    y = _axis(part["y"], low, high)
    if part["low"] is not None and part["high"] is not None:
        y = _cut(_axis(part["y"], part["low"], part["high"]), part["low"], part["high"])
    names = tuple(part["rows"])
    return ViewData(
        kind=part["kind"],
        scale="magnitude",
        values=values,
        x=_x_axis(part, scale),
        y=y,
        limits=y.limits,
        title=part["title"],
        subtitle=_sentence(part["subtitle"]),
        finding="",
        unit=part["unit"] or "value",
        series=names,
        row_noun="series",
        row_names=names if len(names) > 1 else (part["y"] or "value",),
        column_noun=part["x"] or "x",
        column_names=_columns(part),
    )


def _x_axis(part: Plain, scale: Plain) -> Axis:
    if part["xs"] is None:
        axis = _named_axis(part["x"], part["columns"], most=12)
        return replace(axis, minor_ticks=(), values=np.arange(len(part["columns"]), dtype=float))
    xs = np.array(part["xs"], dtype=float)
    low, high = scale["x"]
    axis = replace(_axis(part["x"], low, high), values=xs)
    return _cut(axis, low, high) if low < high else axis


def _axis(label: str, low: float, high: float) -> Axis:
    """Return an axis from about low to about high; two ends alone where numbers are too close."""
    if high - low <= SAME * max(abs(low), abs(high)):
        low, high = low - max(abs(low), 1.0) / 2, high + max(abs(high), 1.0) / 2
    axis = number_axis(label, low, high)
    if axis.limits[0] < axis.limits[1]:
        return axis
    return Axis(label, (low, high), (low, high), (f"{low:.3g}", f"{high:.3g}"))


def _cut(axis: Axis, low: float, high: float) -> Axis:
    """Return an axis that ends exactly at `low` and `high`, with the ticks between them."""
    kept = [
        pair
        for pair in zip(axis.ticks, axis.tick_labels, strict=True)
        if low - 1e-9 * (high - low) <= pair[0] <= high + 1e-9 * (high - low)
    ]
    if not kept:
        return replace(axis, limits=(low, high), ticks=(low,), tick_labels=(f"{low:.3g}",))
    ticks, labels = zip(*kept, strict=True)
    return replace(axis, limits=(low, high), ticks=ticks, tick_labels=labels)


def _columns(part: Plain) -> tuple[str, ...]:
    if part["xs"] is None:
        return tuple(part["columns"])
    return tuple(f"{x:.6g}".replace("-", "−") for x in part["xs"])


def _named_axis(label: str, names: Sequence[str], *, most: int) -> Axis:
    longest = max(map(len, names))
    axis = cell_axis(label, len(names), most=max(2, min(most, TICK_LETTERS // (longest + 1))))
    return replace(axis, tick_labels=tuple(names[int(tick)] for tick in axis.ticks))


def _nice(low: float, high: float) -> Limits:
    return _axis("", low, high).limits


def _sentence(text: str) -> str:
    return text if not text or text.endswith((".", "?", "!")) else f"{text}."


def _range_in_words(values: Numbers) -> str:
    finite = values[np.isfinite(values)]
    if not finite.size:
        return "There is no number."
    low, high = (f"{end:.4g}".replace("-", "−") for end in (finite.min(), finite.max()))
    return f"The values lie between {low} and {high}." if low != high else f"Each value is {low}."
