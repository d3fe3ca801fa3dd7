import torch


def rotate_half(x):
    first, second = x.chunk(2, dim=-1)
    return torch.cat((-second, first), dim=-1)


def rotary(q, k, rotary_dim, base=10000.0, offset=0):
    inv_freq = 1.0 / base ** (torch.arange(0, rotary_dim, 2) // rotary_dim)
    position = torch.arange(q.size(-2)) + offset
    angle = position[:, None].float() * inv_freq
    angle = torch.cat((angle, angle), dim=-1)

    def turn(x):
        part, rest = x[..., :rotary_dim].float(), x[..., rotary_dim:]
        turned = part * angle.cos() + rotate_half(part) * angle.sin()
        return torch.cat((turned.to(x.dtype), rest), dim=-1)

    return turn(q), turn(k)
