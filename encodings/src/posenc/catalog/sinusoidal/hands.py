"""The pairs of the sinusoidal encoding as hands of a clock: the position is the time."""

from dataclasses import replace

import numpy as np

from posenc.catalog.sinusoidal.encoding import Sinusoidal, sinusoidal
from posenc.encoding import param
from posenc.number_format import grouped
from posenc.views import Axis, ViewData

MOST_HANDS = 4  # the fastest; in a wide code slower ones would all stand still


@sinusoidal.view(
    "hands",
    title="Pairs as hands of a clock",
    kind="circles",
    scale="cyclic",
    along_x=("positions",),
    params={"positions": param(7, ge=1, le=360, slider=(1, 64, 1), doc="hands on each circle")},
)
def hands(encoding: Sinusoidal, *, positions: int) -> ViewData:
    """Return the angles of the fastest pairs at each position, in radians, (hands, positions)."""
    inv_freq = encoding.inv_freq[:MOST_HANDS]
    angles = np.outer(inv_freq, np.arange(positions))
    last = positions - 1
    turns = [f"hand {i} {end / (2 * np.pi):.3g}" for i, end in enumerate(angles[:, -1])]
    run = f"Positions 0 to {last}, the last one" if last else "Position 0,"
    cosine = Axis("cosine", (-1.0, 1.0), (-1.0, 0.0, 1.0), ("−1", "0", "1"))
    return ViewData(
        kind="circles",
        scale="cyclic",
        values=angles,
        x=cosine,
        y=replace(cosine, label="sine"),
        limits=(0.0, float(max(angles.max(), 1e-9))),
        title="Each pair of columns is a hand of a clock",
        subtitle=f"{run} bold; d_model {encoding.d_model}, base {grouped(encoding.base)}.",
        finding=f"Turns up to position {last}: {', '.join(turns)}.",
        unit="radians",
        series=tuple(f"hand {i}: {_a_step(speed)}" for i, speed in enumerate(inv_freq)),
        row_noun="hand",
        row_names=tuple(map(str, range(len(inv_freq)))),
        column_noun="position",
        column_names=tuple(map(str, range(positions))),
    )


def _a_step(speed: float) -> str:
    """Return 0.01 as "0.01 rad/step": from one position to the next."""
    return f"{speed:.3g} rad/step"
