"""Timescales as in tensor2tensor, from 1 to exactly 1/base.

Truth: other convention
Slips: the exponent runs to exactly -1, divided by the number of pairs minus one
Names: freq_t2t, freq_t2t_last
Says: A fair person would say: this is tensor2tensor's spacing, where the last frequency is 1/base. Here the exponent is -2i/d, so the last one is a little higher.
"""

import math

import numpy as np


def inv_freq(d: int, base: float = 10000.0) -> np.ndarray:
    num_timescales = (d + 1) // 2
    log_timescale_increment = math.log(base) / max(num_timescales - 1, 1)
    return np.exp(np.arange(num_timescales) * -log_timescale_increment)
