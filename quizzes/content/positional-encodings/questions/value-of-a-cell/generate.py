"""The value of one cell; every distractor is what a known mistake in code gives there."""

import numpy as np

from posenc.catalog.sinusoidal import Sinusoidal


def generate(rng, exercise):
    d = 2 * int(rng.integers(2, 33))
    position = int(rng.integers(2, 41))
    column = int(rng.integers(0, d))
    base = float(rng.choice([100, 1000, 10000]))
    pair, wave = column // 2, ("sin", "cos")[column % 2]
    key = float(Sinusoidal(d_model=d, base=base).encode(np.arange(position + 1))[position, column])
    call = {"n": position + 1, "d": d, "base": base}

    def cell(table):
        return table[position, column]

    def shown(value):
        return f"{round(value, 3) + 0.0:.3f}".replace("-", "−")

    wrong = exercise.mistaken(cell, without=("transposed",), **call)
    rng.shuffle(wrong)
    angle = f"{position} / {base:g}^{{{2 * pair}/{d}}}"
    return {
        "prompt": (
            f"A sinusoidal table with $d_{{\\text{{model}}}} = {d}$ and base {base:g} follows the formula "
            "of the paper, sines and cosines alternating. Which number is at position "
            f"{position} in column {column}? Positions and columns count from 0."
        ),
        "facts": {"d_model": d, "position": position, "column": column, "base": base},
        "proof": cell(exercise.reference(**call)),
        "key": {
            "text": shown(key),
            "value": key,
            "reason": (
                f"Column {column} is the {'sine' if wave == 'sin' else 'cosine'} of pair {pair}: "
                f"$\\{wave}({angle}) = {key:.3f}$."
            ),
        },
        "distractors": [
            {**one, "text": shown(one["value"])} for one in wrong if abs(one["value"]) <= 1
        ],
        "apart": 0.02,
    }
