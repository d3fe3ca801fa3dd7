"""Does: You repeat the keys for the query heads, so k comes back with as many heads as q.
Should: The turned k should have the shape of k: attention shares the keys, the turn does not.
Step: rope/with-a-cache
Kind: mistake
Breaks: 1b. Each tensor is in its own shape.
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
    return _turn(q, angles), _turn(k, angles).repeat_interleave(q.shape[1] // k.shape[1], dim=1)


def _turn(x: torch.Tensor, angles: torch.Tensor) -> torch.Tensor:
    cos, sin = angles.cos().to(x.dtype), angles.sin().to(x.dtype)
    width = 2 * angles.shape[-1]
    first, second = x[..., :width].chunk(2, dim=-1)
    rest = x[..., width:]
    return torch.cat([first * cos - second * sin, first * sin + second * cos, rest], dim=-1)
