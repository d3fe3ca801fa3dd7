import torch


def rotary(q, k, rotary_dim, base=10000.0, offset=0):
    inv_freq = base ** (-torch.arange(0, rotary_dim, 2).double() / rotary_dim)
    half = rotary_dim // 2

    def turn(x):
        length, size = x.shape[1], x.shape[3]
        angles = torch.outer(torch.arange(offset, offset + length).double(), inv_freq)
        cos = angles.cos().view(1, length, 1, half).to(x.dtype)
        sin = angles.sin().view(1, length, 1, half).to(x.dtype)
        a, b, rest = x.split([half, half, size - rotary_dim], dim=-1)
        return torch.cat([a * cos - b * sin, a * sin + b * cos, rest], dim=-1)

    return turn(q), turn(k)
