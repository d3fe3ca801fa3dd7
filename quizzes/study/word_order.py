"""The start page's prediction: what attention makes of a sentence whose words change places.

The engine computes the outputs of the sentence that the page begins with. A sentence of the reader
stays in the browser: static/study/attention.js computes the same, and a test compares the two.
"""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from posenc.attention import attention
from posenc.catalog.nope import NoPE
from posenc.catalog.sinusoidal import Sinusoidal
from posenc.encoding import Encoding

SENTENCE = ("the", "dog", "chased", "the", "man")
SWAPPED = (0, 4, 2, 3, 1)  # the places in SENTENCE that the words come from
DIMENSIONS = 8
LARGEST = 1.5  # of a word's numbers
FULL_COLOUR = 2.5  # an output of this size has the full colour
ANSWERS = {"yes": False, "no": True}  # is it right?

Vectors = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Cell:
    """One number of an output: where its cell begins, its sign, and how strong its colour is."""

    x: int
    sign: str
    strength: str


@dataclass(frozen=True)
class WordOutput:
    """One word after the swap: its outputs as cells, and how far each moved by the swap."""

    word: str
    plain: list[Cell]
    plain_change: str
    coded: list[Cell]
    coded_change: str


def word_vector(word: str) -> Vectors:
    """Return a word's numbers, (DIMENSIONS,): drawn from its letters, the same on every page."""
    state = 2166136261
    for byte in word.lower().encode():
        state = (state ^ byte) * 16777619 & 0xFFFFFFFF
    drawn = []
    for _ in range(DIMENSIONS):
        state, number = _mulberry32(state)
        drawn.append(number)
    return LARGEST * (2 * np.array(drawn) - 1)


def _mulberry32(state: int) -> tuple[int, float]:
    """Return the next state, and a number from 0 to 1: 32-bit steps that JavaScript has as well."""
    state = (state + 0x6D2B79F5) & 0xFFFFFFFF
    mixed = (state ^ state >> 15) * (state | 1) & 0xFFFFFFFF
    mixed ^= mixed + ((mixed ^ mixed >> 7) * (mixed | 61) & 0xFFFFFFFF) & 0xFFFFFFFF
    return state, (mixed ^ mixed >> 14) / 2**32


def outputs(words: list[str], encoding: Encoding) -> Vectors:
    """Return what attention without learned matrices gives each word, (words, DIMENSIONS)."""
    positions = np.arange(len(words))
    x = encoding.on_embeddings(np.stack([word_vector(word) for word in words]), positions, {})
    mixed: Vectors = attention(
        x, x, x, encoding=encoding, q_positions=positions, k_positions=positions
    )
    return mixed


def swapped_outputs() -> list[WordOutput]:
    """Return the words of the sentence after the swap, with their outputs and changes."""
    swapped = [SENTENCE[place] for place in SWAPPED]
    found = []
    for encoding in (NoPE(), Sinusoidal(d_model=DIMENSIONS)):
        before, after = outputs(list(SENTENCE), encoding), outputs(swapped, encoding)
        changes = np.abs(after - before[list(SWAPPED)]).max(axis=-1)
        found.append((after, changes))
    (plain, plain_changes), (coded, coded_changes) = found
    return [
        WordOutput(
            word,
            _cells(plain[row]),
            f"{plain_changes[row]:.2f}",
            _cells(coded[row]),
            f"{coded_changes[row]:.2f}",
        )
        for row, word in enumerate(swapped)
    ]


def _cells(values: Vectors) -> list[Cell]:
    return [
        Cell(10 * at, "minus" if value < 0 else "plus", f"{min(abs(value) / FULL_COLOUR, 1):.2f}")
        for at, value in enumerate(values)
    ]
