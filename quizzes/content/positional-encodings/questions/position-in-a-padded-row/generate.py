"""The position of one token in a row with padding; distractors are known mistakes."""

import numpy as np

from posenc.encoding import Encoding


def generate(rng, exercise):
    left, tokens, gap, more = (int(size) for size in rng.integers((2, 3, 2, 4), (13, 16, 10, 16)))
    mask = np.repeat([False, True, False, True], (left, tokens, gap, more))
    # The key is none of the numbers that the prompt prints.
    keys = [key for key in range(tokens, tokens + more) if key not in {left, tokens, gap}]
    column = left + gap + int(rng.choice(keys))
    key = int(Encoding().batch_positions(mask)[column])
    call = {"mask": mask[None]}
    wrong = exercise.mistaken(lambda positions: positions[0, column], **call)
    rng.shuffle(wrong)
    return {
        "prompt": (
            f"A row of a batch has {left} columns of padding, {tokens} tokens, {gap} more columns "
            "of padding, and then tokens up to its end. Which position has the token in column "
            f"{column}? Columns are counted from 0."
        ),
        "facts": {"left": left, "tokens": tokens, "gap": gap, "column": column},
        "proof": int(exercise.reference(**call)[0, column]),
        "key": {
            "text": str(key),
            "value": key,
            "reason": (
                f"Of the {column} columns before it, ${left} + {gap} = {left + gap}$ are padding. "
                f"So {key} tokens come before it."
            ),
        },
        "distractors": [{**option, "text": f"{option['value']:g}"} for option in wrong],
        "apart": 1,
    }
