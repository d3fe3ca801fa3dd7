"""Cases for T5's buckets, smallest first.

All relative positions from -300 to 300, once for both directions and once for the causal form, tell
all known mistakes apart; small distances alone let half of them through.
"""

import numpy as np

from quizzes.grader.case import Case

EVERY = np.arange(-300, 301)


def cases(rng):
    yield Case("near ones", {"relative_position": np.arange(-4, 5)}, shown=True)
    yield Case(
        "the example", {"relative_position": np.array([-200, -20, -8, -7, 0, 1, 20])}, shown=True
    )
    yield Case(
        "the example, causal",
        {"relative_position": np.array([-200, -20, -8, -7, 0, 1, 20]), "bidirectional": False},
        shown=True,
    )
    yield Case(
        "two axes", {"relative_position": np.arange(6)[None, :] - np.arange(4)[:, None]}, shown=True
    )
    yield Case("-300 to 300", {"relative_position": EVERY}, identify=True)
    yield Case(
        "-300 to 300, causal", {"relative_position": EVERY, "bidirectional": False}, identify=True
    )
    yield Case(
        "8 buckets up to 20", {"relative_position": EVERY, "num_buckets": 8, "max_distance": 20}
    )
    yield Case(
        "16 buckets up to 64, causal",
        {
            "relative_position": EVERY,
            "bidirectional": False,
            "num_buckets": 16,
            "max_distance": 64,
        },
    )
    yield Case("drawn: far apart", {"relative_position": rng.integers(-2000, 2000, size=(8, 12))})
    yield Case(
        "drawn: far apart, causal",
        {"relative_position": rng.integers(-2000, 200, size=(8, 12)), "bidirectional": False},
    )
