"""Does: For proportional, you give all pairs of the vector a frequency, whatever share says.
Should: For proportional, all pairs but the first share * D/2 should have frequency 0.
Step: rope/with-a-cache
Kind: mistake
Breaks: 3c. The other pairs do not turn.
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
    inv_freq = base ** (-2.0 * pair / width)
    angles = positions[:, None] * inv_freq
    cos, sin = np.cos(angles), np.sin(angles)
    first, second, rest = np.split(x, [width // 2, width], axis=-1)
    turned = [first * cos - second * sin, first * sin + second * cos]
    return np.concatenate([*turned, rest], axis=-1)
