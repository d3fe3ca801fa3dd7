import torch


def rotate_half(x):
    first, second = x.chunk(2, dim=-1)
    return torch.cat([-second, first], dim=-1)


def rotary(q, k, rotary_dim, base=10000.0, offset=0):
    inv_freq = 1.0 / base ** (torch.arange(0, rotary_dim, 2).to(q) / rotary_dim)
    t = torch.arange(offset, offset + q.size(2)).to(q)
    angles = torch.cat([torch.outer(t, inv_freq)] * 2, dim=-1)
    cos, sin = angles.cos(), angles.sin()

    def turn(x):
        turning, passing = x[..., :rotary_dim], x[..., rotary_dim:]
        return torch.cat([turning * cos + rotate_half(turning) * sin, passing], dim=-1)

    return turn(q), turn(k)
