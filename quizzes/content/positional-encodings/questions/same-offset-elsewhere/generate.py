"""The dot product of two codes at the same offset elsewhere, from a squared distance.

The dot product is the same elsewhere, so a prompt that gave it would give the key. It gives the
squared distance of the two codes instead: d - 2 PE(p) . PE(p + k), as every code has length
sqrt(d / 2). PE(p) . PE(p + k) is PE(p) . M_k PE(p): a distractor is what a known mistake in the
angles of M_k makes of it.
"""

import numpy as np

from posenc.catalog.sinusoidal import Sinusoidal

# The prompt has codes and no matrix: only mistakes in their angles say what went wrong.
IN_ANGLES = ("exp_half", "exp_double", "one_frequency", "degrees")


def generate(rng, exercise):
    d = int(rng.choice([32, 64, 128, 256]))
    offset = int(rng.integers(2, 30))
    first = int(rng.integers(0, 50))
    second = first + int(rng.integers(20, 400))
    encoding = Sinusoidal(d_model=d)
    a, b, c, e = encoding.encode(np.array([first, first + offset, second, second + offset]))
    given, key = round(float((b - a) @ (b - a)), 1), float(c @ e)
    call = {"k": offset, "d": d, "base": 10_000.0}

    def shown(value):
        return f"{value:.1f}".replace("-", "−")

    wrong = exercise.mistaken(lambda matrix: c @ matrix @ c, only=IN_ANGLES, **call)
    rng.shuffle(wrong)
    neighbours = encoding.encode(np.array([0, 1]))
    sines = float(np.sin(offset * encoding.inv_freq).sum())
    others = [
        {
            "text": shown(d - given),
            "value": d - given,
            "reason": "That is twice the dot product: $|a - b|^2 = |a|^2 + |b|^2 - 2\\,a \\cdot b$.",
        },
        {
            "text": shown(given),
            "value": given,
            "reason": "That is the squared distance, which is the same elsewhere too. The dot "
            "product is $d/2$ minus half of it.",
        },
        {
            "text": shown(float(neighbours[0] @ neighbours[1])),
            "value": float(neighbours[0] @ neighbours[1]),
            "reason": f"That is the dot product of two neighbours; these are {offset} apart.",
        },
        {
            "text": shown(sines),
            "value": sines,
            "reason": "This adds up sines of the angles between the codes. A pair should give the "
            "cosine: $\\sin a \\sin b + \\cos a \\cos b = \\cos(a - b)$.",
        },
    ]
    rng.shuffle(others)
    return {
        "prompt": (
            f"With $d_{{\\text{{model}}}} = {d}$ the sinusoidal codes of positions {first} and "
            f"{first + offset} have the squared distance "
            f"$|\\text{{PE}}({first + offset}) - \\text{{PE}}({first})|^2 = {given:.1f}$. "
            f"What is the *dot product* of the codes of positions {second} and {second + offset}?"
        ),
        "facts": {"d_model": d, "offset": offset, "first": first, "second": second},
        "proof": float(c @ exercise.reference(**call) @ c),
        "key": {
            "text": shown(key),
            "value": key,
            "reason": f"Both pairs of positions are {offset} apart, so both have the dot product "
            f"$\\sum_i \\cos({offset}\\,\\omega_i)$. A code has the squared length $d/2$, so the squared "
            f"distance is $d$ minus twice the product: $({d} - {given:.1f})/2$.",
        },
        "distractors": [
            others[0],
            *({**one, "text": shown(one["value"])} for one in wrong),
            *others[1:],
            {
                "text": shown(d / 2),
                "value": d / 2,
                "reason": f"That is the largest possible one, $d/2$, at offset 0; here it is {offset}.",
            },
        ],
        "apart": 1.0,
    }
