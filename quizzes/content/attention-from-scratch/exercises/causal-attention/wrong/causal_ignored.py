"""Does: You do not look at causal, so each query sees later keys too.
Should: With causal=True a query should see no key after its own.
Number: The later keys are not hidden here.
Step: attention-by-hand/hiding-keys
Kind: mistake
Breaks: 3c. With causal=True a query sees no later key.
"""

import numpy as np


def attention(q: np.ndarray, k: np.ndarray, v: np.ndarray, causal: bool = False) -> np.ndarray:
    """(..., Lq, Dv): the softmax over the keys, times the values."""
    scores = q @ k.swapaxes(-1, -2) / np.sqrt(q.shape[-1])
    weights = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return weights / weights.sum(axis=-1, keepdims=True) @ v
