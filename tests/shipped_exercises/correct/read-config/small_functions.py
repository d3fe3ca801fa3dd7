import json

import numpy as np


def turns(fields, layer):
    return bool(fields.get("no_rope_layers", {layer: 1})[layer])


def rope_of(fields, layer):
    if (rope := fields.get("rope_parameters")) is None:
        rope = dict(fields.get("rope_scaling") or {}, rope_theta=fields["rope_theta"])
    elif all(isinstance(value, dict) for value in rope.values()):
        rope = rope[fields["layer_types"][layer]]
    return {"partial_rotary_factor": fields.get("partial_rotary_factor", 1), **rope}


def divisor_of(rope):
    match rope:
        case {"rope_type": "linear"} | {"type": "linear"}:
            return rope["factor"]
        case {"rope_type": "default"} | {"type": "default"}:
            return 1
        case {"rope_type": kind} | {"type": kind}:
            raise ValueError(kind)
    return 1


def inv_freq(config, layer):
    fields = json.loads(config)
    if not turns(fields, layer):
        return np.empty((0,), dtype=np.float32)
    rope = rope_of(fields, layer)
    r = int(rope["partial_rotary_factor"] * fields["head_dim"])
    return np.power(float(rope["rope_theta"]), -2 * np.arange(r // 2) / r) / divisor_of(rope)
