"""Does: You exchange cosine and sine, so that a pair at position 0 makes a quarter turn.
Should: At position 0 nothing should turn: cosine belongs to the number itself and sine to its partner.
Step: rope/many-pairs
Kind: mistake
Breaks: 5d. A pair (a, b) becomes (a cos - b sin, a sin + b cos).
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
    sin, cos = angles.cos().to(x.dtype), angles.sin().to(x.dtype)
    width = 2 * angles.shape[-1]
    first, second = x[..., :width].chunk(2, dim=-1)
    rest = x[..., width:]
    return torch.cat([first * cos - second * sin, first * sin + second * cos, rest], dim=-1)
