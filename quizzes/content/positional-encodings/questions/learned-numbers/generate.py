"""How many numbers an encoding learns: counted in the arrays that the engine makes.

The near misses are given here and not taken from known mistakes of code: those that miscount these
tables (one vector for all, two rows more) are PyTorch modules, and T5's exercise learns nothing.
Only functions of NumPy run where questions are drawn.
"""

import numpy as np

from posenc.catalog.learned import Learned
from posenc.catalog.t5_bias import T5Bias


def learned(rng):
    max_len, d = int(rng.choice([128, 256, 512, 1024])), int(rng.choice([64, 96, 128, 256]))
    return (
        Learned(max_len=max_len, d_model=d),
        f"a table for {max_len} positions with $d_{{\\text{{model}}}} = {d}$",
        max_len * d,
        f"One row for each position and one number for each dimension: ${max_len} \\cdot {d}$.",
        [
            (max_len, "That is one number a position; each row has $d_{\\text{model}}$."),
            (
                d,
                "That is one vector for all positions, which would all look alike: each has a row.",
            ),
            ((max_len + 2) * d, "Two rows more, as BART has them. A position has one row here."),
            (max_len + d, "Rows and columns multiply, they do not add."),
            (
                2 * max_len * d,
                "There is one table, added to the embedding, not one for queries and one for keys.",
            ),
            (max_len * max_len, "A row is looked up for a position, not for a pair of positions."),
        ],
        {"max_len": max_len, "d_model": d},
    )


def t5(rng):
    buckets, heads = int(rng.choice([16, 32, 64])), int(rng.choice([4, 8, 12, 16]))
    return (
        T5Bias(num_buckets=buckets, n_heads=heads),
        f"the bias of T5's encoder, one table with {buckets} buckets and {heads} heads for all layers",
        buckets * heads,
        f"One number for each bucket and head: ${buckets} \\cdot {heads}$.",
        [
            (buckets, "That is one head's; every head has biases of its own."),
            (
                2 * buckets * heads,
                "That is the encoder's table and the decoder's. Here it is the encoder's alone, whose "
                "two directions share the buckets.",
            ),
            (
                128 * heads,
                "Distances share buckets; there is no number for each distance up to 128.",
            ),
        ],
        {"num_buckets": buckets, "n_heads": heads},
    )


def generate(rng, exercise):
    make = [learned, t5][int(rng.integers(0, 2))]
    encoding, name, formula, reason, near, facts = make(rng)
    weights = encoding.init_weights(np.random.default_rng(0))
    key = sum(int(array.size) for array in weights.values())
    return {
        "prompt": f"How many learned numbers are there in {name}?",
        "facts": {"encoding": type(encoding).__name__, **facts},
        "proof": formula,
        "answer": {
            "value": key,
            "plus_minus": 0.4,
            "unit": "numbers",
            "reason": reason,
            "near": [{"value": value, "reason": words} for value, words in near],
        },
    }
