"""The weight of one of four keys when another one is hidden."""

import numpy as np

from posenc.attention import softmax

KEYS = 4


def generate(rng, exercise):
    scores = rng.permutation(np.arange(-10, 31))[:KEYS] / 10
    hidden, asked = (int(place) for place in rng.permutation(KEYS)[:2])
    mask = np.arange(KEYS) != hidden
    key = float(softmax(np.where(mask, scores, -np.inf))[asked])
    call = {"scores": scores[None], "mask": mask[None]}

    def weight(weights):
        return weights[0, asked]

    def shown(value):
        return f"{value:.3f}"

    wrong = exercise.mistaken(weight, **call)
    rng.shuffle(wrong)
    first, second, third, fourth = (f"{score:.1f}".replace("-", "−") for score in scores)
    powers = " + ".join(f"e^{{{score:.1f}}}" for score in scores[mask])
    return {
        "prompt": (
            f"A query has the scores {first}, {second}, {third} and {fourth} with the keys 0, 1, 2 and 3. A "
            f"mask hides key {hidden} before the softmax. Which weight does key {asked} get?"
        ),
        "facts": {"scores": [float(score) for score in scores], "hidden": hidden, "asked": asked},
        "proof": float(weight(exercise.reference(**call))),
        "key": {
            "text": shown(key),
            "value": key,
            "reason": (
                f"The softmax runs over the three keys that are left: "
                f"$e^{{{scores[asked]:.1f}}} / ({powers})$."
            ),
        },
        "distractors": [
            *({**one, "text": shown(one["value"])} for one in wrong),
            {
                "text": shown(1 / 3),
                "value": 1 / 3,
                "reason": "Three keys share the weight equally only if their scores are equal.",
            },
        ],
        "apart": 0.02,
    }
