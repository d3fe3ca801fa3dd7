"""Does: You multiply the scores by sqrt(D).
Should: They should be divided by sqrt(D).
Step: why-order/what-attention-computes
Kind: mistake
Breaks: 5b. Scores are divided by sqrt(D); then on_scores gets them.
"""

import numpy as np


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
        slopes = self.slopes(scores.shape[1])
        return scores - slopes[:, None, None] * np.abs(relative(q_positions, k_positions))

    def slopes(self, n_heads):
        # As in the authors' code. P is the largest power of two that is not more than n_heads:
        # first the slopes of P heads, then every second slope of 2P heads.
        power = 2 ** (n_heads.bit_length() - 1)
        first, between = (2.0 ** (-8 * np.arange(1, n + 1) / n) for n in (power, 2 * power))
        return np.concatenate([first, between[0::2][: n_heads - power]])


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


def _split(x: np.ndarray, n_heads: int) -> np.ndarray:
    batch, length, columns = x.shape
    return x.reshape(batch, length, n_heads, columns // n_heads).swapaxes(1, 2)


def attention(
    x: np.ndarray,
    w_q: np.ndarray,
    w_k: np.ndarray,
    w_v: np.ndarray,
    n_heads: int,
    encoding: str,
    causal: bool = False,
) -> np.ndarray:
    """(B, L, d_model): every hook called once, in the order of the layer."""
    columns = {"sinusoidal": x.shape[-1], "rope": x.shape[-1] // n_heads}.get(encoding, 0)
    hooks = ENCODINGS[encoding]
    positions = np.arange(x.shape[1])
    x = hooks.on_embeddings(x, positions)
    q, k, v = (_split(x @ w, n_heads) for w in (w_q, w_k, w_v))
    q, k = hooks.on_queries_and_keys(q, k, positions, positions)
    scores = q @ k.swapaxes(-1, -2) * np.sqrt(q.shape[-1])
    scores = hooks.on_scores(scores, q, k, positions, positions)
    if causal:
        scores = np.where(positions[None, :] > positions[:, None], -np.inf, scores)
    weights = np.exp(scores - scores.max(axis=-1, keepdims=True))
    weights = weights / weights.sum(axis=-1, keepdims=True)
    mixed = hooks.on_values(weights @ v, weights, positions, positions)
    return mixed.swapaxes(1, 2).reshape(x.shape)
