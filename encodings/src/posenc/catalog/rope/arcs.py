"""The part of its circle that each pair of a RoPE sees in training, and in a longer text.

A view of circles can only draw a few pairs, and fast ones at that: of a slow pair one would see a
single hand. Here every pair has a bar, from no angle to the whole circle.
"""

import numpy as np
import numpy.typing as npt

from posenc.catalog.rope.encoding import Rope, rope
from posenc.catalog.rope.frequencies import unscaled_for
from posenc.catalog.rope.views import require_turning
from posenc.encoding import param
from posenc.number_format import counted, grouped
from posenc.views import Axis, Between, ViewData, Zone, cell_axis

Values = npt.NDArray[np.float64]


@rope.view(
    "arcs",
    title="The angles of training, and those of a longer text",
    kind="curves",
    scale="magnitude",
    along_x=("head_dim",),
    params={
        "length": param(
            8192, ge=2, le=2**31, slider=(128, 32_768, 128), doc="tokens of the longer text"
        )
    },
)
def arcs(encoding: Rope, *, length: int) -> ViewData:
    """Return the share of its circle that each pair covers in training and in a text, (2, pairs).

    Training is without scaling and has `trained_length` tokens, of which each covers the arc up to
    the next. The text has `length` tokens and the scaling.
    """
    require_turning(encoding)
    inv_freq, trained = encoding.inv_freq_for(length), encoding.trained_length
    pairs = len(inv_freq)
    seen = trained * unscaled_for(encoding, encoding.base) / (2 * np.pi)
    reached = (length - 1) * inv_freq / (2 * np.pi)
    new = int(np.sum((seen < 1) & (reached > seen)))
    whole = int(np.sum(seen >= 1))
    values = np.minimum(np.stack([reached, seen]), 1.0)
    names = (f"text of {grouped(length)} tokens", f"training with {grouped(trained)}")
    way = "LongRoPE" if encoding.longrope_long else encoding.scaling
    return ViewData(
        kind="curves",
        scale="magnitude",
        values=values,
        x=_pair_axis(pairs),
        y=Axis("share of the circle", (0.0, 1.0), (0.0, 0.5, 1.0), ("0", "0.5", "1")),
        limits=(0.0, 1.0),
        between=_bars(values),
        unit="turns",
        title="Slow pairs see only an arc of their circle in training",
        subtitle=f"{counted(pairs, 'pair')}, base {grouped(encoding.base)}, scaling {way}"
        + (f" by {encoding.factor:g}." if way not in ("none", "LongRoPE") else "."),
        finding=f"In {grouped(trained)} tokens {whole} of {counted(pairs, 'pair')} turn all the way"
        f" round; in {grouped(length)} tokens {new} of the others"
        f" {'meets' if new == 1 else 'meet'} new angles.",
        series=names,
        zones=_zones(whole, pairs),
        row_noun="tokens",
        row_names=names,
        column_noun="pair",
        column_names=tuple(str(pair) for pair in range(pairs)),
        summary={"whole": whole, "new": new},
    )


def _pair_axis(pairs: int) -> Axis:
    """Return the axis of the pairs, on which each is as wide as a cell."""
    cells = cell_axis("pair", pairs, most=10)
    at = np.arange(float(pairs))
    return Axis(cells.label, cells.limits, cells.ticks, cells.tick_labels, values=at)


def _bars(values: Values) -> Between:
    """Return curves that are flat over each pair and rise between two."""
    middles = np.arange(float(values.shape[1]))
    ends = np.repeat(middles, 2) + np.tile((-0.5, 0.5), len(middles))
    return Between(ends, np.repeat(values, 2, axis=1))


def _zones(whole: int, pairs: int) -> tuple[Zone, ...]:
    """Return the pairs that went all the way round in training, and those that did not."""
    if not 0 < whole < pairs:
        return ()
    return (
        Zone(-0.5, whole - 0.5, "the whole circle in training: no angle is new"),
        Zone(whole - 0.5, pairs - 0.5, "only an arc in training"),
    )
