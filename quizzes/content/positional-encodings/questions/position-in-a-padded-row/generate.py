"""The position of one token in a row with padding; distractors are known mistakes."""

import numpy as np

from posenc.encoding import Encoding


def generate(rng, exercise):
    columns = int(rng.integers(8, 13))
    mask = rng.random(columns) < rng.uniform(0.4, 0.8)
    mask[rng.permutation(columns)[:3]] = True
    mask[rng.integers(0, columns - 3)] = False
    tokens = np.flatnonzero(mask)
    column = int(tokens[rng.integers(1, len(tokens))])
    key = int(Encoding().batch_positions(mask)[column])
    call = {"mask": mask[None]}
    wrong = exercise.mistaken(lambda positions: positions[0, column], **call)
    rng.shuffle(wrong)
    padding = column - key
    return {
        "prompt": (
            f"A row of a batch has the mask {' '.join(str(int(one)) for one in mask)}, 1 at tokens. "
            f"Which position has the token in column {column}? Columns are counted from 0."
        ),
        "facts": {"mask": "".join(str(int(one)) for one in mask), "column": column},
        "proof": int(exercise.reference(**call)[0, column]),
        "key": {
            "text": str(key),
            "value": key,
            "reason": (
                f"Of the {column} columns before it, {padding} "
                f"{'is' if padding == 1 else 'are'} padding. So {key} "
                f"{'token comes' if key == 1 else 'tokens come'} before it."
            ),
        },
        "distractors": [{**one, "text": f"{one['value']:g}"} for one in wrong],
        "apart": 1,
    }
