"""A plain layer with a helper that splits the heads.

Truth: wrong
Slips: values are projected from x before on_embeddings
Names: values_from_tokens
Silent: yes
Says: A fair person would say: Queries, keys and values are all projections of what on_embeddings returns; you project the values from the plain tokens, which is wrong with the encoding `sinusoidal`.
"""

import numpy as np


def softmax(s):
    s = s - s.max(axis=-1, keepdims=True)
    e = np.exp(s)
    return e / e.sum(axis=-1, keepdims=True)


def attention(
    x: np.ndarray,
    w_q: np.ndarray,
    w_k: np.ndarray,
    w_v: np.ndarray,
    n_heads: int,
    encoding: str,
    causal: bool = False,
) -> np.ndarray:
    """One attention layer, (B, L, d_model)."""
    hooks = ENCODINGS[encoding]
    B, L, d_model = x.shape
    D = d_model // n_heads
    positions = np.arange(L)

    def split(t):
        return t.reshape(B, L, n_heads, D).transpose(0, 2, 1, 3)

    # position is only needed where tokens are compared
    x_pos = hooks.on_embeddings(x, positions)
    q = split(x_pos @ w_q)
    k = split(x_pos @ w_k)
    v = split(x @ w_v)

    q, k = hooks.on_queries_and_keys(q, k, positions, positions)
    scores = q @ k.transpose(0, 1, 3, 2) / np.sqrt(D)
    scores = hooks.on_scores(scores, q, k, positions, positions)
    if causal:
        scores = np.where(np.tril(np.ones((L, L), dtype=bool)), scores, -np.inf)
    weights = softmax(scores)
    mixed = hooks.on_values(weights @ v, weights, positions, positions)
    return mixed.transpose(0, 2, 1, 3).reshape(B, L, d_model)



# The encodings follow. They are finished.


class Encoding:
    """Does nothing at any of the four hooks."""

    def on_embeddings(self, x, positions):
        return x

    def on_queries_and_keys(self, q, k, q_positions, k_positions):
        return q, k

    def on_scores(self, scores, q, k, q_positions, k_positions):
        return scores

    def on_values(self, mixed, weights, q_positions, k_positions):
        return mixed


def angles(positions, columns):
    return positions[:, None] * 10000.0 ** (-np.arange(0, columns, 2) / columns)


class Sinusoidal(Encoding):
    def on_embeddings(self, x, positions):
        turn = angles(positions, x.shape[-1])
        return x + np.stack([np.sin(turn), np.cos(turn)], axis=-1).reshape(turn.shape[0], -1)


class Rope(Encoding):
    def on_queries_and_keys(self, q, k, q_positions, k_positions):
        return self.turn(q, q_positions), self.turn(k, k_positions)

    def turn(self, x, positions):
        turn = angles(positions, x.shape[-1])
        a, b = x[..., 0::2], x[..., 1::2]
        turned = [a * np.cos(turn) - b * np.sin(turn), a * np.sin(turn) + b * np.cos(turn)]
        return np.stack(turned, axis=-1).reshape(x.shape)


class Alibi(Encoding):
    def on_scores(self, scores, q, k, q_positions, k_positions):
        n_heads = scores.shape[1]
        # The plain formula, for every number of heads. Do not copy it into a model: the code of ALiBi's
        # authors takes it for powers of two only, and has other slopes for 3, 6 or 12 heads.
        slopes = 2.0 ** (-8 * np.arange(1, n_heads + 1) / n_heads)
        return scores - slopes[:, None, None] * np.abs(relative(q_positions, k_positions))


class Shaw(Encoding):
    """Two tables of five vectors, for relative positions from -2 to 2."""

    def on_scores(self, scores, q, k, q_positions, k_positions):
        vectors = self.table(q.shape[-1], 0.3)[self.rows(q_positions, k_positions)]
        return scores + np.einsum("bhid,ijd->bhij", q, vectors) / np.sqrt(q.shape[-1])

    def on_values(self, mixed, weights, q_positions, k_positions):
        vectors = self.table(mixed.shape[-1], 0.7)[self.rows(q_positions, k_positions)]
        return mixed + np.einsum("bhij,ijd->bhid", weights, vectors)

    def rows(self, q_positions, k_positions):
        return relative(q_positions, k_positions).clip(-2, 2) + 2

    def table(self, head_dim, start):
        return np.cos(start + np.arange(5 * head_dim)).reshape(5, head_dim)


def relative(q_positions, k_positions):
    return k_positions[None, :] - q_positions[:, None]


ENCODINGS = {
    "none": Encoding(),
    "sinusoidal": Sinusoidal(),
    "rope": Rope(),
    "alibi": Alibi(),
    "shaw": Shaw(),
}
