"""What one query collects under a causal mask; near misses are what known mistakes in code give."""

import numpy as np

from posenc.attention import attention
from posenc.catalog.nope import NoPE

TOKENS = 4


def generate(rng, exercise):
    root = int(rng.choice([2, 3, 4, 5]))
    query = int(rng.integers(1, TOKENS - 1))  # some keys are hidden, and it sees more than itself
    products = rng.permutation(np.arange(-2 * root, 2 * root + 1))[:TOKENS]
    values = 10 * rng.permutation(np.arange(1, 10))[:TOKENS]
    q, k = np.zeros((2, TOKENS, root**2))
    q[query, 0], k[:, 0], v = 1.0, products, values[:, None].astype(float)
    at = np.arange(TOKENS)
    heads = attention(
        q[None], k[None], v[None], encoding=NoPE(), q_positions=at, k_positions=at, causal=True
    )
    call = {"q": q, "k": k, "v": v, "causal": True}

    def collected(result):
        return result[query, 0]

    one, two, three, four = (f"{product}".replace("-", "−") for product in products)
    near = exercise.mistaken(collected, **call)
    rng.shuffle(near)
    seen = [int(product) for product in products[: query + 1]]
    scores = ", ".join(f"${product}/{root}$" for product in seen)
    return {
        "prompt": (
            f"Queries and keys have {root**2} columns. The dot products of query {query} with the keys 0, 1, 2 "
            f"and 3 are {one}, {two}, {three} and {four}, not divided yet. The values of the keys are "
            f"{values[0]}, {values[1]}, {values[2]} and {values[3]}, one number each. What is the result "
            f"of query {query} under a causal mask, to one digit after the point?"
        ),
        "facts": {
            "columns": root**2,
            "query": query,
            "products": [int(product) for product in products],
            "values": [int(value) for value in values],
        },
        "proof": float(collected(exercise.reference(**call))),
        "answer": {
            "value": float(heads[0, query, 0]),
            "plus_minus": 0.1,
            "reason": (
                f"Query {query} sees the first {query + 1} keys. Their scores are {scores}, and the "
                f"softmax of these gives the weights of their values."
            ),
            "near": near,
        },
    }
