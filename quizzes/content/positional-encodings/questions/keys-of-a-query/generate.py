"""The keys that one query of a few new ones sees through a window, with a cache.

The near misses are given here: each is one wrong idea of a window, and no known mistake of code.
"""

import numpy as np

from posenc.catalog.nope import NoPE
from posenc.stack import Layer, Stack


def generate(rng, exercise):
    window, cached, new = (int(size) for size in rng.integers((4, 5, 3), (20, 30, 8)))
    row = int(rng.integers(0, new))
    keys = cached + new
    stack = Stack((Layer(NoPE(), window=window),))
    mask = stack.mask_at(0, np.arange(cached, keys), np.arange(keys))
    key = int(mask[row].sum())
    position = cached + row
    is_cut = window <= position + 1
    reason = (
        f"It is at position {position}, so {position + 1} keys are not after it, and the window "
        f"lets it see {'the last ' if window <= position else ''}{key} of them."
    )
    wrong = [
        (window + 1 if is_cut else window, _too_many(is_cut, window)),
        (min(row + 1, window), "That forgets the keys in the cache: new queries come after them."),
        (min(keys, window) - 1, "The window counts the query itself, so this is one too few."),
        (position + 1, "That is the causal mask alone. The window hides the oldest keys."),
        (keys, "Keys after the query are hidden, and so are those before its window."),
    ]
    options = [{"value": value, "text": str(value), "reason": words} for value, words in wrong]
    rng.shuffle(options)
    return {
        "prompt": (
            f"A layer has a causal mask and a window of {window}, which counts the query itself. Its "
            f"cache holds the keys of {cached} tokens, and {new} new tokens are read at once. How many "
            f"keys does new token {row} see, if new tokens are counted from 0?"
        ),
        "facts": {"window": window, "cached": cached, "new": new, "row": row},
        "proof": min(position + 1, window),
        "key": {"text": str(key), "value": key, "reason": reason},
        "distractors": options,
        "apart": 1,
    }


def _too_many(is_cut, window):
    if is_cut:
        return f"That is {window} keys before the query, and itself. The window counts it."
    return "That is the whole window. The text begins inside it."
