"""One entry of the matrix M_k with PE(p + k) = M_k PE(p), found by least squares as well."""

import numpy as np

from posenc.catalog.sinusoidal import Sinusoidal


def generate(rng, exercise):
    d = int(rng.choice([8, 16, 32]))
    k = int(rng.integers(1, 13))
    pair = int(rng.integers(0, 3))
    row, column = 2 * pair + int(rng.integers(0, 2)), 2 * pair + int(rng.integers(0, 2))
    # The matrix that the engine's codes ask for, from more positions than there are columns.
    positions = np.arange(4 * d)
    encoding = Sinusoidal(d_model=d, base=100.0)
    matrix = np.linalg.lstsq(
        encoding.encode(positions), encoding.encode(positions + k), rcond=None
    )[0].T
    key = float(matrix[row, column])
    call = {"k": k, "d": d, "base": 100.0}
    wrong = exercise.mistaken(lambda out: out[row, column], **call)
    rng.shuffle(wrong)
    angle = f"{k} / 100^{{{2 * pair}/{d}}}"
    entry = {(0, 0): "\\cos", (0, 1): "\\sin", (1, 0): "-\\sin", (1, 1): "\\cos"}[
        row % 2, column % 2
    ]

    def shown(value):
        return f"{round(value, 3) + 0.0:.3f}".replace("-", "−")

    return {
        "prompt": (
            f"The matrix $M$ moves a sinusoidal code with $d_{{\\text{{model}}}} = {d}$ and base 100 on by {k}: "
            f"$\\text{{PE}}(p + {k}) = M \\, \\text{{PE}}(p)$ for every $p$. The codes follow the "
            "formula of the paper, sines and cosines alternating. Which number is in "
            f"row {row}, column {column} of $M$? Both count from 0."
        ),
        "facts": {"d_model": d, "k": k, "row": row, "column": column},
        "proof": float(exercise.reference(**call)[row, column]),
        "key": {
            "text": shown(key),
            "value": key,
            "reason": (
                f"Pair {pair} turns by its own angle: the block is $\\begin{{pmatrix}} \\cos a & \\sin a "
                f"\\\\ -\\sin a & \\cos a \\end{{pmatrix}}$ with $a = {angle}$, and this entry is "
                f"${entry} a$."
            ),
        },
        "distractors": [
            *({**one, "text": shown(one["value"])} for one in wrong),
            {
                "text": shown(-key),
                "value": -key,
                "reason": "The sign should be the other way round: sines "
                "of a pair are in even columns, and $\\sin(a + b) = \\sin a \\cos b + \\cos a \\sin b$.",
            },
            {
                "text": shown(np.sqrt(max(0.0, 1 - key**2))),
                "value": float(np.sqrt(max(0.0, 1 - key**2))),
                "reason": "This exchanges sine and cosine; the cosine should be on the diagonal.",
            },
        ],
        "apart": 0.02,
    }
