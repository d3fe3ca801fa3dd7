def apply_rope(x, cos, sin):
    first, second = x[..., ::2], x[..., 1::2]
    first[...] = first * cos - second * sin
    second[...] = first * sin + second * cos
    return x
