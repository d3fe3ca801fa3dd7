"""Does: Your exponent is -i/(d/2 - 1), as in tensor2tensor and fairseq, so that for an even d from 4 on the last frequency is exactly 1/base.
Should: Here it should be the paper's -2i/d.
Number: This has the exponent i/(d/2 - 1), the grid of tensor2tensor and fairseq; it should be the paper's 2i/d.
Step: sinusoidal-wavelengths/two-grids
Kind: mistake
Breaks: 2. The number of pair i is base^(-2i/d).
"""

import numpy as np


def inv_freq(d: int, base: float = 10000.0) -> np.ndarray:
    """((d + 1) // 2,) float64: base^(-2i/d) for pair i."""
    doubled = np.arange((d + 1) // 2)
    return base ** (-doubled / max(d // 2 - 1, 1))
