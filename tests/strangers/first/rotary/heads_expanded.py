"""Expands the cosines and sines to the shape of the queries before applying them to both.

Truth: wrong
Slips: the tables are expanded to the heads of q and then applied to k, which raises when k has fewer heads
Names: gqa_crash
Silent: no
Says: A fair person would say: You expand cos and sin to the number of query heads, so multiplying k with them fails when k has fewer heads. Leave the head axis at 1 and let it broadcast.
"""
import torch


def rotary(q, k, rotary_dim, base=10000.0, offset=0):
    B, H, L, D = q.shape
    half = rotary_dim // 2
    theta = base ** (-2 * torch.arange(half, dtype=torch.float64) / rotary_dim)
    m = torch.arange(offset, offset + L, dtype=torch.float64)
    freqs = torch.outer(m, theta).expand(B, H, L, half)
    cos = torch.cos(freqs).to(q.dtype)
    sin = torch.sin(freqs).to(q.dtype)
    q1, q2, q3 = q[..., :half], q[..., half:rotary_dim], q[..., rotary_dim:]
    k1, k2, k3 = k[..., :half], k[..., half:rotary_dim], k[..., rotary_dim:]
    new_q = torch.cat((q1 * cos - q2 * sin, q1 * sin + q2 * cos, q3), -1)
    new_k = torch.cat((k1 * cos - k2 * sin, k1 * sin + k2 * cos, k3), -1)
    return new_q, new_k
