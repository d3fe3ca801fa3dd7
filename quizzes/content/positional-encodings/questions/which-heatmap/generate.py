"""Which heatmap has this base: pictures of the engine; their texts say what is seen, not the base."""

import numpy as np

from posenc.catalog.sinusoidal import Sinusoidal

BASES = (3.0, 30.0, 100.0, 1000.0, 10_000.0, 1_000_000.0)
SIDE = 32


def picture(d, base):
    return Sinusoidal(d_model=d, base=base).encode(np.arange(SIDE))


def seen(values):
    """Say what the picture shows: how many columns change sides between blue and red."""
    d = values.shape[1]
    changing = int((np.diff(np.signbit(values - 1e-9), axis=0).any(axis=0)).sum())
    flat = int((np.ptp(values, axis=0) < 0.25).sum())
    return (
        f"Heatmap of {SIDE} positions and {d} columns: {changing} columns change between blue and "
        f"red, {flat} on the right keep almost one colour."
    )


def written(number):
    return f"{number:,.0f}".replace(",", "\N{THIN SPACE}")


def generate(rng, exercise):
    d = int(rng.choice([24, 28, 32]))
    base, *others = (float(one) for one in rng.permutation(BASES)[:4])
    values = picture(d, base)
    last = d // 2 - 1
    # The base again, from the picture alone: the last pair turns base^(-2 last/d) a position.
    turn = np.arctan2(values[1, 2 * last], values[1, 2 * last + 1])
    wave = written(2 * np.pi / turn)
    proof = -np.log10(turn) * d / (2 * last)
    return {
        "prompt": (
            f"Each picture is a sinusoidal table with $d_{{\\text{{model}}}} = {d}$: positions go "
            f"down from 0 to {SIDE - 1}, columns to the right. Which one has base {written(base)}?"
        ),
        "facts": {"d_model": d, "base": base, "others": others},
        "proof": proof,
        "key": {
            "text": seen(values),
            "value": np.log10(base),
            "picture": values.round(3),
            "reason": (
                f"With base {written(base)} the last pair has the wavelength $2 \\pi \\cdot "
                f"\\text{{{written(base)}}}^{{{2 * last}/{d}}} = \\text{{{wave}}}$ positions."
            ),
        },
        "distractors": [
            {
                "text": seen(picture(d, other)),
                "value": np.log10(other),
                "picture": picture(d, other).round(3),
                "reason": (
                    f"This is base {written(other)}: {'more' if other > base else 'fewer'} columns on the "
                    f"right stay almost as they are, because a {'larger' if other > base else 'smaller'} "
                    f"base makes the last pairs {'slower' if other > base else 'faster'}."
                ),
            }
            for other in others
        ],
        "apart": 0.4,
    }
