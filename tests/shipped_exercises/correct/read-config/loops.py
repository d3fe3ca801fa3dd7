import json

import numpy as np


def inv_freq(config, layer):
    fields = json.loads(config)
    if "no_rope_layers" in fields and fields["no_rope_layers"][layer] == 0:
        return np.zeros((0,))
    where = fields
    scaling = fields.get("rope_scaling")
    if "rope_parameters" in fields:
        where = fields["rope_parameters"]
        if "rope_theta" not in where and "layer_types" in fields:
            where = where[fields["layer_types"][layer]]
        scaling = where
    base = where["rope_theta"]
    divisor = 1.0
    if scaling is not None:
        name = "default"
        for key in ("type", "rope_type"):
            if key in scaling:
                name = scaling[key]
        if name == "linear":
            divisor = scaling["factor"]
        elif name != "default":
            raise NotImplementedError(name)
    share = 1.0
    for place in (fields, where):
        if "partial_rotary_factor" in place:
            share = place["partial_rotary_factor"]
    turning = int(share * fields["head_dim"])
    result = []
    for pair in range(turning // 2):
        result.append(1.0 / (divisor * base ** (2 * pair / turning)))
    return np.array(result)
