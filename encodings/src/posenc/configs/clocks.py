"""The hands of one RoPE at one position: a clock for each pair, all of which began at 0.

Shapes: P = pairs of a head.
"""

import math

from posenc.catalog.rope import Rope
from posenc.configs.ladder import frequencies_in, require_drawable, size_of
from posenc.figures.circles import MOST_LARGE
from posenc.number_format import counted, grouped
from posenc.positions import require_whole_number
from posenc.views import Axis, ViewData

LAST = 131_071  # of the slider: the last position of a text of 128 K tokens


def clocks(rope: Rope, *, position: int, stated: int | None = None) -> ViewData:
    """Return the angle that each pair has turned by at a position, radians from 0, (P, 1).

    An angle is not taken modulo a turn: below 2 pi the hand has not gone round once. P are the
    pairs that turn at all, which are the first ones. The position is a whole number, and its
    product with a frequency a float64: off by less than 1e-10 at the last position of the slider.
    Raises ParameterError.
    """
    require_drawable(rope)
    require_whole_number("position", position, low=0, high=2**31)
    inv_freq = frequencies_in(rope, stated)
    angles = position * inv_freq[inv_freq > 0]
    behind, still = int((angles < 2 * math.pi).sum()), int((inv_freq == 0).sum())
    unit = Axis("first dimension of the pair", (-1.0, 1.0), (-1.0, 0.0, 1.0), ("−1", "0", "1"))
    names = tuple(map(str, range(len(angles))))
    return ViewData(
        kind="circles",
        scale="cyclic",
        values=angles[:, None],
        x=unit,
        y=unit,
        limits=(0.0, max(float(angles.max()), 1e-9)),
        title=f"Position {grouped(position)}: the hand of each pair",
        subtitle=f"{size_of(rope)} A hand begins at the right and turns to the left.",
        finding=_finding(position, behind, still, len(angles)),
        unit="radians",
        series=names,
        row_noun="pair",
        row_names=names,
        column_noun="position",
        column_names=(str(position),),
        summary={"behind": behind, "still": still},
    )


def _finding(position: int, behind: int, still: int, pairs: int) -> str:
    if behind:
        has = "has" if behind == 1 else "have"
        words = f"{behind} of {counted(pairs, 'hand')} {has} not gone round once."
        words += " An arc marks each of them." if pairs > MOST_LARGE and behind > 1 else ""
    else:
        words = f"At position {grouped(position)} every hand that turns has gone round."
    if still:
        words += f" {counted(still, 'pair')} never {'turns' if still == 1 else 'turn'}."
    return words
