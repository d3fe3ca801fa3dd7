"""Does: You return q and k as they came. Perhaps the turned numbers are computed and not used.
Should: The first rotary_dim numbers of each vector should turn.
Step: rope/turn-instead-of-add
Kind: mistake
Breaks: 1a. The result is the turned q and the turned k.
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
    _turn(q, angles), _turn(k, angles)
    return q.clone(), k.clone()


def _turn(x: torch.Tensor, angles: torch.Tensor) -> torch.Tensor:
    cos, sin = angles.cos().to(x.dtype), angles.sin().to(x.dtype)
    width = 2 * angles.shape[-1]
    first, second = x[..., :width].chunk(2, dim=-1)
    rest = x[..., width:]
    return torch.cat([first * cos - second * sin, first * sin + second * cos, rest], dim=-1)
