"""Does: You give each head a position of its own and turn all its tokens alike: you count along the head axis.
Should: Positions should be counted along the token axis, the one before the last; all heads turn alike.
Step: rope/with-a-cache
Kind: mistake
Breaks: 6b. All heads turn alike.
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
    inv_freq = base ** (-torch.arange(0, rotary_dim, 2, dtype=torch.float64) / rotary_dim)
    return _turn(q, offset, inv_freq), _turn(k, offset, inv_freq)


def _turn(x: torch.Tensor, offset: int, inv_freq: torch.Tensor) -> torch.Tensor:
    positions = torch.arange(x.shape[1], dtype=torch.float64) + offset
    angles = positions[:, None, None] * inv_freq
    cos, sin = angles.cos().to(x.dtype), angles.sin().to(x.dtype)
    width = 2 * angles.shape[-1]
    first, second = x[..., :width].chunk(2, dim=-1)
    rest = x[..., width:]
    return torch.cat([first * cos - second * sin, first * sin + second * cos, rest], dim=-1)
