import json

import numpy as np


class Reader:
    def __init__(self, text):
        self.__dict__ = json.loads(text)

    def __getattr__(self, name):
        return None


def inv_freq(config, layer):
    c = Reader(config)
    if c.no_rope_layers is not None and c.no_rope_layers[layer] != 1:
        return np.zeros(0)
    p = c.rope_parameters
    if p is not None and c.layer_types is not None and c.layer_types[layer] in p:
        p = p[c.layer_types[layer]]
    base = (p or {"rope_theta": c.rope_theta})["rope_theta"]
    if base is None:
        raise KeyError("rope_theta")
    scaling = p or c.rope_scaling or {}
    kind = scaling.get("rope_type") or scaling.get("type")
    if kind not in (None, "default", "linear"):
        raise KeyError(kind)
    shares = [(p or {}).get("partial_rotary_factor"), c.partial_rotary_factor, 1.0]
    share = next(value for value in shares if value is not None)
    width = int(share * c.head_dim)
    steps = np.full(width // 2, base ** (-2.0 / width))
    steps[0] = 1.0 / (scaling["factor"] if kind == "linear" else 1.0)
    return np.cumprod(steps)
