import torch


def rotary(q, k, rotary_dim, base=10000.0, offset=0):
    positions = torch.arange(q.shape[-2]).float() + offset
    angles = positions[:, None] / base ** (torch.arange(0, rotary_dim, 2).float() / rotary_dim)
    half = rotary_dim // 2
    for x in (q, k):
        first, second = x[..., :half].float(), x[..., half:rotary_dim].float()
        first = first * angles.cos() - second * angles.sin()
        second = first * angles.sin() + second * angles.cos()
    return q, k
