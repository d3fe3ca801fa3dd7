"""Writes the turned numbers back half by half.

Truth: wrong
Slips: the second half is computed from the first half after that was overwritten
Names: overwritten
Silent: yes
Says: A fair person would say: When you compute a*sin + b*cos, the slice a already holds the new numbers, because slices share memory. Keep the old a in a clone, or build both before writing.
"""
import torch


def rotary(q, k, rotary_dim, base=10000.0, offset=0):
    r = rotary_dim // 2
    i = torch.arange(r, dtype=torch.float32)
    omega = torch.tensor(float(base)) ** (-2 * i / rotary_dim)
    p = torch.arange(q.shape[-2], dtype=torch.float32) + offset
    angle = p.unsqueeze(-1) * omega
    results = []
    for x in (q, k):
        cos, sin = angle.cos().to(x.dtype), angle.sin().to(x.dtype)
        y = x.clone()
        a = y[..., :r]
        b = y[..., r:rotary_dim]
        y[..., :r] = a * cos - b * sin
        y[..., r:rotary_dim] = a * sin + b * cos
        results.append(y)
    return results[0], results[1]
