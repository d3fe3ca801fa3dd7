"""T5's bucket of one relative position; every distractor is what a known mistake gives."""

import numpy as np

from posenc.catalog.t5_bias import T5Bias


def generate(rng, exercise):
    bidirectional = bool(rng.integers(0, 2))
    num_buckets = int(rng.choice([16, 32, 64]))
    max_distance = int(rng.choice([far for far in (64, 128, 256) if far > num_buckets]))
    size = int(np.exp(rng.uniform(np.log(2), np.log(2 * max_distance))))
    relative = size if bidirectional and rng.integers(0, 2) else -size
    settings = {"num_buckets": num_buckets, "max_distance": max_distance}
    encoding = T5Bias(bidirectional=bidirectional, **settings)
    key = int(encoding.buckets(np.array([relative]))[0])
    call = {"relative_position": np.array([relative]), "bidirectional": bidirectional, **settings}
    wrong = exercise.mistaken(lambda out: out[0], **call)
    rng.shuffle(wrong)
    half = num_buckets // 2 if bidirectional else num_buckets
    way = "towards later keys" if relative > 0 else "towards earlier keys"
    exact = (
        "has a bucket of its own"
        if size < half // 2
        else "shares a bucket on the logarithmic scale"
    )
    return {
        "prompt": (
            f"T5's relative bias, {'in both directions' if bidirectional else 'causal'}, has "
            f"{num_buckets} buckets and the maximal distance {max_distance}. In which bucket is the "
            f"relative position (key minus query) {relative}?".replace("-", "−")
        ),
        "facts": {"relative": relative, "bidirectional": bidirectional, **settings},
        "proof": int(exercise.reference(**call)[0]),
        "key": {
            "text": str(key),
            "value": key,
            "reason": (
                f"{half} buckets point {way}; of these the first {half // 2} hold one distance each, "
                f"so distance {size} {exact}."
                + (f" Later keys begin at bucket {half}." if bidirectional and relative > 0 else "")
            ),
        },
        "distractors": [
            *({**one, "text": f"{one['value']:g}".replace("-", "−")} for one in wrong),
            *(
                {
                    "text": str(key + step),
                    "value": key + step,
                    "reason": f"That is {'the next' if step > 0 else 'the previous'} bucket: its "
                    f"distances are {'larger' if step > 0 else 'smaller'}.",
                }
                for step in ((1, -1) if key % half else (1, 2))
                if (key + step) // half == key // half  # of the same direction
            ),
        ],
        "apart": 1,
    }
