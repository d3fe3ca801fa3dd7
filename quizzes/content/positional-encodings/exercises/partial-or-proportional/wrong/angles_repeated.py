"""Does: You give neighbours one angle, but pair halves: number i turns with the cosine of another pair than its partner.
Should: Both numbers of a pair should have the same angle: in half-split pairs, i and i plus half.
Step: rope/two-pairings
Kind: mistake
Breaks: 4a. A pair has one angle.
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
    angles = np.repeat(angles, 2, axis=-1)
    cos, sin = np.cos(angles), np.sin(angles)
    first, second, rest = np.split(x, [width // 2, width], axis=-1)
    whole, swapped = x[:, :width], np.concatenate([-second, first], axis=-1)
    return np.concatenate([whole * cos + swapped * sin, rest], axis=-1)
