from json import loads

import numpy as np

TYPES = {"default": lambda w, r: w, "linear": lambda w, r: w / r["factor"]}


def inv_freq(config, layer):
    c = loads(config)
    n = len(c.get("layer_types") or []) or layer + 1
    if (c.get("no_rope_layers") or [1] * max(n, layer + 1))[layer] == 0:
        return np.array([])
    if "rope_parameters" in c:
        r = c["rope_parameters"]
        if any(isinstance(value, dict) for value in r.values()):
            r = r[c["layer_types"][layer]]
    else:
        r = {"rope_theta": c["rope_theta"]} | (c.get("rope_scaling") or {})
    r = {"partial_rotary_factor": c.get("partial_rotary_factor", 1.0)} | r
    rotary = int(r["partial_rotary_factor"] * c["head_dim"])
    w = np.exp(-np.log(r["rope_theta"]) * np.arange(0, rotary, 2) / rotary)
    return TYPES[r.get("rope_type") or r.get("type") or "default"](w, r)
