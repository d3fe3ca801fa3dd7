"""Does: For partial, you pair number i with number i + D/2 of the whole vector, with the right frequencies.
Should: For partial, the pairs should be inside the first R = share * D numbers: i and i + R/2.
Step: rope/two-pairings
Kind: mistake
Breaks: 2b. Partial pairs are inside the numbers that turn.
"""

import numpy as np


def rotate(
    x: np.ndarray, positions: np.ndarray, base: float, share: float, kind: str
) -> np.ndarray:
    """(L, D): x with its share of each vector turned, partial (GPT-NeoX) or proportional (Gemma 4)."""
    head_dim = x.shape[-1]
    turning = int(share * head_dim)
    width = head_dim
    ladder = turning if kind == "partial" else head_dim
    pair = np.arange(width // 2)
    inv_freq = np.where(2 * pair < turning, base ** (-2.0 * pair / ladder), 0.0)
    angles = positions[:, None] * inv_freq
    cos, sin = np.cos(angles), np.sin(angles)
    first, second, rest = np.split(x, [width // 2, width], axis=-1)
    turned = [first * cos - second * sin, first * sin + second * cos]
    return np.concatenate([*turned, rest], axis=-1)
