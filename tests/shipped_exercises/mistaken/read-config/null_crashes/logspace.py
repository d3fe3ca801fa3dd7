import json
import math

import numpy as np


def inv_freq(config, layer):
    data = json.loads(config)
    flags = data.get("no_rope_layers") or ()
    new = data.get("rope_parameters")
    try:
        rope = new[data["layer_types"][layer]]
    except (KeyError, TypeError):
        rope = new
    if rope is None:
        rope = {"rope_theta": data["rope_theta"]}
        rope.update(data.get("rope_scaling", {}))
    theta = math.log10(rope["rope_theta"])
    kind = {rope.get("rope_type"), rope.get("type")} - {None}
    if kind - {"default", "linear"}:
        raise ValueError(f"{kind}")
    scale = rope["factor"] if "linear" in kind else 1
    n = int(
        rope.get("partial_rotary_factor", data.get("partial_rotary_factor", 1)) * data["head_dim"]
    )
    turning = not flags or flags[layer]
    return np.logspace(0, -theta * (n - 2) / n, n // 2)[: None if turning else 0] / scale
