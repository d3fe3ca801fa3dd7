"""Does: You take halves as partners, but put them back by turns, as stack does, so numbers end up in wrong places.
Should: Halves should be put back as halves: the first results of all pairs, then the second ones.
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
    first, second = x[..., :width].chunk(2, dim=-1)
    rest = x[..., width:]
    turned = [first * cos - second * sin, first * sin + second * cos]
    return torch.cat([torch.stack(turned, dim=-1).flatten(-2), rest], dim=-1)
