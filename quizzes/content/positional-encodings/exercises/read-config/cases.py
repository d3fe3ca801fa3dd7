"""Cases for a config.json, smallest first.

With base 256 and a head of 8 the frequencies are 1, 1/4, 1/16 and 1/64, so a factor, another base
and another exponent are seen at once. A file in one spelling shows who reads only the other one,
and the files that must be refused show who has a default.

The pair of `config` differs in the base alone, that of `layer` in the layer.
"""

import json

from ordinal_exercise import Case

LINEAR = {"rope_type": "linear", "factor": 4.0}
TWO = {
    "full_attention": {"rope_theta": 256.0, "rope_type": "linear", "factor": 2.0},
    "sliding_attention": {"rope_theta": 16.0},
}


def read(layer=0, **fields):
    return {"config": json.dumps(fields), "layer": layer}


def draw(rng, *, new):
    """Return a file of six layers in one of the spellings, with all that it can say."""
    count = 6
    types = [
        ("full_attention", "sliding_attention")[int(kind)]
        for kind in rng.integers(0, 2, size=count)
    ]
    # Layer 0 turns, and the layer that is asked for turns in two of three files.
    flags = [1, *(int(flag) for flag in rng.integers(0, 3, size=count - 1) > 0)]
    share = float(rng.choice([0.25, 0.5, 0.75, 1.0]))
    ropes = [
        {"rope_theta": round(float(rng.uniform(5000, 2_000_000)), 1), **scaling}
        for scaling in (draw_scaling(rng, new=new), {"rope_type": "default"})
    ]
    fields = {"head_dim": 8 * int(rng.integers(2, 20)), "num_hidden_layers": count}
    fields["max_position_embeddings"] = 1024 * int(rng.integers(2, 128))
    if rng.random() < 0.7:
        fields["no_rope_layers"] = flags
    if not new:
        scaling = dict(ropes[0])
        fields["rope_theta"] = scaling.pop("rope_theta")
        fields["rope_scaling"] = scaling or None
        fields["partial_rotary_factor"] = share
    elif rng.random() < 0.7:
        fields["layer_types"] = types
        for rope in ropes:
            rope["partial_rotary_factor"] = share
        fields["rope_parameters"] = dict(
            zip(("full_attention", "sliding_attention"), ropes, strict=True)
        )
    else:
        fields["rope_parameters"] = {**ropes[0], "partial_rotary_factor": share}
        fields["layer_types"] = types
    return read(int(rng.integers(0, count)), **fields)


def draw_scaling(rng, *, new):
    if rng.random() < 0.3:
        return {}
    name = "rope_type" if new or rng.random() < 0.5 else "type"
    return {name: "linear", "factor": round(float(rng.uniform(1.5, 16)), 2)}


def cases(rng):
    yield Case("one pair", read(head_dim=2, rope_theta=100.0), spare=True)
    yield Case("two pairs", read(head_dim=4, rope_theta=100.0), spare=True)
    null = read(head_dim=8, rope_theta=256.0, rope_scaling=None)
    yield Case("the old spelling", null, shown=True, identify=True, pair="config")
    other = read(head_dim=8, rope_theta=81.0, rope_scaling=None)
    yield Case("another base", other, shown=True, pair="config")
    new = {"rope_theta": 256.0, **LINEAR}
    yield Case("the new spelling", read(head_dim=8, rope_parameters=new), shown=True, identify=True)
    older = read(head_dim=8, rope_theta=256.0, rope_scaling={"type": "linear", "factor": 4.0})
    yield Case("type in an older file", older, shown=True, identify=True)
    two = {
        "head_dim": 8,
        "layer_types": ["sliding_attention", "full_attention"],
        "rope_parameters": TWO,
    }
    yield Case("the example, layer 0", read(0, **two), shown=True, identify=True, pair="layer")
    yield Case("the example, layer 1", read(1, **two), shown=True, identify=True, pair="layer")
    flags = {"head_dim": 4, "rope_theta": 100.0, "no_rope_layers": [1, 1, 1, 0, 1]}
    yield Case("a layer with RoPE", read(4, **flags), shown=True, identify=True)
    yield Case("a layer without RoPE", read(3, **flags), shown=True, identify=True)
    half = {"head_dim": 16, "partial_rotary_factor": 0.5, "rope_theta": 256.0}
    yield Case("half of the head", read(**half), shown=True, identify=True)
    inside = {"rope_theta": 256.0, "rope_type": "default", "partial_rotary_factor": 0.5}
    yield Case(
        "half of the head, the new spelling",
        read(head_dim=16, rope_parameters=inside),
        identify=True,
    )
    yield Case(
        "a share at the top, the new spelling",
        read(head_dim=16, partial_rotary_factor=0.25, rope_parameters={"rope_theta": 9.0}),
        identify=True,
    )
    types = ["full_attention", "sliding_attention"]
    flat = {"head_dim": 8, "layer_types": types, "rope_parameters": {"rope_theta": 256.0}}
    flat["no_rope_layers"] = [1, 1]
    yield Case("one RoPE for two layer types", read(1, **flat), identify=True)
    scaling = {"rope_type": "linear", "factor": 2.0}
    yield Case(
        "rope_type in the old spelling",
        read(head_dim=8, rope_theta=256.0, rope_scaling=scaling),
        identify=True,
    )
    plain = read(3, head_dim=8, rope_theta=256.0)
    yield Case("layer 3 of a plain file", plain, identify=True)
    nothing = read(head_dim=8, rope_parameters={"rope_type": "default"})
    yield Case("no rope_theta", nothing, raises=True, shown=True, identify=True, clause="3a 3b 3c")
    yield Case(
        "no rope_theta, the old spelling",
        read(head_dim=8, rope_scaling=None),
        raises=True,
        clause="3a 3b 3c",
    )
    llama3 = {"rope_type": "llama3", "factor": 8.0}
    yield Case(
        "a type that is not for you",
        read(head_dim=8, rope_theta=256.0, rope_scaling=llama3),
        raises=True,
        shown=True,
        identify=True,
        clause="5d",
    )
    yield Case(
        "another one, the new spelling",
        read(head_dim=8, rope_parameters={"rope_theta": 256.0, "rope_type": "yarn", "factor": 4.0}),
        raises=True,
        clause="5d",
    )
    yield Case("drawn: the old spelling", draw(rng, new=False))
    for number in (1, 2, 3):
        yield Case(f"drawn: the new spelling, {number}", draw(rng, new=True))
    for head_dim in (1024, 16_384):
        many = read(head_dim=head_dim, rope_theta=10000.0)
        yield Case(f"{head_dim // 2} pairs", many, probe="time")
