"""Does: You take numbers as 0::2 and 1::2 but put them back as halves, with the angles of halves, so numbers meet the wrong partners.
Should: Here both should be halves: number i should turn with number i + rotary_dim/2.
Step: rope/two-pairings
Kind: mistake
Breaks: 4. The pairs are half-split inside these numbers.
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
    first, second = x[..., 0:width:2], x[..., 1:width:2]
    rest = x[..., width:]
    partners = torch.cat([-second, first], dim=-1)
    every_cos, every_sin = torch.cat([cos, cos], dim=-1), torch.cat([sin, sin], dim=-1)
    return torch.cat([x[..., :width] * every_cos + partners * every_sin, rest], dim=-1)
