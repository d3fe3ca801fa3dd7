import numpy as np


def alibi_slopes(n_heads: int) -> np.ndarray:
    power = 1
    while power * 2 <= n_heads:
        power *= 2
    out = np.zeros(n_heads, dtype=np.float32)
    for head in range(n_heads):
        if head < power:
            out[head] = np.float32(2.0) ** np.float32(-8 * (head + 1) / power)
        else:
            out[head] = np.float32(2.0) ** np.float32(-4 * (2 * (head - power) + 1) / power)
    return out
