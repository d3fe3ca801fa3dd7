"""ALiBi's slopes: Press et al. 2021, section 3, and the authors' get_slopes for other head counts."""

import numpy as np


def _of_power_of_two(n: int) -> np.ndarray:
    return 2.0 ** (-8 * np.arange(1, n + 1) / n)


def alibi_slopes(n_heads: int) -> np.ndarray:
    """(n_heads,) float64: the slopes of the next lower power of two, then every second of twice it."""
    if n_heads < 1:
        raise ValueError("n_heads is at least 1")
    power = 2 ** (n_heads.bit_length() - 1)
    own = _of_power_of_two(power)
    between = _of_power_of_two(2 * power)[0::2]
    return np.concatenate([own, between[: n_heads - power]])
