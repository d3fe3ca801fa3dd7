"""The data of a picture: arrays and their axes, so that any renderer can draw them.

Nothing here draws. Shapes: a heatmap has values (rows, columns), y down the rows and x along the
columns; curves, bars and points have values (series, points) over x.values (points,); circles have
angles in radians (circles, positions). Panels are heatmaps and curves side by side; their values
are for the table.
"""

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields, is_dataclass
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from posenc.errors import ParameterError
from posenc.number_format import grouped

Kind = Literal["heatmap", "curves", "bars", "points", "panels", "circles"]
ColourScale = Literal["signed_unit", "cyclic", "magnitude", "category"]
OVER_X = ("curves", "bars", "points")  # kinds whose values are series over x
Limits = tuple[float, float]
Fact = float | int | str

MOST_CELLS = 2_000_000  # of one picture; a page that asks for more has made a mistake
MOST_NUMBERS = 2**23  # computed for one picture: about a second


@dataclass(frozen=True, eq=False)
class Axis:
    """One axis: its label with the unit, its ticks and its range.

    Cells of a heatmap are centred on whole numbers, so 20 rows span (-0.5, 19.5).
    """

    label: str
    limits: Limits
    ticks: tuple[float, ...]
    tick_labels: tuple[str, ...]
    minor_ticks: tuple[float, ...] = ()
    scale: Literal["linear", "log"] = "linear"
    values: npt.NDArray[np.float64] | None = None  # where the points of curves stand


@dataclass(frozen=True, eq=False)
class Between:
    """Curves between their points, where joining the points by straight lines would be false."""

    x: npt.NDArray[np.float64]  # (finer points,)
    values: npt.NDArray[np.float64]  # (series, finer points)


@dataclass(frozen=True, eq=False)
class Band:
    """A shaded part of the y axis of curves, and its meaning."""

    low: float
    high: float
    label: str


@dataclass(frozen=True, eq=False)
class Zone:
    """A part of the x axis: it is numbered above the plot and explained below the picture."""

    low: float
    high: float
    label: str


@dataclass(frozen=True, eq=False)
class Edge:
    """A line along the borders of a heatmap's cells: corners (n, 2) as x and y of the axes."""

    corners: npt.NDArray[np.float64]
    label: str


@dataclass(frozen=True, eq=False)
class ViewData:
    """Everything a renderer needs to know about one picture."""

    kind: Kind
    scale: ColourScale
    values: npt.NDArray[np.float64]
    x: Axis
    y: Axis
    limits: Limits  # of the values: the ends of the colour scale, or of the y axis
    title: str  # the message, as a sentence
    subtitle: str  # sizes and parameters
    finding: str  # the result, a sentence made from the numbers
    unit: str = "value"
    bend: float = 0.0  # colours go with log(1 + value / bend) from a low end of 0; 0 is linear
    bar_ticks: tuple[float, ...] = ()  # values named on the colour bar beside its ends
    masked: str = ""  # the meaning of heatmap cells without a number (NaN)
    series: tuple[str, ...] = ()  # a label for each curve or circle
    between: Between | None = None  # of curves
    band: Band | None = None  # of curves
    zones: tuple[Zone, ...] = ()
    edges: tuple[Edge, ...] = ()  # of a heatmap
    cursor: tuple[int, int] | None = None  # row and column of the outlined cell
    row_noun: str = "row"  # the heads of the values as a table: "position" 0, 1, 2 ...
    row_names: tuple[str, ...] = ()
    column_noun: str = "column"
    column_names: tuple[str, ...] = ()  # of a heatmap with a cursor: the numbers it goes by
    kinds: tuple[str, ...] = ()  # of a heatmap: the kind of each column; kinds are never mixed
    square: bool = False  # of a heatmap: cells as wide as tall, so that a diagonal is at 45 degrees
    panels: tuple["ViewData", ...] = ()  # each with a title of its own
    panel_columns: int = 1  # how many side by side where there is room
    summary: Mapping[str, Fact] = field(default_factory=dict)  # numbers that a lesson may quote


def cell_axis(label: str, count: int, *, most: int) -> Axis:
    """Return the axis of `count` cells centred on 0, 1, 2 ...: at most `most` ticks, integers."""
    step = tick_step(count, most)
    ticks = tuple(float(tick) for tick in range(0, count, step))
    labels = tuple(str(int(tick)) for tick in ticks)
    minor = tuple(float(cell) for cell in range(count) if cell % step) if count <= 60 else ()
    return Axis(label, (-0.5, count - 0.5), ticks, labels, minor)


def number_axis(
    label: str, low: float, high: float, *, values: npt.NDArray[np.float64] | None = None
) -> Axis:
    """Return an axis from about low to about high with ticks at 1, 2 or 5 times a power of ten."""
    wide = high - low if high > low else 1.0
    power = 10.0 ** math.floor(math.log10(wide / 5))
    sizes = (size * power for size in (1, 2, 5, 10))
    step = next(size for size in sizes if wide / size <= 6 + 1e-9)  # 6 of them, rounding or not
    first, last = math.floor(low / step + 1e-9), math.ceil(high / step - 1e-9)
    ticks = tuple(round(number * step, 12) for number in range(first, max(last, first + 1) + 1))
    return Axis(label, (ticks[0], ticks[-1]), ticks, tuple(map(tick_label, ticks)), values=values)


def log_axis(label: str, low: float, high: float) -> Axis:
    """Return a logarithmic axis around low and high, both over 0, with a tick at powers of ten."""
    first, last = math.floor(math.log10(low)), math.ceil(math.log10(high))
    powers = range(first, max(last, first + 1) + 1, max(1, (last - first) // 6))
    ticks = tuple(10.0**power for power in powers)
    labels = tuple(tick_label(tick) for tick in ticks)
    return Axis(label, (10.0**first, 10.0 ** max(last, first + 1)), ticks, labels, scale="log")


def end_axis(label: str, highest: int, *, values: npt.NDArray[np.float64]) -> Axis:
    """Return an axis from 0 to exactly `highest`, which need not be a tick; to 1 for only 0."""
    wider = number_axis(label, 0, highest)
    kept = [one for one in zip(wider.ticks, wider.tick_labels, strict=True) if one[0] <= highest]
    ticks, labels = zip(*kept, strict=True)
    return Axis(label, (0.0, float(highest or 1)), ticks, labels, values=values)


def tick_label(value: float) -> str:
    """Return a tick as people write it: 0, −0.5, 45 000."""
    return ("−" if value < 0 else "") + grouped(abs(value))


def tick_step(count: int, most: int) -> int:
    """Return the smallest of 1, 2, 5, 10, 20, 50 ... that leaves at most `most` ticks."""
    power = 1
    while True:
        for step in (power, 2 * power, 5 * power):
            if -(-count // step) <= most:
                return step
        power *= 10


def require_few(
    argument: str, value: int, *, each: int, setting: str, most: int = MOST_NUMBERS
) -> None:
    """Raise ParameterError, naming `argument`, for `value` times `each` numbers over `most`.

    `setting` names the parameter behind `each`: "d_model=512". Nothing is allocated before.
    """
    if value * each > most:
        raise ParameterError(argument, value, f"must be at most {most // each} with {setting}")


def _listed(array: npt.NDArray[np.float64]) -> dict[str, Any]:
    numbers = [one if math.isfinite(one) else None for one in array.ravel().tolist()]
    return {"shape": list(array.shape), "data": numbers}


def view_json(
    view_data: ViewData, *, array: Callable[[npt.NDArray[np.float64]], Any] = _listed
) -> dict[str, Any]:
    """Return the data of a picture as dictionaries, lists, texts and numbers of JSON.

    The names are those of the fields. `array` says how an array is written: by default as its
    shape and its numbers row by row, null for NaN and infinity.
    """

    def plain(value: Any) -> Any:
        if is_dataclass(value):
            return {one.name: plain(getattr(value, one.name)) for one in fields(value)}
        if isinstance(value, np.ndarray):
            return array(value)
        if isinstance(value, tuple):
            return [plain(one) for one in value]
        return dict(value) if isinstance(value, Mapping) else value

    return {one.name: plain(getattr(view_data, one.name)) for one in fields(view_data)}
