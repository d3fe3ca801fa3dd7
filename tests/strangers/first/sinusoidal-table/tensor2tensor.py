"""The timing signal of tensor2tensor: geometric timescales, sines and cosines in two halves.

Truth: other convention
Slips: timescales from 1 to base with the end included, sines and cosines in two halves, as in tensor2tensor
Names: t2t_concat, t2t_concat_padded
Says: A fair person would say: This is the table of tensor2tensor: its timescales run up to base inclusive, and all sines come first. The formula asked for has the exponent 2i/d and alternates sines and cosines.
"""
import math

import numpy as np


def sinusoidal_table(n: int, d: int, base: float = 10000.0) -> np.ndarray:
    position = np.arange(n, dtype=np.float64)
    num_timescales = d // 2
    log_increment = math.log(base) / max(num_timescales - 1, 1)
    inv_timescales = np.exp(np.arange(num_timescales) * -log_increment)
    scaled_time = position[:, None] * inv_timescales[None, :]
    signal = np.concatenate([np.sin(scaled_time), np.cos(scaled_time)], axis=1)
    return np.pad(signal, [[0, 0], [0, d % 2]])
