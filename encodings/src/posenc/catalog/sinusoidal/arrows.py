"""The first pair of two codes of the sinusoidal encoding as arrows, and their dot product."""

from dataclasses import replace

import numpy as np

from posenc.catalog.sinusoidal.encoding import Sinusoidal, sinusoidal
from posenc.encoding import param
from posenc.number_format import grouped, rounded
from posenc.views import Axis, ViewData


@sinusoidal.view(
    "arrows",
    title="Two positions as arrows",
    kind="circles",
    scale="cyclic",
    params={
        "position": param(3, ge=0, le=2**20, slider=(0, 100, 1), doc="position of the thin arrow"),
        "offset": param(5, ge=1, le=2**20, slider=(1, 12, 1), doc="from it to the bold arrow"),
    },
)
def arrows(encoding: Sinusoidal, *, position: int, offset: int) -> ViewData:
    """Return the angles of the first pair at both positions, in radians, (1, 2)."""
    speed = float(encoding.inv_freq[0])
    positions = position, position + offset
    angles = speed * np.array([positions], dtype=np.float64)
    between = float(angles[0, 1] - angles[0, 0])
    cosine = Axis("cosine", (-1.0, 1.0), (-1.0, 0.0, 1.0), ("−1", "0", "1"))
    first, second = map(grouped, positions)
    return ViewData(
        kind="circles",
        scale="cyclic",
        values=angles,
        x=cosine,
        y=replace(cosine, label="sine"),
        limits=(0.0, float(angles.max())),
        title="Two arrows of length 1",
        subtitle=f"Positions {first}, thin, and {second}, bold: the first pair of their codes.",
        finding=f"The angle between them is {rounded(between)}. Their dot product is its cosine,"
        f" {np.cos(between):.4f}.".replace("-", "−"),
        unit="radians",
        series=("pair 0",),
        row_noun="pair",
        row_names=("0",),
        column_noun="position",
        column_names=tuple(map(str, positions)),
        summary={"product": float(np.cos(between))},
    )
