"""RoPE's frequencies from a config.json: both spellings, layers that differ, a part of the head."""

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
    if rope.get("rope_theta") is None:
        raise ValueError("a file names rope_theta")
    share = rope.get("partial_rotary_factor", fields.get("partial_rotary_factor", 1))
    turning = int(share * fields["head_dim"])
    frequencies = rope["rope_theta"] ** (-np.arange(0, turning, 2) / turning)
    kind = rope.get("type", "default")
    kind = rope.get("rope_type", kind)
    if kind == "linear":
        return frequencies / rope["factor"]
    if kind != "default":
        raise ValueError("the type of RoPE is default or linear")
    return frequencies
