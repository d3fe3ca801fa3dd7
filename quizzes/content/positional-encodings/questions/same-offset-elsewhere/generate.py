"""The dot product of two codes at the same offset elsewhere, which is the same number.

PE(p) . PE(p + k) is PE(p) . M_k PE(p): a distractor is what a known mistake in M_k makes of it.
"""

import numpy as np

from posenc.catalog.sinusoidal import Sinusoidal


def generate(rng, exercise):
    d = int(rng.choice([32, 64, 128, 256]))
    offset = int(rng.integers(2, 30))
    first = int(rng.integers(0, 50))
    second = first + int(rng.integers(20, 400))
    encoding = Sinusoidal(d_model=d)
    a, b, c, e = encoding.encode(np.array([first, first + offset, second, second + offset]))
    given, key = float(a @ b), float(c @ e)
    call = {"k": offset, "d": d, "base": 10_000.0}

    def shown(value):
        return f"{value:.1f}".replace("-", "−")

    wrong = exercise.mistaken(lambda matrix: c @ matrix @ c, **call)
    rng.shuffle(wrong)
    return {
        "prompt": (
            f"With $d_{{\\text{{model}}}} = {d}$ the sinusoidal codes of positions {first} and "
            f"{first + offset} have the dot product {shown(given)}. What have those of positions "
            f"{second} and {second + offset}? It is $\\text{{PE}}(p) \\cdot M_k \\, \\text{{PE}}(p)$ "
            f"with $p = {second}$ and $k = {offset}$."
        ),
        "facts": {"d_model": d, "offset": offset, "first": first, "second": second},
        "proof": float(c @ exercise.reference(**call) @ c),
        "key": {
            "text": shown(key),
            "value": key,
            "reason": "The same: it is $\\sum_i \\cos(k \\omega_i)$ for the offset $k = "
            f"{offset}$, wherever the two stand.",
        },
        "distractors": [
            *({**one, "text": shown(one["value"])} for one in wrong),
            {
                "text": shown(d / 2),
                "value": d / 2,
                "reason": f"That is the largest possible one, $d/2$, at offset 0; here it is {offset}.",
            },
        ],
        "apart": 1.0,
    }
