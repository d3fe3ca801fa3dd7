"""Does: You compute positions or frequencies in the dtype of q, so in float16 position 3001 becomes 3000 and the angles are wrong.
Should: The angles should be computed in float32 or float64, and only their cosines and sines converted to the dtype of q.
Step: rope/with-a-cache
Kind: mistake
Breaks: 5b. The angle is as exact when q is float16.
"""

import torch


def rotary(
    q: torch.Tensor,
    k: torch.Tensor,
    rotary_dim: int,
    base: float = 10000.0,
    offset: int = 0,
) -> tuple[torch.Tensor, torch.Tensor]:
    """q and k with their first rotary_dim numbers turned by (t + offset) * base^(-2i/rotary_dim)."""
    positions = torch.arange(q.shape[-2], dtype=q.dtype) + offset
    inv_freq = base ** (-torch.arange(0, rotary_dim, 2, dtype=q.dtype) / rotary_dim)
    angles = positions[:, None] * inv_freq
    return _turn(q, angles), _turn(k, angles)


def _turn(x: torch.Tensor, angles: torch.Tensor) -> torch.Tensor:
    cos, sin = angles.cos().to(x.dtype), angles.sin().to(x.dtype)
    width = 2 * angles.shape[-1]
    first, second = x[..., :width].chunk(2, dim=-1)
    rest = x[..., width:]
    return torch.cat([first * cos - second * sin, first * sin + second * cos, rest], dim=-1)
