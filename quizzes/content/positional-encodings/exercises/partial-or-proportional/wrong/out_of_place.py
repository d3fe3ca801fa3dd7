"""Does: For proportional, you put the numbers that turn in front, and those that stay behind them.
Should: All numbers should stay in their places: i and i + D/2.
Step: rope/two-pairings
Kind: mistake
Breaks: 4b. Both results go where the two numbers were.
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
    first, second, rest = np.split(x, [width // 2, width], axis=-1)
    turned = [first * cos - second * sin, first * sin + second * cos]
    moving = turning // 2
    parts = [part[:, :moving] for part in turned] + [part[:, moving:] for part in turned]
    return np.concatenate([*parts, rest], axis=-1)
