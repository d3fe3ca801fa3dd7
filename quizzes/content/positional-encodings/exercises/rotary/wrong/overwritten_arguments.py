"""Does: You write the turned numbers into q and k, so the caller's tensors change too.
Should: The arguments should stay as they were: write into a new tensor, or join new parts with torch.cat.
Step: rope/with-a-cache
Kind: mistake
Breaks: 1e. The arguments stay as they were.
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
    positions = torch.arange(q.shape[-2], dtype=torch.float64) + offset
    inv_freq = base ** (-torch.arange(0, rotary_dim, 2, dtype=torch.float64) / rotary_dim)
    angles = positions[:, None] * inv_freq
    return _turn(q, angles), _turn(k, angles)


def _turn(x: torch.Tensor, angles: torch.Tensor) -> torch.Tensor:
    cos, sin = angles.cos().to(x.dtype), angles.sin().to(x.dtype)
    width = 2 * angles.shape[-1]
    first, second = x[..., :width].chunk(2, dim=-1)
    x[..., :width] = torch.cat([first * cos - second * sin, first * sin + second * cos], dim=-1)
    return x
