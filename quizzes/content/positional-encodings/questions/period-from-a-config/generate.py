"""The period of a pair from the fields of a file; distractors are known mistakes."""

import json
import math

from posenc.catalog.rope import Rope


def generate(rng, exercise):
    head_dim = 32 * int(rng.integers(2, 9))
    share = float(rng.choice([0.25, 0.5, 0.75]))
    base = 1000.0 * int(rng.integers(20, 2000))
    factor = int(rng.choice([2, 4, 8, 16]))
    turning = int(head_dim * share)
    pair = int(rng.integers(turning // 8, turning // 3))
    rope = Rope(
        head_dim=head_dim, base=base, rotary_share=share, scaling="linear", factor=float(factor)
    )
    key = 2 * math.pi / float(rope.inv_freq[pair])
    fields = {
        "head_dim": head_dim,
        "partial_rotary_factor": share,
        "rope_parameters": {"rope_theta": base, "rope_type": "linear", "factor": factor},
    }
    call = {"config": json.dumps(fields), "layer": 0}
    wrong = exercise.mistaken(lambda inv_freq: 2 * math.pi / inv_freq[pair], **call)
    rng.shuffle(wrong)
    return {
        "prompt": (
            f"A file says `head_dim` {head_dim} and `partial_rotary_factor` {share:g}, and inside of "
            f"`rope_parameters` `rope_theta` {base:.0f}, `rope_type` linear and `factor` {factor}. "
            f"How many tokens does pair {pair} need for one turn? Pairs are counted from 0."
        ),
        "facts": {
            "head_dim": head_dim,
            "share": share,
            "base": base,
            "factor": factor,
            "pair": pair,
        },
        "proof": 2 * math.pi / float(exercise.reference(**call)[pair]),
        "key": {
            "text": shown(key),
            "value": key,
            "reason": (
                f"{turning} columns turn, so the frequency is ${base:.0f}^{{-{2 * pair}/{turning}}} / "
                f"{factor}$. One turn is $2\\pi$."
            ),
        },
        "distractors": [{**option, "text": shown(option["value"])} for option in wrong],
        "apart": 0.02 * key,
    }


def shown(period):
    return f"{period:.0f}" if period >= 100 else f"{period:.3g}"
