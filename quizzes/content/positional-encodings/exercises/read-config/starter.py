import json

import numpy as np


def inv_freq(config: str, layer: int) -> np.ndarray:
    """The frequencies (P,) of the pairs that turn in a layer.

    config is the text of a config.json; layers are counted from 0.
    """
    fields = json.loads(config)
    turning = fields["head_dim"]
    # Where is the base? And which fields change what it gives?
    return np.zeros(turning // 2)
