"""How many numbers Shaw's tables hold; near misses are tables whose rows a known mistake counts."""

import numpy as np

from posenc.catalog.shaw import Shaw


def generate(rng, exercise):
    clip = int(rng.integers(3, 33))
    head_dim = int(rng.choice([16, 32, 64, 128]))
    text = 4 * clip  # longer than both clip distances, so that every row is asked for
    call = {"Lq": text, "Lk": text, "k": clip}
    weights = Shaw(clip_distance=clip, head_dim=head_dim).init_weights(np.random.default_rng(0))
    key = sum(int(array.size) for array in weights.values())

    def numbers(rows):
        """A table must reach to the largest row that is looked up, once for keys, once for values."""
        return 2 * (int(rows.max()) + 1) * head_dim

    # no_shift ends at the row where clip_after does, but here nothing is shifted.
    near = exercise.mistaken(numbers, without=("no_clip", "no_shift"), **call)
    rng.shuffle(near)
    return {
        "prompt": (
            f"Shaw's relative positions with clip distance {clip} and head_dim {head_dim} have, in one "
            "layer, one table for the keys and one for the values, both shared by all heads. How many "
            "numbers do the two tables hold?"
        ),
        "facts": {"clip_distance": clip, "head_dim": head_dim},
        "proof": numbers(exercise.reference(**call)),
        "answer": {
            "value": key,
            "plus_minus": 0.4,
            "unit": "numbers",
            "reason": (
                f"${2 * clip + 1}$ relative positions from $-{clip}$ to ${clip}$, for keys and for "
                f"values: $2 \\cdot {2 * clip + 1} \\cdot {head_dim}$."
            ),
            "near": [
                *near,
                {
                    "value": (2 * clip + 1) * head_dim,
                    "reason": "That is the table of the keys; the values have one too.",
                },
                {
                    "value": 4 * clip * head_dim,
                    "reason": "Relative position 0 has a row as well: there are $2k + 1$.",
                },
            ],
        },
    }
