import torch


def inv_freq(d: int, base: float = 10000.0) -> torch.Tensor:
    return 1.0 / base ** (torch.arange(0, d, 2).float() / d)
