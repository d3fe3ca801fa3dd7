"""The pairs of the sinusoidal encoding as hands of a clock: the position is the time."""

from dataclasses import replace

import numpy as np
import numpy.typing as npt

from posenc.catalog.sinusoidal.encoding import Sinusoidal, sinusoidal
from posenc.encoding import param
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
    cosine = Axis("cosine", (-1.0, 1.0), (-1.0, 0.0, 1.0), ("−1", "0", "1"))
    return ViewData(
        kind="circles",
        scale="cyclic",
        values=angles,
        x=cosine,
        y=replace(cosine, label="sine"),
        limits=(0.0, float(max(angles.max(), 1e-9))),
        title="Clock hands, each with its own speed",
        # Without d_model and base: the speeds, which follow from them, stand at the circles.
        subtitle=f"Positions 0 to {last}, the last one bold." if last else "Position 0, bold.",
        finding=f"By position {last}, {_turned(angles[:, -1] / (2 * np.pi))}.",
        unit="radians",
        series=tuple(f"hand {i}: {_a_step(speed)}" for i, speed in enumerate(inv_freq)),
        row_noun="hand",
        row_names=tuple(map(str, range(len(inv_freq)))),
        column_noun="position",
        column_names=tuple(map(str, range(positions))),
    )


def _turned(turns: npt.NDArray[np.float64]) -> str:
    """Return 0.5, 0.1 as "hand 0 has turned 0.5 times and hand 1 has turned 0.1 times"."""
    times = [f"{number:.3g} time{'' if f'{number:.3g}' == '1' else 's'}" for number in turns]
    hands = [f"hand {i} has turned {said}" for i, said in enumerate(times)]
    return " and ".join(filter(None, (", ".join(hands[:-1]), hands[-1])))


def _a_step(speed: float) -> str:
    """Return 0.01 as "0.01 rad/step": from one position to the next."""
    return f"{speed:.3g} rad/step"
