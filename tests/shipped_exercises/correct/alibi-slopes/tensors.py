import torch


def alibi_slopes(n_heads):
    lower = 1 << (n_heads.bit_length() - 1)
    first = torch.pow(2.0, -8 * torch.arange(1, lower + 1) / lower)
    rest = torch.pow(2.0, -8 * torch.arange(1, 2 * lower + 1, 2) / (2 * lower))
    return torch.cat([first, rest])[:n_heads]
