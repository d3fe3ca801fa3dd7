import torch


def rotary(q, k, rotary_dim, base=10000.0, offset=0):
    def turned(x):
        speeds = torch.logspace(
            0, -1 + 2 / rotary_dim, rotary_dim // 2, base=base, dtype=torch.float64
        )
        steps = torch.arange(x.shape[-2], dtype=torch.float64) + offset
        turns = torch.polar(torch.ones(()).double(), torch.outer(steps, speeds))
        pairs = torch.complex(*x[..., :rotary_dim].double().chunk(2, dim=-1)) * turns
        return torch.cat([pairs.real.to(x), pairs.imag.to(x), x[..., rotary_dim:]], dim=-1)

    return turned(q), turned(k)
