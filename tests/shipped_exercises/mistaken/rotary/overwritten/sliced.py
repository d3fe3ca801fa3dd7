import torch


def rotary(q, k, rotary_dim, base=10000.0, offset=0):
    half = rotary_dim // 2
    t = torch.arange(offset, offset + q.shape[2]).float()
    freqs = 1.0 / base ** (torch.arange(half).float() / half)
    angles = torch.outer(t, freqs)
    cos, sin = angles.cos(), angles.sin()

    def turn(x):
        out = x.float().clone()
        out[..., :half] = out[..., :half] * cos - out[..., half:rotary_dim] * sin
        out[..., half:rotary_dim] = out[..., :half] * sin + out[..., half:rotary_dim] * cos
        return out.to(x.dtype)

    return turn(q), turn(k)
