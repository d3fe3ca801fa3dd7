"""The dot product of two codes at the same offset elsewhere, which is the same number."""

import numpy as np

from posenc.catalog.sinusoidal import Sinusoidal


def generate(rng, exercise):
    d = int(rng.choice([32, 64, 128, 256]))
    offset = int(rng.integers(1, 30))
    first = int(rng.integers(0, 50))
    second = first + int(rng.integers(20, 400))
    sign = int(rng.choice([-1, 1]))  # the dot product is even in the offset
    encoding = Sinusoidal(d_model=d)
    a, b, c, e = encoding.encode(np.array([first, first + offset, second + offset, second]))
    given, key = float(a @ b), float(c @ e)
    double, further = encoding.encode(np.array([0, 2 * offset, offset + second - first]))[1:]
    zero = encoding.encode(np.array([0]))[0]
    pair = (second, second + offset) if sign > 0 else (second + offset, second)

    def shown(value):
        return f"{value:.1f}".replace("-", "−")

    wrong = [
        (
            given * (second + 1) / (first + 1),
            "It does not grow with the position: only the offset counts.",
        ),
        (-given, "It is even in the offset: $\\cos(-k \\omega) = \\cos(k \\omega)$."),
        (float(zero @ double), f"That belongs to the offset {2 * offset}, twice as large."),
        (
            float(zero @ further),
            "That belongs to another offset: the distance of the two pairs is added.",
        ),
        (d / 2, f"That is the largest possible one, $d/2$, at offset 0; here it is {offset}."),
        (0.0, "The codes are not orthogonal; near positions are alike."),
    ]
    rng.shuffle(wrong)
    return {
        "prompt": (
            f"With $d_{{\\text{{model}}}} = {d}$ the sinusoidal codes of positions {first} and "
            f"{first + offset} have the dot product {shown(given)}. What have those of positions "
            f"{pair[0]} and {pair[1]}?"
        ),
        "facts": {"d_model": d, "offset": offset, "first": first, "second": second},
        "proof": float(np.cos(offset * encoding.inv_freq).sum()),
        "key": {
            "text": shown(key),
            "value": key,
            "reason": "The same: it is $\\sum_i \\cos(k \\omega_i)$ for the offset $k = "
            f"{offset}$, wherever the two stand and whichever comes first.",
        },
        "distractors": [
            {"text": shown(value), "value": float(value), "reason": why} for value, why in wrong
        ],
        "apart": 1.0,
    }
