"""Cosines and sines of all positions in one table of float64, of which the last rows are used."""

import torch


def rotary(
    q: torch.Tensor,
    k: torch.Tensor,
    rotary_dim: int,
    base: float = 10000.0,
    offset: int = 0,
) -> tuple[torch.Tensor, torch.Tensor]:
    """q and k with their first rotary_dim numbers turned by (t + offset) * base^(-2i/rotary_dim)."""
    half = rotary_dim // 2
    positions = torch.arange(offset + q.shape[-2], dtype=torch.float64)
    inv_freq = base ** (-torch.arange(half, dtype=torch.float64) * 2 / rotary_dim)
    angles = torch.outer(positions, inv_freq)
    cos, sin = angles.cos()[offset:], angles.sin()[offset:]

    def turn(x: torch.Tensor) -> torch.Tensor:
        turned = x.clone()
        first, second = x[..., :half], x[..., half:rotary_dim]
        turned[..., :half] = first * cos - second * sin
        turned[..., half:rotary_dim] = first * sin + second * cos
        return turned

    return turn(q), turn(k)
