"""Positions as binary numbers beside their codes: bits that jump, and waves that do not."""

import numpy as np
import numpy.typing as npt

from posenc.catalog.sinusoidal.encoding import WAVES, Sinusoidal, sinusoidal
from posenc.encoding import param
from posenc.number_format import counted, rounded
from posenc.views import Axis, Edge, ViewData, cell_axis, tick_step

MOST_TICKS = 10  # of bits, and of pairs


@sinusoidal.view(
    "bits",
    title="Bits beside waves",
    kind="heatmap",
    scale="signed_unit",
    along_x=("positions", "d_model"),
    params={"positions": param(16, ge=2, le=4096, slider=(2, 64, 1), doc="rows of the picture")},
)
def bits(encoding: Sinusoidal, *, positions: int) -> ViewData:
    """Return the bits of each position, the fastest first, then as many pairs of its code.

    The shape is (positions, bits + columns of the pairs). A narrow code has fewer pairs. Sine and
    cosine of a pair stand next to each other in any layout.
    """
    count = (positions - 1).bit_length()
    binary = np.arange(positions)[:, None] >> np.arange(count) & 1
    speeds = encoding.inv_freq[:count]
    columns = min(2 * len(speeds), encoding.d_model)  # the last sine of an odd width is alone
    angles = np.arange(positions)[:, None] * speeds
    codes = np.stack([np.sin(angles), np.cos(angles)], axis=2).reshape(positions, -1)[:, :columns]
    changed = np.abs(np.diff(binary, axis=0)).sum(axis=1)
    steps = np.linalg.norm(np.diff(codes, axis=0), axis=1)
    jump = int(changed.argmax())
    border = count - 0.5
    return ViewData(
        kind="heatmap",
        scale="signed_unit",
        values=np.concatenate([binary, codes], axis=1),
        x=_axis(count, columns),
        y=cell_axis("position", positions, most=8),
        limits=(-1.0, 1.0),
        edges=(
            Edge(
                np.array([(border, -0.5), (border, positions - 0.5)]),
                "border between the bits and the code",
            ),
        ),
        title="Bits jump, waves do not",
        subtitle=f"{counted(count, 'bit')}, bit 0 first, then {counted(len(speeds), 'pair')}:"
        f" {_listed(speeds)} rad/step.",
        finding=f"From position {jump} to {jump + 1}, {counted(int(changed[jump]), 'bit')}"
        f" {'changes' if changed[jump] == 1 else 'change'}. {_said(steps)}",
        row_noun="position",
        row_names=tuple(map(str, range(positions))),
        column_noun="column",
        column_names=(
            *(f"bit {bit}" for bit in range(count)),
            *(f"{WAVES[column % 2]} of pair {column // 2}" for column in range(columns)),
        ),
        summary={
            "bits": count,
            "bits_that_change": int(changed[jump]),
            "shortest_step": float(steps.min()),
            "longest_step": float(steps.max()),
        },
    )


def _axis(count: int, columns: int) -> Axis:
    """Return the axis: bits are numbered from 0, and so are the pairs, each at its middle."""
    step = tick_step(count, MOST_TICKS)
    pairs = [(first, min(first + 1, columns - 1)) for first in range(0, columns, 2 * step)]
    places = (*range(0, count, step), *(count + (first + last) / 2 for first, last in pairs))
    labels = (*range(0, count, step), *(first // 2 for first, _ in pairs))
    limits = (-0.5, count + columns - 0.5)
    label = "bit, then pair of the code"
    return Axis(label, limits, tuple(map(float, places)), tuple(map(str, labels)))


def _listed(speeds: npt.NDArray[np.float64]) -> str:
    """Return "1, 0.5, 0.25, 0.125"; of more than four, the first three and the last."""
    said = [f"{speed:.3g}" for speed in speeds]
    return ", ".join(said if len(said) <= 4 else [*said[:3], "…", said[-1]])


def _said(steps: npt.NDArray[np.float64]) -> str:
    """Return how far apart the codes of neighbours are."""
    shortest, longest = rounded(float(steps.min())), rounded(float(steps.max()))
    apart = shortest if shortest == longest else f"{shortest} to {longest}"
    return f"The codes of any two neighbours are {apart} apart."
