"""Does: You turn neighbours: numbers 2i and 2i + 1.
Should: In this exercise the pairs should be half-split.
Step: rope/two-pairings
Kind: convention
Breaks: 2b. Partial pairs are half-split.
"""

import numpy as np


def rotate(
    x: np.ndarray, positions: np.ndarray, base: float, share: float, kind: str
) -> np.ndarray:
    """(L, D): x with its share of each vector turned, partial (GPT-NeoX) or proportional (Gemma 4)."""
    head_dim = x.shape[-1]
    turning = int(share * head_dim)
    width = turning if kind == "partial" else head_dim
    pair = np.arange(width // 2)
    inv_freq = np.where(2 * pair < turning, base ** (-2.0 * pair / width), 0.0)
    angles = positions[:, None] * inv_freq
    cos, sin = np.cos(angles), np.sin(angles)
    first, second, rest = x[:, 0:width:2], x[:, 1:width:2], x[:, width:]
    turned = [first * cos - second * sin, first * sin + second * cos]
    pairs = np.stack(turned, axis=-1).reshape(len(x), width)
    return np.concatenate([pairs, rest], axis=-1)
