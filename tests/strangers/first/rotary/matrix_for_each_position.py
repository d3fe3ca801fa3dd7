"""Builds one rotation matrix for each position and applies it with einsum.

Truth: right
Slips: none
Names: none
Says: A fair person would say: Correct. The matrices are the identity where nothing turns, so all four demands are met at once.
"""
import math

import torch


def rotation_matrix(p, D, R, base):
    m = torch.eye(D, dtype=torch.float64)
    for i in range(R // 2):
        j = i + R // 2
        angle = p * base ** (-2 * i / R)
        m[i, i] = m[j, j] = math.cos(angle)
        m[i, j] = -math.sin(angle)
        m[j, i] = math.sin(angle)
    return m


def rotary(
    q: torch.Tensor,
    k: torch.Tensor,
    rotary_dim: int,
    base: float = 10000.0,
    offset: int = 0,
) -> tuple[torch.Tensor, torch.Tensor]:
    L, D = q.shape[-2:]
    mats = torch.stack([rotation_matrix(t + offset, D, rotary_dim, base) for t in range(L)])
    out = [
        torch.einsum("lij,bhlj->bhli", mats, x.double()).to(x.dtype)
        for x in (q, k)
    ]
    return tuple(out)
