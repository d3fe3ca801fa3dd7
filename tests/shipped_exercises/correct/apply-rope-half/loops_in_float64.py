import torch


def apply_rope_half(x, cos, sin):
    out = torch.empty(x.shape, dtype=torch.float64)
    half = x.size(-1) // 2
    for position in range(x.size(2)):
        for i in range(half):
            c, s = float(cos[position, i]), float(sin[position, i])
            a, b = x[:, :, position, i].double(), x[:, :, position, i + half].double()
            out[:, :, position, i], out[:, :, position, i + half] = a * c - b * s, b * c + a * s
    return out.to(x.dtype)
