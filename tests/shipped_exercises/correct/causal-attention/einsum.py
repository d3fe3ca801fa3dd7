"""Names the axes, scales the queries and adds a triangle of minus infinity."""

import numpy as np


def attention(q, k, v, causal=False):
    scores = np.einsum("...id,...jd->...ij", q * q.shape[-1] ** -0.5, k)
    if causal:
        n = q.shape[-2]
        scores = scores + np.triu(np.full((n, n), -np.inf), k=1)
    scores = scores - np.max(scores, axis=-1)[..., None]
    raised = np.exp(scores)
    return np.einsum("...ij,...jc->...ic", raised, v) / raised.sum(-1)[..., None]
