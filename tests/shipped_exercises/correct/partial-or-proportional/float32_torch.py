import torch


def rotate(x, positions, base, share, kind):
    x = torch.tensor(x, dtype=torch.float32)
    p = torch.tensor(positions, dtype=torch.float32)
    n = int(x.size(1) * share) // 2
    far = n if kind == "partial" else x.size(1) // 2
    z = torch.complex(x[:, :n], x[:, far : far + n])
    angle = p[:, None] * base ** (-torch.arange(n) / far)
    z = z * torch.polar(torch.ones_like(angle), angle)
    out = x.clone()
    out[:, :n], out[:, far : far + n] = z.real, z.imag
    return out
