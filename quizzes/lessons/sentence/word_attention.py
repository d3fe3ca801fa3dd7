"""Attention over words: one small layer without learned matrices, as can be checked by hand.

A word's numbers are drawn from its letters. A reader's sentence never leaves the browser, so
static/lessons/sentence/word-attention.js computes the same, and a test compares the two.
Shapes: L = words, D = DIMENSIONS.
"""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from posenc.attention import attention
from posenc.catalog.nope import NoPE
from posenc.catalog.sinusoidal import Sinusoidal
from posenc.encoding import Encoding

DIMENSIONS = 8
LARGEST = 1.5  # of a word's numbers

Vectors = npt.NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class WordAttention:
    """What one layer makes of a sentence.

    `weights` (L, L): row i is how word i shares its attention among the words. `outputs` (L, D).
    """

    weights: Vectors
    outputs: Vectors


def word_vector(word: str) -> Vectors:
    """Return a word's numbers, (DIMENSIONS,): drawn from its letters, the same on every page."""
    state = 2166136261
    for byte in word.lower().encode():
        state = (state ^ byte) * 16777619 & 0xFFFFFFFF
    numbers = []
    for _ in range(DIMENSIONS):
        state, number = _mulberry32(state)
        numbers.append(number)
    return LARGEST * (2 * np.array(numbers) - 1)


def _mulberry32(state: int) -> tuple[int, float]:
    """Return the next state, and a number from 0 to 1: 32-bit steps that JavaScript has as well."""
    state = (state + 0x6D2B79F5) & 0xFFFFFFFF
    mixed = (state ^ state >> 15) * (state | 1) & 0xFFFFFFFF
    mixed ^= mixed + ((mixed ^ mixed >> 7) * (mixed | 61) & 0xFFFFFFFF) & 0xFFFFFFFF
    return state, (mixed ^ mixed >> 14) / 2**32


def attend(words: list[str], *, positions: bool, causal: bool = False) -> WordAttention:
    """Return the weights and outputs of a sentence; `positions` adds the sinusoidal code to it."""
    encoding: Encoding = Sinusoidal(d_model=DIMENSIONS) if positions else NoPE()
    places = np.arange(len(words))
    x = encoding.on_embeddings(np.stack([word_vector(word) for word in words]), places, {})

    def mix(values: Vectors) -> Vectors:
        mixed: Vectors = attention(
            *(x, x, values),
            encoding=encoding,
            q_positions=places,
            k_positions=places,
            causal=causal,
        )
        return mixed

    return WordAttention(weights=mix(np.eye(len(words))), outputs=mix(x))
