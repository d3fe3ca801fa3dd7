"""Does: You give padding the position 1, as older versions of the library transformers do.
Should: Here padding should have position 0.
Step: batches/from-the-mask
Kind: convention
Breaks: 3. Padding has position 0.
"""

import numpy as np


def positions_from_mask(mask: np.ndarray) -> np.ndarray:
    """(B, L) int64: how many tokens of the row come before, and 0 at padding."""
    return np.where(mask, np.cumsum(mask, axis=1) - 1, 1)
