"""Works with logarithms and looks the recipe up in a dictionary of functions.

Truth: right
Slips: none
Names: none
Says: A fair person would say: Correct. In logarithms, linear shifts every frequency by ln(factor), and ntk spreads this shift from 0 to ln(factor) over the pairs.
"""
import numpy as np

RECIPES = {
    "linear": lambda share, log_factor: np.full_like(share, log_factor),
    "ntk": lambda share, log_factor: share * log_factor,
}


def scaled_inv_freq(head_dim: int, base: float, factor: float, kind: str) -> np.ndarray:
    pairs = head_dim // 2
    i = np.arange(pairs, dtype=np.float64)
    share = i / (pairs - 1)
    log_freq = -2.0 * i / head_dim * np.log(base)
    return np.exp(log_freq - RECIPES[kind](share, np.log(factor)))
