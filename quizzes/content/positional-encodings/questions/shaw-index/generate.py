"""The row of Shaw's table for one query and key; distractors are known mistakes."""

import numpy as np

from posenc.catalog.shaw import Shaw


def generate(rng, exercise):
    clip = int(rng.integers(2, 17))
    length = int(rng.integers(3 * clip, 5 * clip))
    query, key_position = (int(one) for one in rng.permutation(length)[:2])
    relative = key_position - query
    key = int(Shaw(clip_distance=clip).row(np.array([relative]))[0])
    call = {"Lq": length, "Lk": length, "k": clip}
    wrong = exercise.mistaken(lambda rows: rows[query, key_position], **call)
    rng.shuffle(wrong)
    clipped = max(-clip, min(clip, relative))
    more = [
        (
            2 * clip - key,
            "This has the wrong sign: relative positions are key minus query.",
        ),
        (clip, f"Row {clip} belongs to relative position 0, and this one is {relative}."),
        (
            relative,
            "That is the relative position itself. It should be clipped and moved up by $k$.",
        ),
        (clipped, "This is clipped but not moved up by $k$. Rows are counted from 0."),
    ]
    return {
        "prompt": (
            f"Shaw's table has a row for each relative position (key minus query), clipped to "
            f"$k = {clip}$; row 0 is $-k$. Which row belongs to query {query} and key {key_position}?"
        ),
        "facts": {"clip": clip, "query": query, "key": key_position},
        "proof": int(exercise.reference(**call)[query, key_position]),
        "key": {
            "text": str(key),
            "value": key,
            "reason": (
                f"${key_position} - {query} = {relative}$, clipped ${clipped}$, plus $k = {clip}$ "
                f"gives {key}."
            ),
        },
        "distractors": [
            *({**one, "text": f"{one['value']:g}".replace("-", "−")} for one in wrong),
            *(
                {"text": str(row).replace("-", "−"), "value": row, "reason": why}
                for row, why in more
            ),
        ],
        "apart": 1,
    }
