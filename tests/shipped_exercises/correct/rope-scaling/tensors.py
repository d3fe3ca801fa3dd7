import torch


def scaled_inv_freq(head_dim, base, factor, kind):
    i = torch.arange(head_dim // 2, dtype=torch.float64)
    if kind == "ntk":
        base *= factor ** (head_dim / (head_dim - 2))
    slower = {"linear": factor, "ntk": 1.0}[kind]
    return torch.pow(torch.tensor(base, dtype=torch.float64), -2 * i / head_dim) / slower
