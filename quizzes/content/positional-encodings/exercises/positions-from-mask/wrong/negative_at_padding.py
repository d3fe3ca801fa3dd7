"""Does: You leave the running sum minus 1 at padding: -1 before the first token, and the last position behind a token.
Should: Padding should have position 0.
Step: batches/from-the-mask
Kind: mistake
Breaks: 3. Padding has position 0.
"""

import numpy as np


def positions_from_mask(mask: np.ndarray) -> np.ndarray:
    """(B, L) int64: how many tokens of the row come before, and 0 at padding."""
    return np.cumsum(mask, axis=1) - 1
