"""A pair's wavelength when d_model halves; distractors are known mistakes at the new width."""

import math

from posenc.catalog.sinusoidal import Sinusoidal


def generate(rng, exercise):
    d = 4 * int(rng.choice([8, 12, 16, 24, 32, 64]))
    # Pair 0 turns once in 2 pi positions whatever the width: nothing to choose from.
    pair = int(rng.integers(1, min(d // 4, 12)))
    before = float(Sinusoidal(d_model=d).wavelengths[pair])
    after = float(Sinusoidal(d_model=d // 2).wavelengths[pair])
    call = {"d": d // 2, "base": 10_000.0}

    def positions(value):
        words = f"{value:.4g}" if value < 1000 else f"{value:,.0f}".replace(",", "\N{THIN SPACE}")
        return f"{words} positions"

    def one_turn(frequencies):
        return 2 * math.pi / frequencies[pair]

    # A wavelength below a position misleads nobody. And without the 2 in 2i/d the new width gives
    # the old wavelength: a learner who chooses that thinks that the width does not matter, and has
    # not made that mistake. The number is always offered, with a reason of its own.
    wrong = exercise.mistaken(one_turn, without=("freq_no_neg", "freq_half", "freq_full_d"), **call)
    rng.shuffle(wrong)
    return {
        "prompt": (
            "Frequencies follow the formula of the paper, with base 10000. "
            f"With $d_{{\\text{{model}}}} = {d}$ one turn of pair $i = {pair}$ takes "
            f"{positions(before)}. How many does it take, for the same $i$, with "
            f"$d_{{\\text{{model}}}} = {d // 2}$?"
        ),
        "facts": {"d_model": d, "pair": pair},
        "proof": one_turn(exercise.reference(**call)),
        "key": {
            "text": positions(after),
            "value": after,
            "reason": (
                "The exponent $2i/d$ doubles, so the power of 10000 is squared: "
                f"${2 * math.pi / before:.4g}$ radians a position become "
                f"${2 * math.pi / after:.4g}$."
            ),
        },
        "distractors": [
            {
                "text": positions(before),
                "value": before,
                "reason": "That is the old wavelength: halving $d$ changes it.",
            },
            *({**one, "text": positions(one["value"])} for one in wrong),
            {
                "text": positions(2 * before),
                "value": 2 * before,
                "reason": "The exponent doubles, not the wavelength: "
                "$10000^{2 \\cdot 2i/d}$ is the square of $10000^{2i/d}$.",
            },
        ],
        "apart": 0.05 * after,  # of d = 256 and pair 1 the old wavelength is 7 % away
    }
