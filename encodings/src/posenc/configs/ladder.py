"""The ladder of one RoPE: how many tokens each pair needs for one turn, next to the text's length.

Shapes: P = pairs of a head.
"""

import math

import numpy as np
import numpy.typing as npt

from posenc.catalog.rope import Rope
from posenc.errors import ParameterError
from posenc.number_format import counted, grouped
from posenc.views import Axis, Band, Between, ViewData, cell_axis, log_axis

Numbers = npt.NDArray[np.float64]

MOST_PAIRS = 512  # of a picture: pairs of a head of 1024 columns
LOWEST, HIGHEST = 1.0, 1e9  # tokens: the axis of nearly all models, so that two compare by eye


def frequencies_in(rope: Rope, stated: int | None) -> Numbers:
    """Return radians per token, (P,), as they are in a text of the stated length."""
    return rope.inv_freq if stated is None else rope.inv_freq_for(stated)


def require_drawable(rope: Rope) -> None:
    """Raise ParameterError unless a pair turns and all pairs fit in a picture."""
    if not 1 <= rope.turning // 2 <= MOST_PAIRS:
        expected = f"must leave 1 to {MOST_PAIRS} pairs of a head to be drawn"
        raise ParameterError("head_dim", rope.head_dim, expected)
    if not rope.moving_pairs:
        raise ParameterError("rotary_share", rope.rotary_share, "must let at least one pair turn")


def ladder(rope: Rope, *, trained: int | None = None, stated: int | None = None) -> ViewData:
    """Return the period of each pair on a log axis, (kinds of pairs, P); a still pair has none.

    Pairs are split by their turns: those that go round in the stated text, those that do not and,
    where the trained length is another, those that do only beyond it. Raises ParameterError.
    """
    require_drawable(rope)
    inv_freq = frequencies_in(rope, stated)
    periods = np.full(len(inv_freq), np.nan)
    np.divide(2 * math.pi, inv_freq, out=periods, where=inv_freq > 0)
    names, rows = _kinds(periods, trained, stated)
    lines = np.repeat(rows, 2, axis=1)
    if trained is not None and trained != stated:
        names.append(f"trained length, {grouped(trained)}")
        ends = np.full(len(periods), np.nan)
        ends[[0, -1]] = trained
        rows.append(ends)
        lines = np.vstack([lines, np.full(lines.shape[1], float(trained))])
    slowest = float(np.nanmax(periods))
    y = _period_axis(max(slowest, float(stated or 1), float(trained or 1)))
    still = int((inv_freq == 0).sum())
    return ViewData(
        kind="curves",
        scale="magnitude",
        values=np.array(rows),
        x=_pair_axis(len(periods)),
        y=y,
        limits=y.limits,
        unit="tokens",
        between=Between(_sides(len(periods)), lines),
        band=_beyond(stated, y),
        title="How many tokens each pair needs for one turn",
        subtitle=size_of(rope),
        finding=_finding(periods, stated, still),
        series=tuple(names),
        row_noun="pairs",
        row_names=tuple(names),
        column_noun="pair",
        column_names=tuple(map(str, range(len(periods)))),
        summary={"slowest": slowest, "beyond": _beyond_count(periods, stated), "still": still},
    )


def _kinds(
    periods: Numbers, trained: int | None, stated: int | None
) -> tuple[list[str], list[Numbers]]:
    if stated is None:
        return ["period"], [periods]
    text = grouped(stated)
    names = [f"a turn in {text} tokens", "less than a turn"]
    within = periods <= stated
    kinds = [within, periods > stated]
    if trained is not None and trained < stated:
        late = within & (periods > trained)
        names = [f"a turn in {grouped(trained)} tokens", "less than a turn", f"a turn in {text}"]
        kinds = [within & ~late, periods > stated, late]
    return names, [np.where(kind, periods, np.nan) for kind in kinds]


def _beyond_count(periods: Numbers, stated: int | None) -> int:
    return 0 if stated is None else int((periods > stated).sum())


def _period_axis(highest: float) -> Axis:
    axis = log_axis("tokens for one turn", LOWEST, max(HIGHEST, highest))
    labels = tuple(power_label(tick) for tick in axis.ticks)
    return Axis(axis.label, axis.limits, axis.ticks, labels, scale="log")


def _pair_axis(pairs: int) -> Axis:
    """Return the axis of the pairs, on which each is as wide as a cell."""
    cells = cell_axis("pair", pairs, most=10)
    at = np.arange(float(pairs))
    return Axis(cells.label, cells.limits, cells.ticks, cells.tick_labels, values=at)


def _sides(pairs: int) -> Numbers:
    """Return the left and the right side of each pair's step: one that stands alone is seen too."""
    middles = np.repeat(np.arange(float(pairs)), 2)
    return np.asarray(middles + np.tile((-0.5, 0.5), pairs), dtype=np.float64)


def _beyond(stated: int | None, y: Axis) -> Band | None:
    if stated is None or stated >= y.limits[1]:
        return None
    return Band(float(stated), y.limits[1], f"more than the stated {grouped(stated)} tokens")


def size_of(rope: Rope) -> str:
    """Return pairs, base and scaling in words."""
    way = "LongRoPE" if rope.longrope_long else rope.scaling
    scaled = "" if way == "none" else f", {way} by {rope.factor:g}"
    return f"{counted(rope.turning // 2, 'pair')}, base {grouped(rope.base)}{scaled}."


def _finding(periods: Numbers, stated: int | None, still: int) -> str:
    words = f"The slowest pair needs {grouped(round(float(np.nanmax(periods))))} tokens."
    if stated is not None:
        few = _beyond_count(periods, stated)
        verb = "does" if few == 1 else "do"
        round_in = f"go round once in {grouped(stated)} tokens"
        words += f" {counted(few, 'pair')} {verb} not {round_in}." if few else " All go round."
    if still:
        words += f" {counted(still, 'pair')} never {'turns' if still == 1 else 'turn'}."
    return words


def power_label(power_of_ten: float) -> str:
    """Return 1, 10, 100, 1 000, then 10⁴: a million has no room next to the axis."""
    exponent = round(math.log10(power_of_ten))
    if exponent < 4:
        return grouped(power_of_ten)
    return "10" + str(exponent).translate(str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹"))
