import torch


def scaled_inv_freq(head_dim, base, factor, kind):
    if kind == "ntk":
        base = base * factor ** (head_dim / (head_dim - 2))
    return base ** (-torch.arange(0, head_dim, 2, dtype=torch.float64) / head_dim) / factor
