"""Partial rotary numbers as in GPT-NeoX and proportional ones as in Gemma 4, in half-split pairs."""

import numpy as np


def rotate(
    x: np.ndarray, positions: np.ndarray, base: float, share: float, kind: str
) -> np.ndarray:
    """(L, D): x with its share of each vector turned, partial (GPT-NeoX) or proportional (Gemma 4)."""
    if kind not in ("partial", "proportional") or not 0 < share <= 1:
        raise ValueError('kind is "partial" or "proportional", and share is above 0 and at most 1')
    if x.shape[-1] % 2 or share * x.shape[-1] % 2:
        raise ValueError("D and share * D are even whole numbers")
    head_dim = x.shape[-1]
    turning = int(share * head_dim)
    width = turning if kind == "partial" else head_dim
    pair = np.arange(width // 2)
    inv_freq = np.where(2 * pair < turning, base ** (-2.0 * pair / width), 0.0)
    angles = positions[:, None] * inv_freq
    cos, sin = np.cos(angles), np.sin(angles)
    first, second, rest = np.split(x, [width // 2, width], axis=-1)
    turned = [first * cos - second * sin, first * sin + second * cos]
    return np.concatenate([*turned, rest], axis=-1)
