"""Weights reshaped to (d_model, heads, D), einsum everywhere, softmax through logaddexp.

Truth: right
Slips: none
Names: none
Says: A fair person would say: This is correct: each hook is called once, at its place and with the right arguments.
"""

import numpy as np


def attention(x, w_q, w_k, w_v, n_heads, encoding, causal=False):
    enc = ENCODINGS[encoding]
    L, d_model = x.shape[1:]
    pos = np.arange(L)

    h = enc.on_embeddings(x, pos)
    q, k, v = (
        np.einsum("blm,mhd->bhld", h, w.reshape(d_model, n_heads, -1)) for w in (w_q, w_k, w_v)
    )
    q, k = enc.on_queries_and_keys(q, k, pos, pos)
    s = np.einsum("bhid,bhjd->bhij", q, k) * (d_model // n_heads) ** -0.5
    s = enc.on_scores(s, q, k, pos, pos)
    if causal:
        s = np.where(np.less.outer(pos, pos), -np.inf, s)
    w = np.exp(s - np.logaddexp.reduce(s, axis=-1, keepdims=True))
    out = enc.on_values(np.einsum("bhij,bhjd->bhid", w, v), w, pos, pos)
    return np.concatenate(list(out.swapaxes(0, 1)), axis=-1)



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
