"""One full period of the slowest dimensions: far more positions than a picture has rows.

Drawing one position in 67 makes slow waves that are not there. Each row is the mean of all its
positions instead, in closed form, so that no table of 45 000 rows is ever made.
"""

import numpy as np
import numpy.typing as npt

from posenc.analysis import kept_by_mean, mean_waves
from posenc.catalog.sinusoidal.encoding import Sinusoidal, sinusoidal
from posenc.encoding import param
from posenc.views import Axis, ViewData, cell_axis, tick_step
from posenc.wording import counted, grouped, run

Values = npt.NDArray[np.float64]

ROWS = 300  # of the picture: a pixel each on a phone, too
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
    params={
        "positions": param(45_000, ge=1, le=10**7, slider=(600, 45_000, 600), doc="all positions")
    },
)
def full_period(encoding: Sinusoidal, *, positions: int) -> ViewData:
    """Return the mean code of the positions behind each row, (300 rows or fewer, d_model)."""
    behind = -(-positions // ROWS)
    values = row_means(encoding, positions, behind)
    kept = np.abs(kept_by_mean(encoding.inv_freq, behind))
    return ViewData(
        kind="heatmap",
        scale="signed_unit",
        values=values,
        x=cell_axis("dimension j", encoding.d_model, most=10),
        y=_position_axis(positions, behind, len(values)),
        limits=(-1.0, 1.0),
        unit="mean value",
        title="Each row is the mean of the positions behind it",
        subtitle=f"{grouped(positions)} positions, {counted(behind, 'position')} behind every row,"
        f" d_model {encoding.d_model}, base {grouped(encoding.base)}.",
        finding=_what_is_seen(encoding, behind, kept),
        row_noun="from position",
        row_names=tuple(str(row * behind) for row in range(len(values))),
        column_noun="dimension",
        column_names=tuple(str(dimension) for dimension in range(encoding.d_model)),
    )


def _what_is_seen(encoding: Sinusoidal, behind: int, kept: Values) -> str:
    """Return which pairs are too fast for the rows, which are faded, which are seen as they are."""
    last = len(kept) - 1
    hidden = int(np.sum(encoding.wavelengths < 2 * behind))
    clear = next((pair for pair in range(last + 1) if (kept[pair:] >= KEPT).all()), last + 1)
    parts = []
    if hidden:
        parts.append(f"{run('pair', 0, hidden - 1, 'turn')} in less than two rows and cannot show")
    if clear > hidden:
        parts.append(f"{run('pair', hidden, clear - 1, 'look')} faded")
    if clear <= last:
        share = f"{100 * float(kept[clear:].min()):.0f} %"
        parts.append(f"{run('pair', clear, last, 'keep')} at least {share} of the amplitude")
    return "; ".join(parts)[0].upper() + "; ".join(parts)[1:] + "."


def _position_axis(positions: int, behind: int, rows: int) -> Axis:
    step = tick_step(positions, 6)
    ticks = range(0, positions, step)
    places = tuple(tick / behind for tick in ticks if tick / behind <= rows - 0.5)
    labels = tuple(grouped(tick) for tick in ticks)[: len(places)]
    return Axis("position", (-0.5, rows - 0.5), places, labels)
