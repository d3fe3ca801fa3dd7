import torch


def alibi_bias(n_heads, Lq, Lk):
    power = 1 << (n_heads.bit_length() - 1)
    heads = torch.arange(1, power + 1, dtype=torch.float64)
    between = torch.arange(1, 2 * power, 2, dtype=torch.float64)
    slopes = torch.cat([2 ** (-8 * heads / power), 2 ** (-4 * between / power)])[:n_heads]
    i = torch.arange(Lk - Lq, Lk).view(-1, 1)
    j = torch.arange(Lk).view(1, -1)
    bias = slopes.view(-1, 1, 1) * (j - i)
    return bias.masked_fill(j > i, float("-inf"))
