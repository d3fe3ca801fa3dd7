"""The period of a pair in one of two kinds of layers; distractors are known mistakes."""

import json
import math

from posenc.catalog.rope import Rope


def generate(rng, exercise):
    head_dim = 32 * int(rng.integers(2, 9))
    local, wide = 1000 * int(rng.integers(2, 41)), 100_000 * int(rng.integers(2, 51))
    factor = int(rng.choice([2, 4, 8, 16]))
    pair = int(rng.integers(head_dim // 8, head_dim // 3))
    word = str(rng.choice(["full", "sliding"]))
    ropes = {
        "full": Rope(head_dim=head_dim, base=wide, scaling="linear", factor=float(factor)),
        "sliding": Rope(head_dim=head_dim, base=local),
    }
    key = 2 * math.pi / float(ropes[word].inv_freq[pair])
    fields = {
        "head_dim": head_dim,
        "layer_types": [f"{word}_attention"],
        "rope_parameters": {
            "full_attention": {"rope_theta": wide, "rope_type": "linear", "factor": factor},
            "sliding_attention": {"rope_theta": local},
        },
    }
    call = {"config": json.dumps(fields), "layer": 0}
    wrong = exercise.mistaken(lambda inv_freq: 2 * math.pi / inv_freq[pair], **call)
    rng.shuffle(wrong)
    by = f"{factor} \\cdot " if word == "full" else ""
    base = wide if word == "full" else local
    return {
        "prompt": (
            f"A file has `head_dim` {head_dim}. In `rope_parameters`, `full_attention` has "
            f"`rope_theta` {wide}, `rope_type` linear and `factor` {factor}, and "
            f"`sliding_attention` has `rope_theta` {local}. How many tokens does pair {pair} of a "
            f"{word} layer need for one turn? Pairs are counted from 0."
        ),
        "facts": {
            "head_dim": head_dim,
            "base": base,
            "factor": factor if word == "full" else 1,
            "pair": pair,
        },
        "proof": 2 * math.pi / float(exercise.reference(**call)[pair]),
        "key": {
            "text": shown(key),
            "value": key,
            "reason": (
                f"One turn is $2\\pi$, so the period is ${by}2\\pi \\cdot {base}^{{{2 * pair}/{head_dim}}}$."
            ),
        },
        "distractors": [{**option, "text": shown(option["value"])} for option in wrong],
        "apart": 0.02 * key,
    }


def shown(period):
    return f"{period:.0f}" if period >= 100 else f"{period:.1f}"
