"""Does: You replace only negative numbers by 0, so that padding behind a token has the position of that token.
Should: All padding should have position 0.
Step: batches/from-the-mask
Kind: mistake
Breaks: 3. Padding has position 0.
"""

import numpy as np


def positions_from_mask(mask: np.ndarray) -> np.ndarray:
    """(B, L) int64: how many tokens of the row come before, and 0 at padding."""
    return np.maximum(np.cumsum(mask, axis=1) - 1, 0)
