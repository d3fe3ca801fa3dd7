"""Which formula gives this number; the wrong ones are known mistakes, written as formulas."""

import math

import numpy as np

from posenc.catalog.sinusoidal import Sinusoidal


def generate(rng, exercise):
    d = 2 * int(rng.integers(3, 33))
    position = int(rng.integers(1, 31))
    column = int(rng.integers(2, d))  # not pair 0: there all exponents are 0
    pair, odd = divmod(column, 2)
    wave, other = ("cos", "sin") if odd else ("sin", "cos")
    number = float(Sinusoidal(d_model=d).encode(np.array([position]))[0, column])
    shown = f"{number:.4f}".replace("-", "\N{MINUS SIGN}")

    def formula(wave, at, exponent, base=10_000):
        return f"$\\{wave}({at} / {base}^{{{exponent}/{d}}})$"

    def value(wave, at, exponent, base=10_000):
        return getattr(math, wave)(at / base ** (exponent / d))

    wrong = [
        ("exp_half", wave, position, pair),
        ("exp_double", wave, position, 4 * pair),
        ("swap", other, position, 2 * pair),
        ("pos_one", wave, position + 1, 2 * pair),
        ("base_1000", wave, position, 2 * pair, 1000),
    ]
    if odd:
        wrong.append(("cos_own_exponent", wave, position, column))
    rng.shuffle(wrong)
    distractors = [
        {
            "text": formula(*parts),
            "value": value(*parts),
            "reason": exercise.mistakes[slug].number,
            "mistake": exercise.mistakes[slug].name,
        }
        for slug, *parts in wrong
    ]
    return {
        "prompt": (
            f"The sinusoidal table with $d_{{\\text{{model}}}} = {d}$ holds {shown} at position "
            f"{position}, column {column}. Which formula gives it?"
        ),
        "facts": {"d_model": d, "position": position, "column": column, "number": number},
        "proof": float(exercise.reference(n=position + 1, d=d)[position, column]),
        "key": {
            "text": formula(wave, position, 2 * pair),
            "value": value(wave, position, 2 * pair),
            "reason": (
                f"Column {column} belongs to pair $i = {pair}$, so the exponent is $2i/d = "
                f"{2 * pair}/{d}$; it is {'odd' if odd else 'even'}, so it holds the "
                f"{'cosine' if odd else 'sine'}."
            ),
        },
        "distractors": distractors,
        "apart": 0.005,
    }
