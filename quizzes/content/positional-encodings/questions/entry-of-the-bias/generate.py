"""What ALiBi adds to one score when the queries are the last of the keys, as with a cache."""

import numpy as np

from posenc.catalog.alibi import Alibi

SLOPES = ("one_slope", "geometric_any_n")  # the prompt tells the slope


def generate(rng, exercise):
    n_heads = int(rng.choice([2, 4, 6, 8, 12, 16]))
    keys = int(rng.integers(8, 40))
    queries = int(rng.integers(2, 6))
    head, row = int(rng.integers(0, n_heads)), int(rng.integers(0, queries))
    query = keys - queries + row
    # At distance 1 the penalty would be the slope, which the prompt gives.
    key_position = int(rng.integers(0, query - 1))
    call = {"n_heads": n_heads, "Lq": queries, "Lk": keys}
    encoding = Alibi(n_heads=n_heads)
    slope = float(encoding.slopes[head])
    key = float(encoding.bias(np.array([query]), np.array([key_position]))[head, 0, 0])

    def entry(bias):
        return bias[head, row, key_position]

    def shown(value):
        return f"{value:.4g}".replace("-", "−")

    wrong = exercise.mistaken(entry, without=SLOPES, **call)
    rng.shuffle(wrong)
    # A number on either side of the key, so that the smallest one is not right by itself.
    near = [
        (key + slope, "The distance is one too small: the query's own position has distance 0."),
        (key - slope, "The distance is one too large: positions are subtracted, not counted."),
    ]
    rng.shuffle(near)
    beside = [{"text": shown(value), "value": value, "reason": reason} for value, reason in near]
    return {
        "prompt": (
            f"ALiBi in the form $-m(i - j)$, with {n_heads} heads and a cache: {queries} queries, the "
            f"last of {keys} positions, meet {keys} keys. What is added to the score of head {head}, for "
            f"query {row} and key {key_position}? All count from 0; the slope $m$ of head {head} is "
            f"{slope:.4g}."
        ),
        "facts": {**call, "head": head, "row": row, "key": key_position},
        "proof": float(entry(exercise.reference(**call))),
        "key": {
            "text": shown(key),
            "value": key,
            "reason": (
                f"Query {row} is at position ${row} + {keys} - {queries} = {query}$, so key "
                f"{key_position} is {query - key_position} before it: $-{slope:.4g} \\cdot "
                f"{query - key_position}$."
            ),
        },
        "distractors": [
            beside[0],
            *({**one, "text": shown(one["value"])} for one in wrong),
            beside[1],
            {
                "text": "0",
                "value": 0.0,
                "reason": "Only the query's own position has no penalty, and this key stands before it.",
            },
        ],
        "apart": 0.04 * abs(key),
    }
