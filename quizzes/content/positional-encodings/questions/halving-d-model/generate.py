"""A pair's wavelength when d_model halves and the pair keeps its number."""

import math

from posenc.catalog.sinusoidal import Sinusoidal


def generate(rng, exercise):
    d = 4 * int(rng.choice([8, 12, 16, 24, 32, 64]))
    pair = int(rng.integers(0, min(d // 4, 12)))
    before = float(Sinusoidal(d_model=d).wavelengths[pair])
    after = float(Sinusoidal(d_model=d // 2).wavelengths[pair])

    def positions(value):
        words = f"{value:.4g}" if value < 1000 else f"{value:,.0f}".replace(",", "\N{THIN SPACE}")
        return f"{words} positions"

    stays = {
        "value": before,
        "reason": "Only pair 0 stays: its exponent is 0 whatever $d_{\\text{model}}$ is. For every "
        "other pair the exponent $2i/d$ doubles.",
    }
    wrong = [
        {
            "value": before / 2,
            "reason": "The wavelength is no multiple of $d_{\\text{model}}$, which stands in the "
            "exponent.",
        },
        {
            "value": 2 * before,
            "reason": "The exponent doubles, not the wavelength: "
            "$10000^{2 \\cdot 2i/d}$ is the square of $10000^{2i/d}$.",
        },
        {
            "value": 2 * math.pi * math.sqrt(before / (2 * math.pi)),
            "reason": "The other way round: this is what a $d_{\\text{model}}$ twice as large gives.",
        },
        {
            "value": before**2,
            "reason": "Only the power of 10000 is squared, not the $2 \\pi$ in front of it.",
        },
    ]
    rng.shuffle(wrong)
    if pair:
        wrong.insert(0, stays)
    return {
        "prompt": (
            f"With $d_{{\\text{{model}}}} = {d}$ one turn of pair $i = {pair}$ takes "
            f"{positions(before)}. How many does it take, for the same $i$, with "
            f"$d_{{\\text{{model}}}} = {d // 2}$?"
        ),
        "facts": {"d_model": d, "pair": pair},
        "proof": 2 * math.pi * (before / (2 * math.pi)) ** 2,
        "key": {
            "text": positions(after),
            "value": after,
            "reason": (
                "The exponent $2i/d$ doubles, so the power of 10000 is squared"
                + (
                    f": ${2 * math.pi / before:.4g}$ radians a position become "
                    f"${2 * math.pi / after:.4g}$."
                    if pair
                    else "; for pair 0 it is 1 before and after. Pair 0 does not depend on "
                    "$d_{\\text{model}}$."
                )
            ),
        },
        "distractors": [{**one, "text": positions(one["value"])} for one in wrong],
        "apart": 0.1 * after,
    }
