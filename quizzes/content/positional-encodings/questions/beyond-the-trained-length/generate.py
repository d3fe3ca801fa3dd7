"""What happens beyond the length an encoding was made for: computed by the engine.

The options are what the four encodings do, each wrong for the other three, and not what known
mistakes of code give: a mistake gives another number, and here it is asked what happens, in words.
"""

import numpy as np

from posenc.catalog.alibi import Alibi
from posenc.catalog.learned import Learned
from posenc.catalog.sinusoidal import Sinusoidal
from posenc.catalog.t5_bias import T5Bias

NO_ROW = "There is no row for it: looking it up fails"
GOES_ON = "It gets a position vector of its own, by the same formula"
SHARED = "It falls into a bucket with other far keys, so their bias is the same"
STEEPER = "Its penalty goes on growing with the distance"


def behaviour(name, length, position):
    """Ask the engine what becomes of `position`, the first being beyond `length`."""
    if name == "learned":
        encoding = Learned(max_len=length, d_model=8)
        weights = encoding.init_weights(np.random.default_rng(0))
        try:
            encoding.on_embeddings(np.zeros((1, 8)), np.array([position]), weights)
        except (ValueError, IndexError):
            return NO_ROW
        return GOES_ON
    if name == "sinusoidal":
        codes = Sinusoidal(d_model=8).encode(np.array([length - 1, position]))
        return GOES_ON if np.isfinite(codes).all() and not np.allclose(*codes) else NO_ROW
    if name == "t5":
        buckets = T5Bias(bidirectional=False, max_distance=length).buckets(
            np.array([-length, -position])
        )
        return SHARED if buckets[0] == buckets[1] else GOES_ON
    near, far = Alibi(n_heads=8).bias(np.array([position]), np.array([position - length, 0]))[0, 0]
    return STEEPER if far < near else SHARED


ASKED = {
    "learned": "A learned table of {length} positions meets position {position}. What happens?",
    "sinusoidal": "A sinusoidal encoding, trained on {length} positions, meets position {position}. "
    "What does the encoding give?",
    "t5": "T5's causal bias with maximal distance {length} meets a key {position} positions before "
    "the query. What does it give?",
    "alibi": "ALiBi, trained on {length} positions, meets a key {position} positions before the "
    "query. What does it give?",
}
BY = {"learned": NO_ROW, "sinusoidal": GOES_ON, "t5": SHARED, "alibi": STEEPER}
WHY = {
    NO_ROW: "A learned table has one row for each position it was made for and nothing after them.",
    GOES_ON: "Sine and cosine are defined for every position. Defined is not the same as useful: the "
    "layers above never saw these codes.",
    SHARED: "T5 has one last bucket for each direction. All distances from its maximal "
    "distance on are in it, and some shorter ones.",
    STEEPER: "ALiBi's penalty is slope times distance, for any distance.",
}


def generate(rng, exercise):
    name = str(rng.choice(list(ASKED)))
    length = int(rng.choice([128, 256, 512, 1024, 2048]))
    position = length + int(rng.integers(1, length))
    key = behaviour(name, length, position)
    others = [words for words in WHY if words != key]
    rng.shuffle(others)
    return {
        "prompt": ASKED[name].format(length=length, position=position),
        "facts": {"encoding": name, "length": length, "position": position},
        "proof": BY[name],
        "key": {"text": key, "reason": WHY[key]},
        "distractors": [{"text": words, "reason": f"Not here. {WHY[words]}"} for words in others],
    }
