"""Returns tables of full width as the Llama code in transformers keeps them.

Truth: other convention
Slips: each column appears twice, as in the half-split tables of transformers
Names: cat_full
Says: A fair person would say: The angles are right, but the tables are as wide as the head, as transformers keeps them. Here each pair has one column, so leave out the concatenation.
"""
import numpy as np


def rope_cos_sin(n: int, head_dim: int, base: float = 10000.0):
    inv_freq = 1.0 / (base ** (np.arange(0, head_dim, 2).astype(np.float64) / head_dim))
    position_ids = np.arange(n)
    freqs = position_ids[:, None] @ inv_freq[None, :]
    emb = np.concatenate([freqs, freqs], axis=-1)
    return np.cos(emb), np.sin(emb)
