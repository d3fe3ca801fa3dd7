"""The temperature of one query by Llama 4's formula, at a drawn position.

The near misses are given here: no exercise computes temperatures.
"""

import math

import numpy as np

from posenc.stack import Temperature


def generate(rng, exercise):
    length = 1024 * int(rng.integers(2, 17))
    strength = float(rng.choice([0.3, 0.5, 0.8]))
    steps = int(rng.integers(2, 9))
    # In every other draw, p + 1 decides: p itself is still in the step before.
    is_first = bool(rng.integers(0, 2))
    position = steps * length + (-1 if is_first else int(rng.integers(1, length - 1)))
    key = float(Temperature("llama4", strength, length).at(np.array([position]))[0])
    floor = (position + 1) // length
    near = [
        (strength * math.log(floor + 1), "The 1 in front is missing: short texts would have 0."),
        (
            1 + strength * math.log(floor),
            "Inside the logarithm, 1 is added to the steps"
            + (", and the position is counted from 1." if is_first else "."),
        ),
        (1 + strength * (floor + 1), "The logarithm is missing."),
    ]
    return {
        "prompt": (
            f"Queries are multiplied by $1 + {strength:g} \\ln(\\lfloor (p + 1) / {length} \\rfloor "
            f"+ 1)$. By how much is the query at position $p = {position}$ multiplied?"
        ),
        "facts": {"strength": strength, "length": length, "position": position},
        "proof": 1 + strength * math.log(floor + 1),
        "answer": {
            "value": key,
            "within": 0.01,
            "reason": (
                f"$\\lfloor {position + 1} / {length} \\rfloor = {floor}$, and "
                f"$1 + {strength:g} \\ln {floor + 1} = {key:.4g}$."
            ),
            "near": [{"value": value, "reason": words} for value, words in near],
        },
    }
