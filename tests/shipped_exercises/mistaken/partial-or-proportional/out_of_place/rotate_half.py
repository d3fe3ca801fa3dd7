import torch


def rotate_half(x):
    a, b = x.chunk(2, dim=-1)
    return torch.cat((-b, a), dim=-1)


def rotate(x, positions, base, share, kind):
    x, positions = torch.as_tensor(x), torch.as_tensor(positions)
    head_dim = x.shape[-1]
    rotary_dim = int(head_dim * share)
    width = rotary_dim if kind == "partial" else head_dim
    inv_freq = 1.0 / base ** (torch.arange(0, rotary_dim, 2).double() / width)
    inv_freq = torch.cat([inv_freq, torch.zeros((width - rotary_dim) // 2)])
    angles = torch.outer(positions.double(), inv_freq)
    emb = torch.cat((angles, angles), dim=-1)
    rot, passed = x[..., :width], x[..., width:]
    rot = rot * emb.cos() + rotate_half(rot) * emb.sin()
    a, b = rot.chunk(2, dim=-1)
    n = rotary_dim // 2
    return torch.cat((a[:, :n], b[:, :n], a[:, n:], b[:, n:], passed), dim=-1)
