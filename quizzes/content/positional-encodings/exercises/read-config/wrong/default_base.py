"""Does: You read `rope_theta` at the top of the file alone, and take 10000 where it is not there.
Should: In the new spelling, the base should be that inside of `rope_parameters`.
Number: This has the base 10000 in place of the file's.
Step: reading-a-config/spellings
Kind: mistake
Breaks: 3a. The base in the new spelling.
"""

import json

import numpy as np


def inv_freq(config: str, layer: int) -> np.ndarray:
    """(P,) float64, radians per token of the pairs that turn in a layer; (0,) without RoPE."""
    fields = json.loads(config)
    flags = fields.get("no_rope_layers")
    if flags is not None and not flags[layer]:
        return np.empty(0)
    rope = fields.get("rope_parameters")
    if rope is None:
        rope = fields.get("rope_scaling") or {}
        rope = {**rope, "rope_theta": fields.get("rope_theta")}
    elif "layer_types" in fields:
        rope = rope.get(fields["layer_types"][layer], rope)
    base = fields.get("rope_theta", 10000.0)
    share = rope.get("partial_rotary_factor", fields.get("partial_rotary_factor", 1))
    turning = int(share * fields["head_dim"])
    frequencies = base ** (-np.arange(0, turning, 2) / turning)
    kind = rope.get("rope_type", rope.get("type", "default"))
    if kind == "linear":
        return frequencies / rope["factor"]
    if kind != "default":
        raise ValueError("the type of RoPE is default or linear")
    return frequencies
