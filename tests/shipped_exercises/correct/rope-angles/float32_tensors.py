import torch


def rope_cos_sin(n, head_dim, base=10000.0):
    inv_freq = 1.0 / (base ** (torch.arange(0, head_dim, 2, dtype=torch.float32) / head_dim))
    angles = torch.outer(torch.arange(n, dtype=torch.float32), inv_freq)
    turns = torch.polar(torch.ones_like(angles), angles)
    return turns.real, turns.imag
