"""The wavelength of one pair; near misses are the known mistakes of the exercise on frequencies."""

import math

from posenc.catalog.sinusoidal import Sinusoidal


def generate(rng, exercise):
    d = int(rng.choice([8, 16, 32, 48, 50, 64, 96, 128]))
    base = float(rng.choice([100, 1000, 10_000, 500_000]))
    pair = int(rng.integers(1, d // 2))
    key = float(Sinusoidal(d_model=d, base=base).wavelengths[pair])
    near = [
        {
            "value": key / (2 * math.pi),
            "reason": "That is 1 radian; a whole turn has $2 \\pi$ of them.",
        },
        *exercise.mistaken(
            lambda out: 2 * math.pi / out[pair], without=("freq_wavelength",), d=d, base=base
        ),
        {
            "value": float(exercise.reference(d=d, base=base)[pair]),
            "reason": "That is the frequency, in radians a position; a turn takes $2 \\pi$ divided by it.",
        },
    ]
    return {
        "prompt": (
            "In a sinusoidal encoding by the formula of the paper, with "
            f"$d_{{\\text{{model}}}} = {d}$ and base {base:g}, how many positions does one full turn "
            f"of pair $i = {pair}$ take? Pairs count from 0."
        ),
        "facts": {"d_model": d, "base": base, "pair": pair},
        "proof": 2 * math.pi / float(exercise.reference(d=d, base=base)[pair]),
        "answer": {
            "value": key,
            "within": 0.02,
            "unit": "positions",
            "reason": (
                f"The wavelength of pair $i$ is $2 \\pi \\cdot \\text{{base}}^{{2i/d}}$, here "
                f"$2 \\pi \\cdot {base:g}^{{{2 * pair}/{d}}}$."
            ),
            "near": near,
        },
    }
