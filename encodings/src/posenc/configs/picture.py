"""The picture of a config: the period of every pair, for each kind of layer that turns."""

import math
from dataclasses import replace

import numpy as np

from posenc.configs.ladder import power_label
from posenc.errors import ParameterError
from posenc.number_format import counted, grouped
from posenc.stack import Stack, as_runs
from posenc.views import Axis, Band, ViewData, cell_axis, log_axis

MOST_CURVES = 8


def periods(stack: Stack) -> ViewData:
    """Return the tokens that each pair needs for one turn, (kinds of layers, pairs), on a log axis.

    Where they depend on the length of the text (LongRoPE), it is the stated one.
    A pair that never turns has no point. Raises ParameterError for layers of which none turns.
    """
    turning: dict[tuple[float, ...], list[int]] = {}
    for layer, places in stack.groups():
        array = layer.inv_freq(stack.context)
        if len(array) and (array > 0).any():
            turning.setdefault(tuple(array.tolist()), []).extend(places)
    if not turning:
        raise ParameterError("layers", len(stack.layers), "must have RoPE somewhere to be drawn")
    if len(turning) > MOST_CURVES:
        expected = f"must turn in at most {MOST_CURVES} ways to be drawn"
        raise ParameterError("layers", len(stack.layers), expected)
    pairs = max(map(len, turning))
    values = np.full((len(turning), pairs), np.nan)
    for row, inv_freq in enumerate(turning):
        moving = np.array(inv_freq)
        values[row, : len(moving)] = 2 * math.pi / np.where(moving > 0, moving, np.nan)
    slowest, context = float(np.nanmax(values)), stack.context
    y = log_axis("period (tokens)", float(np.nanmin(values)), max(slowest, float(context or 1)))
    y = replace(y, tick_labels=tuple(map(power_label, y.ticks)))
    names = tuple(_named(sorted(places)) for places in turning.values())
    cells = cell_axis("pair", pairs, most=10)
    x = Axis(
        cells.label, cells.limits, cells.ticks, cells.tick_labels, values=np.arange(float(pairs))
    )
    beyond = 0 if context is None else int((values > context).sum(axis=1).max())
    rest = "" if context is None else f" {_needing(beyond)} more than the stated length."
    still = max(sum(speed == 0 for speed in inv_freq) for inv_freq in turning)
    rest += (
        f" {counted(still, 'pair')} of a head never {'turns' if still == 1 else 'turn'}."
        if still
        else ""
    )
    band = None
    if context is not None and context < y.limits[1]:
        band = Band(float(context), y.limits[1], "longer than the text that the file states")
    return ViewData(
        kind="curves",
        scale="magnitude",
        values=values,
        x=x,
        y=y,
        limits=y.limits,
        unit="tokens",
        title="How many tokens each pair needs for one turn",
        subtitle=f"{counted(len(stack.layers), 'layer')}, {counted(pairs, 'pair')}.",
        finding=f"The slowest pair needs {grouped(round(slowest))} tokens for one turn.{rest}",
        series=names,
        band=band,
        row_noun="layers",
        row_names=names,
        column_noun="pair",
        column_names=tuple(str(pair) for pair in range(pairs)),
        summary={"slowest": slowest, "beyond": beyond},
    )


def _named(places: list[int]) -> str:
    return f"{'layer' if len(places) == 1 else 'layers'} {as_runs(places)}"


def _needing(beyond: int) -> str:
    if not beyond:
        return "No pair needs"
    return f"{counted(beyond, 'pair')} {'needs' if beyond == 1 else 'need'}"
