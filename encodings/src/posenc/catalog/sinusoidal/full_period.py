"""One full period of the slowest dimensions: far more positions than a picture has rows.

Drawing one position in 67 makes slow waves that are not there. Each row is the mean of all its
positions instead, in closed form, so that no table of 45 000 rows is ever made.
"""

import numpy as np
import numpy.typing as npt

from posenc.analysis import kept_by_mean, mean_waves
from posenc.catalog.sinusoidal.encoding import Sinusoidal, kinds_of, sinusoidal
from posenc.encoding import param
from posenc.number_format import counted, grouped, run
from posenc.views import MOST_CELLS, Axis, ViewData, Zone, cell_axis, require_few, tick_step

Values = npt.NDArray[np.float64]

ROWS = 672  # of the picture, a pixel each: with 45 000 positions, 67 behind each row
KEPT = 0.97  # of its amplitude: a wave that looks as it is


def row_means(encoding: Sinusoidal, positions: int, behind: int) -> Values:
    """Return the mean code of `behind` positions at a time, (ceil(positions / behind), d_model)."""
    starts = np.arange(0, positions, behind)
    counts = np.minimum(behind, positions - starts)
    sines, cosines = mean_waves(encoding.inv_freq, starts, counts)
    means = np.zeros((len(starts), encoding.d_model))
    for dimension in range(encoding.d_model):
        wave, pair = encoding.column(dimension)
        if wave != "zero":
            means[:, dimension] = (sines if wave == "sine" else cosines)[:, pair]
    return means


@sinusoidal.view(
    "full-period",
    title="45 000 positions in one picture",
    kind="heatmap",
    scale="signed_unit",
    along_x=("d_model",),
    params={
        "positions": param(45_000, ge=1, le=10**7, slider=(600, 45_000, 600), doc="all positions")
    },
)
def full_period(encoding: Sinusoidal, *, positions: int) -> ViewData:
    """Return the mean code of the positions behind each row, (672 rows or fewer, d_model)."""
    require_few_columns(encoding, positions)
    behind = -(-positions // ROWS)
    values = row_means(encoding, positions, behind)
    kept = np.abs(kept_by_mean(encoding.inv_freq, behind))
    return ViewData(
        kind="heatmap",
        scale="signed_unit",
        values=values,
        x=cell_axis("dimension j", encoding.d_model, most=10),
        kinds=kinds_of(encoding),
        y=position_axis(positions, behind, len(values)),
        limits=(-1.0, 1.0),
        unit="mean value",
        title="Each row is the mean of the positions behind it",
        subtitle=f"{grouped(positions)} positions, {counted(behind, 'position')} behind every row,"
        f" d_model {encoding.d_model}, base {grouped(encoding.base)}.",
        finding=_describe_visible_pairs(encoding, behind, kept),
        zones=zones_of(encoding, behind),
        row_noun="from position",
        row_names=tuple(str(row * behind) for row in range(len(values))),
        column_noun="dimension",
        column_names=tuple(str(dimension) for dimension in range(encoding.d_model)),
    )


def require_few_columns(encoding: Sinusoidal, positions: int) -> None:
    """Raise ParameterError, naming d_model, for a picture of more cells than can be drawn."""
    rows = min(positions, ROWS)
    require_few("d_model", encoding.d_model, each=rows, setting=f"{rows} rows", most=MOST_CELLS)


def zones_of(encoding: Sinusoidal, behind: int) -> tuple[Zone, ...]:
    """Return the columns that means over `behind` positions hide, fade, and show as they are.

    None for the concatenated layout, whose columns are not in the order of their waves.
    """
    if encoding.layout != "interleaved":
        return ()
    hidden, clear = hidden_and_clear(encoding, behind)
    ends = (0, 2 * hidden, min(2 * clear, encoding.d_model), encoding.d_model)
    words = ("turn in less than two rows: not seen", "look faded", "look as they are")
    return tuple(
        Zone(low - 0.5, high - 0.5, f"dimensions {low} to {high - 1} {meaning}")
        for low, high, meaning in zip(ends[:-1], ends[1:], words, strict=True)
        if high > low
    )


def hidden_and_clear(encoding: Sinusoidal, behind: int) -> tuple[int, int]:
    """Return the number of hidden pairs, and the pair from which on all keep their amplitude."""
    kept = np.abs(kept_by_mean(encoding.inv_freq, behind))
    count = len(kept)
    hidden = int(np.sum(encoding.wavelengths < 2 * behind))
    clear = next((pair for pair in range(count) if (kept[pair:] >= KEPT).all()), count)
    return hidden, max(clear, hidden)


def _describe_visible_pairs(encoding: Sinusoidal, behind: int, kept: Values) -> str:
    """Return in words which pairs are too fast for the rows, faded, or seen as they are."""
    last = len(kept) - 1
    hidden, clear = hidden_and_clear(encoding, behind)
    parts = []
    if hidden:
        parts.append(f"{run('pair', 0, hidden - 1, 'turn')} in less than two rows and cannot show")
    if clear > hidden:
        parts.append(f"{run('pair', hidden, clear - 1, 'look')} faded")
    if clear <= last:
        share = f"{100 * float(kept[clear:].min()):.0f} %"
        parts.append(f"{run('pair', clear, last, 'keep')} at least {share} of the amplitude")
    return "; ".join(parts)[0].upper() + "; ".join(parts)[1:] + "."


def position_axis(positions: int, behind: int, rows: int) -> Axis:
    """Return the axis of rows that stand for `behind` positions each."""
    step = tick_step(positions, 6)
    ticks = range(0, positions, step)
    places = tuple(tick / behind for tick in ticks if tick / behind <= rows - 0.5)
    labels = tuple(grouped(tick) for tick in ticks)[: len(places)]
    return Axis("position", (-0.5, rows - 0.5), places, labels)
