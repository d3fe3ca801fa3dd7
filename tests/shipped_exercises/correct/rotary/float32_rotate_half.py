import torch


def rotate_half(x):
    first, second = torch.tensor_split(x, 2, dim=-1)
    return torch.cat([-second, first], dim=-1)


def rotary(q, k, rotary_dim, base=10000.0, offset=0):
    inv_freq = 1.0 / (base ** (torch.arange(0, rotary_dim, 2).float() / rotary_dim))
    t = torch.arange(offset, offset + q.size(2)).float()
    angles = torch.cat([torch.outer(t, inv_freq)] * 2, dim=-1)
    outputs = []
    for x in (q, k):
        turning, passing = x[..., :rotary_dim], x[..., rotary_dim:]
        cos, sin = angles.cos().type_as(x), angles.sin().type_as(x)
        outputs.append(torch.cat([turning * cos + rotate_half(turning) * sin, passing], dim=-1))
    return tuple(outputs)
