import math

import numpy as np


def inv_freq(*, d, base=10000.0):
    step = -math.log(base) / d
    return np.exp(np.arange(0, d, 2, dtype=np.float32) * np.float32(step))
