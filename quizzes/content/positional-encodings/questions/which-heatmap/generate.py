"""Which heatmap has this base: the others are tables that known mistakes in code give.

Their texts say what is seen, neither the base nor the mistake. The key's value is log10 of its base,
read from the picture as proof; the others' is that plus how far their picture is from the right one,
in the mean of its cells. Any two of the pictures differ in at least a quarter of their columns, each
by a quarter of the way from blue to red in the mean: another phase of a few columns, nobody sees.
"""

import numpy as np

from posenc.catalog.sinusoidal import Sinusoidal

BASES = (3.0, 30.0, 100.0, 1000.0, 10_000.0, 1_000_000.0)
SIDE = 32
# The same picture, the same when the base is given, and one that nobody tells apart by eye: with
# tensor2tensor's exponent 2i/(d - 2), no column is off by a quarter of the way from blue to red.
UNSEEN = ("fp16", "base_default_1000", "t2t_interleaved")
OFF = 0.5  # of a column that is seen to differ, in the mean: a quarter of the way from -1 to 1
PALE = 0.125  # a cell nearer to 0 is neither blue nor red; twice that is almost the same colour


def seen(values):
    """Say what the picture shows: its first row, how many columns have both colours, or one."""
    positions, columns = values.shape
    changing = int(((values < -PALE).any(axis=0) & (values > PALE).any(axis=0)).sum())
    flat = int((np.ptp(values, axis=0) < 2 * PALE).sum())
    return (
        f"Heatmap of {positions} positions and {columns} columns: row 0 {first_row(values[0])}; "
        f"{changing} columns change between blue and red, {flat} keep almost the same colour."
    )


def differ(one, other):
    """Say whether a person sees two pictures as two, (positions, columns) each."""
    off = np.abs(one - other).mean(axis=0) >= OFF
    return bool(4 * off.sum() >= len(off))


def first_row(row):
    white, red = np.abs(row) < 0.05, row > 0.95
    half = len(row) // 2
    if white.all():
        return "is all white"
    if white[0::2].all() and red[1::2].all():
        return "alternates white and red"
    if red[0::2].all() and white[1::2].all():
        return "alternates red and white"
    if white[:half].all() and red[half:].all():
        return "is white on the left and red on the right"
    if red[0::2].all():
        return "has red in every other column"
    return "has several colours"


def picture(table, d):
    """Return what can be drawn of a table, (SIDE, d), else raise."""
    table = np.asarray(table, dtype=np.float64)
    if table.shape != (SIDE, d) or not np.isfinite(table).all():
        raise ValueError(f"shape {table.shape} or its values cannot be drawn")
    return table.clip(-1, 1)


def written(number):
    return f"{number:,.0f}".replace(",", "\N{THIN SPACE}")


def generate(rng, exercise):
    d = int(rng.choice([20, 24, 28]))  # not SIDE: a picture on its side shows
    base = float(rng.choice(BASES))
    call = {"n": SIDE, "d": d, "base": base}
    values = Sinusoidal(d_model=d, base=base).encode(np.arange(SIDE))
    last = d // 2 - 1
    # The base again, from the picture alone: the last pair turns base^(-2 last/d) a position.
    turn = np.arctan2(values[1, 2 * last], values[1, 2 * last + 1])
    wave = written(2 * np.pi / turn)
    value = float(np.log10(base))

    def off(table):
        return np.abs(picture(table, d) - values).mean()

    def drawn(mistake):
        slug = mistake.partition("/")[2]
        return picture(exercise.mistakes[slug].run(**call), d)

    wrong = exercise.mistaken(off, without=UNSEEN, **call)
    rng.shuffle(wrong)
    # Another base is what the question is about: it comes first where there is one.
    wrong.sort(key=lambda one: not one["mistake"].startswith("sinusoidal-table/base_"))
    shown = []
    for one in wrong:
        table = drawn(one["mistake"])
        if all(
            differ(table, other) for other in (values, *(shown_before for _, shown_before in shown))
        ):
            shown.append((one, table))
    return {
        "prompt": (
            f"Each picture is meant to be the sinusoidal table with $d_{{\\text{{model}}}} = {d}$ and "
            f"base {written(base)}, by the formula of the paper, sines and cosines alternating: "
            f"positions go down from 0 to {SIDE - 1}, columns to the right. Which picture is right?"
        ),
        "facts": {"d_model": d, "base": base},
        "proof": -np.log10(turn) * d / (2 * last) + off(exercise.reference(**call)),
        "key": {
            "text": seen(values),
            "value": value,
            "picture": values.round(3),
            "reason": (
                f"With base {written(base)} the last pair has the wavelength $2 \\pi \\cdot "
                f"\\text{{{written(base)}}}^{{{2 * last}/{d}}} = \\text{{{wave}}}$ positions."
            ),
        },
        "distractors": [
            {
                **one,
                "value": value + one["value"],
                "text": seen(table),
                "picture": table.round(3),
            }
            for one, table in shown
        ],
        "apart": 0.05,
    }
