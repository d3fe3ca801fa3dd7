import json

import torch


def inv_freq(config, layer):
    cfg = json.loads(config)
    if cfg.get("no_rope_layers") and not cfg["no_rope_layers"][layer]:
        return torch.empty(0)
    params = cfg.get("rope_parameters", {})
    kind = (cfg.get("layer_types") or [None] * (layer + 1))[layer]
    params = params.get(kind, params)
    scaling = params or cfg.get("rope_scaling") or {}
    base = params["rope_theta"] if params else cfg["rope_theta"]
    share = params.get("partial_rotary_factor") or cfg.get("partial_rotary_factor") or 1.0
    dim = int(cfg["head_dim"] * share)
    freqs = 1.0 / base ** (torch.arange(0, dim, 2, dtype=torch.float64) / dim)
    rope_type = scaling.get("rope_type", scaling.get("type", "default"))
    assert rope_type in ("default", "linear"), rope_type
    return freqs / scaling["factor"] if rope_type == "linear" else freqs
