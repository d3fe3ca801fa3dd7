"""A sixth encoding, which turns, and scores and mixes with every argument of its hooks.

None of the five in the editor looks at queries and keys that were turned, so which of them
`on_scores` gets shows here alone. It runs below the student's code and uses none of its names.
"""

import numpy as _np


class _Mixed:
    def on_embeddings(self, x, positions):
        return x + 0.3 * _np.sin(positions)[:, None]

    def on_queries_and_keys(self, q, k, q_positions, k_positions):
        return self._turn(q, q_positions), self._turn(k, k_positions)

    def on_scores(self, scores, q, k, q_positions, k_positions):
        vectors = self._vectors(q.shape[-1], q_positions, k_positions)
        of_queries = _np.einsum("bhid,ijd->bhij", q, vectors)
        of_keys = _np.einsum("bhjd,ijd->bhij", k, _np.roll(vectors, 1, axis=-1))
        return scores + (of_queries + of_keys) / _np.sqrt(q.shape[-1])

    def on_values(self, mixed, weights, q_positions, k_positions):
        vectors = self._vectors(mixed.shape[-1], q_positions, k_positions)
        return mixed + _np.einsum("bhij,ijd->bhid", weights, vectors)

    def _turn(self, x, positions):
        turn = positions[:, None] * 0.7
        a, b = x[..., 0::2], x[..., 1::2]
        parts = [a * _np.cos(turn) - b * _np.sin(turn), a * _np.sin(turn) + b * _np.cos(turn)]
        return _np.stack(parts, axis=-1).reshape(x.shape)

    def _vectors(self, head_dim, q_positions, k_positions):
        relative = k_positions[None, :] - q_positions[:, None]
        return _np.cos(relative[:, :, None] + 0.5 * _np.arange(head_dim))


if isinstance(globals().get("ENCODINGS"), dict):
    globals()["ENCODINGS"]["mixed"] = _Mixed()
