"""What RoPE makes of the pair (1, 0); values are angles from the right one, -pi to pi."""

import math

import numpy as np

from posenc.catalog.rope import Rope


def wrapped(angle):
    return math.remainder(angle, 2 * math.pi)


def generate(rng, exercise):
    head_dim = int(rng.choice([4, 8, 16, 32]))
    base = float(rng.choice([100, 10_000]))
    position = int(rng.integers(1, 25))
    pair = int(rng.integers(0, min(head_dim // 2, 4)))
    angle = position * float(Rope(head_dim=head_dim, base=base).inv_freq[pair])
    call = {"n": position + 1, "head_dim": head_dim, "base": base}

    def turned(result):
        cosines, sines = result
        return wrapped(math.atan2(sines[position, pair], cosines[position, pair]) - angle)

    def point(off):
        x, y = (round(float(one), 2) + 0.0 for one in (np.cos(angle + off), np.sin(angle + off)))
        return f"({x:.2f}, {y:.2f})".replace("-", "−")

    # In code a dtype of whole numbers makes every frequency 1. Here there is no dtype: a learner who
    # chooses that angle left out the frequency, which has a reason of its own below.
    wrong = exercise.mistaken(turned, without=("int_dtype",), **call)
    rng.shuffle(wrong)
    wrong.insert(
        0,
        {
            "value": wrapped(-2 * angle),
            "reason": "This pair is turned the other way; it should become $(x \\cos a - y \\sin a,\\; "
            "x \\sin a + y \\cos a)$.",
        },
    )
    return {
        "prompt": (
            f"RoPE by the formula of its paper, with head_dim {head_dim} and base {base:g}, turns pair "
            f"$i = {pair}$ of a query at position {position} by the positive angle. Pairs and positions "
            "count from 0. The pair was (1, 0). What is it afterwards?"
        ),
        "facts": {"head_dim": head_dim, "base": base, "position": position, "pair": pair},
        "proof": turned(exercise.reference(**call)),
        "key": {
            "text": point(0),
            "value": 0.0,
            "reason": (
                f"The angle is ${position} \\cdot {base:g}^{{-{2 * pair}/{head_dim}}} = {angle:.3g}$ "
                "radians, and (1, 0) turns to its cosine and sine."
            ),
        },
        "distractors": [
            *({**one, "text": point(one["value"])} for one in wrong),
            {
                "text": point(-angle),
                "value": wrapped(-angle),
                "reason": f"Nothing has turned here. Only position 0 is left as it is, and this is {position}.",
            },
            {
                "text": point(position - angle),
                "value": wrapped(position - angle),
                "reason": f"That is the angle {position}; only pair 0 turns by 1 radian a position.",
            },
        ],
        "apart": 0.15,
    }
