import torch


def rotary(q, k, rotary_dim, base=10000.0, offset=0):
    inv_freq = base ** (-torch.arange(0, rotary_dim, 2).double() / rotary_dim)
    angles = torch.outer(torch.arange(q.size(1)).double() + offset, inv_freq)
    cos, sin = angles.cos().to(q.dtype), angles.sin().to(q.dtype)
    half = rotary_dim // 2

    def turn(x):
        a, b, rest = x.split([half, half, x.shape[-1] - rotary_dim], dim=-1)
        return torch.cat([a * cos - b * sin, a * sin + b * cos, rest], dim=-1)

    return turn(q), turn(k)
