"""A loop over tokens, each with one block rotation matrix for the whole head.

Truth: right
Slips: none
Names: none
Says: A fair person would say: This is correct: the matrix turns the first R numbers in half-split pairs and leaves the rest alone.
"""

import math
import torch


def _matrix(position, D, R, base):
    m = torch.eye(D, dtype=torch.float64)
    for i in range(R // 2):
        angle = position * base ** (-2 * i / R)
        j = i + R // 2
        m[i, i] = m[j, j] = math.cos(angle)
        m[i, j] = -math.sin(angle)
        m[j, i] = math.sin(angle)
    return m


def rotary(q, k, rotary_dim, base=10000.0, offset=0):
    L, D = q.shape[-2:]
    turns = torch.stack([_matrix(t + offset, D, rotary_dim, base) for t in range(L)]).to(q.device)
    q_out = torch.einsum("lij,bhlj->bhli", turns, q.double())
    k_out = torch.einsum("lij,bhlj->bhli", turns, k.double())
    return q_out.to(q.dtype), k_out.to(k.dtype)
