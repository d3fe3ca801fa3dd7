"""A sentence and its attention as HTML, for lessons and for the start page.

The page has the author's sentence as a picture and as a table, without a script.
static/lessons/sentence/sentence.js makes it live: it draws the same parts with the same numbers.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations
from typing import Any

import numpy as np
from django.template.loader import render_to_string
from django.utils.safestring import SafeString

from quizzes.lessons.sentence.word_attention import LARGEST, Vectors, WordAttention, attend

LOOKS = ("grid", "outputs", "arcs")
POSITIONS = ("off", "on", "choice")
MASKS = ("none", "causal", "choice")
CAPTIONS = {
    "grid": "Attention: each row is a word that looks, each column a word that it looks at",
    "outputs": "The output of each word: eight numbers",
    "arcs": "Attention: arcs lead from a word to those that it looks at; more is thicker",
}
DEFAULT = ("the", "dog", "chased", "the", "man")  # one sentence for the whole course
FEWEST_WORDS, MOST_WORDS, MOST_LETTERS = 2, 12, 20
FULL_COLOUR = LARGEST  # an output of this size has the full colour
UNSEEN = 0.005  # a change that two decimals do not show
NARROW, WIDE = 35, 72  # letters for which a line of words has room, on a phone and in a column
KEPT = 128  # sentences that a process keeps as HTML, about 10 KB each


@dataclass(frozen=True)
class Sentence:
    """A sentence as an author or a page asks for it.

    `is_own`: readers see their own sentence, if they have typed one. `order`: the places in `words`
    that the words come from at first. `is_covered`: the attention of another order is not shown.
    `is_compact`: with few words; the field for a sentence waits in a disclosure.
    """

    id: str
    words: tuple[str, ...] = DEFAULT
    look: str = "grid"
    positions: str = "off"
    mask: str = "none"
    is_own: bool = True
    order: tuple[int, ...] = ()
    is_covered: bool = False
    is_compact: bool = False


@dataclass(frozen=True)
class Cell:
    """One number: its text, how strong its colour is (0 to 1), and what kind of cell it has."""

    text: str
    strength: str
    kind: str  # "weight", "masked", "plus" or "minus"


@dataclass(frozen=True)
class Row:
    """One word, with its cells."""

    word: str
    cells: list[Cell]


@dataclass(frozen=True)
class Arc:
    """The share of its attention that a word gives to another, or to itself."""

    path: str
    width: str
    kind: str  # "chosen" or "other"


@lru_cache(maxsize=KEPT)
def sentence_html(sentence: Sentence, more_values: str = "") -> SafeString:
    """Return the whole figure; `more_values` is HTML that stands below its table of values."""
    context = {**sentence_context(sentence), "more_values": more_values}
    return SafeString(render_to_string("lessons/sentence.html", context))


def sentence_context(sentence: Sentence) -> dict[str, Any]:
    """Return the context of the template lessons/sentence.html."""
    words = [sentence.words[place] for place in sentence.order or range(len(sentence.words))]
    causal = sentence.mask == "causal"
    attention = attend(words, positions=sentence.positions == "on", causal=causal)
    chosen = _chosen(attention.weights)
    is_outputs = sentence.look == "outputs"
    values = attention.outputs if is_outputs else attention.weights
    letters = len(words) * (max(map(len, words)) + 1)  # all have the room of the longest
    return {
        "sentence": sentence,
        "caption": CAPTIONS[sentence.look],
        "rows": _rows(words, values, is_outputs=is_outputs, causal=causal),
        "columns": list(range(1, values.shape[1] + 1)) if is_outputs else words,
        "arcs": arcs(attention.weights, chosen=chosen) if sentence.look == "arcs" else [],
        "line": [
            (word, f"{share:.2f}", place == chosen)
            for place, (word, share) in enumerate(
                zip(words, attention.weights[chosen], strict=True)
            )
        ],
        # The text around an author's words is about them: the field for others waits.
        "is_folded": sentence.is_compact or not sentence.is_own,
        "reading": reading(words, attention, sentence.look),
        "note": "" if sentence.is_compact else note(words, values, sentence.look),
        "width": 100 * len(words),
        "is_turned_narrow": letters > NARROW and not is_outputs,
        "is_turned_wide": letters > WIDE and not is_outputs,
    }


def _chosen(weights: Vectors) -> int:
    """Return the place of the word that is read first: it shares its attention most evenly."""
    return int(np.argmin(weights.max(axis=1).round(6)))


def _rows(words: Sequence[str], values: Vectors, *, is_outputs: bool, causal: bool) -> list[Row]:
    rows = []
    for place, word in enumerate(words):
        cells = [
            _output_cell(value) if is_outputs else _weight_cell(value, causal and column > place)
            for column, value in enumerate(values[place])
        ]
        rows.append(Row(word, cells))
    return rows


def _weight_cell(weight: float, is_masked: bool) -> Cell:
    if is_masked:
        return Cell("0", "0", "masked")
    return Cell(f"{weight:.2f}", f"{weight:.3f}", "weight")


def _output_cell(value: float) -> Cell:
    strength = min(abs(value) / FULL_COLOUR, 1)
    return Cell(signed(value), f"{strength:.3f}", "minus" if value < 0 else "plus")


def signed(value: float) -> str:
    """Return a number with two decimals and a true minus sign; nothing is -0.00."""
    text = f"{abs(value):.2f}"
    return f"−{text}" if value < 0 and float(text) else text


def arcs(weights: Vectors, *, chosen: int) -> list[Arc]:
    """Return the arcs of a sentence, those of the chosen word last: they lie over the others.

    Only the chosen word has an arc to itself: the thickest of the others would hide the rest. A
    word is 100 units wide; the line of words stands at the height 100.
    """
    count = len(weights)
    others = [place for place in range(count) if place != chosen]
    return [
        Arc(
            _arc_path(row, column, count),
            f"{1 + 16 * weights[row, column]:.2f}",
            "chosen" if row == chosen else "other",
        )
        for row in (*others, chosen)
        for column in range(count)
        if row != column or row == chosen
    ]


def _arc_path(row: int, column: int, count: int) -> str:
    start, end = sorted((100 * row + 50, 100 * column + 50))
    if row == column:
        return f"M{start - 12} 100C{start - 46} 54 {start + 46} 54 {start + 12} 100"
    top = round(100 - 46 - 80 * abs(row - column) / max(count - 1, 1), 2)
    return f"M{start} 100C{start} {top:g} {end} {top:g} {end} 100"


def reading(words: Sequence[str], attention: WordAttention, look: str) -> str:
    """Return the sentence that stands below the picture until a reader points at something."""
    row = _chosen(attention.weights)
    others = [column for column in range(len(words)) if column != row]
    column = max(others, key=lambda place: attention.weights[row, place])
    name, other = _name(words, row), _name(words, column)
    if look == "outputs":
        return f"Number 1 of the output of {name}: {signed(attention.outputs[row, 0])}"
    share = attention.weights[row, column]
    if look == "grid":
        return f"{name} gives {share:.2f} of its attention to {other}"
    said = f"{name} gives {attention.weights[row, row]:.2f} of its attention to itself"
    return said if share < UNSEEN else f"{said}, {share:.2f} to {other}"


def _name(words: Sequence[str], place: int) -> str:
    """Return a word, with its position if it stands in the sentence more than once."""
    word = f"“{words[place]}”"
    return word if words.count(words[place]) == 1 else f"{word} (position {place})"


def note(words: Sequence[str], values: Vectors, look: str) -> str:
    """Return what the numbers say of a word that stands in the sentence twice, "" without one."""
    lowered = [word.lower() for word in words]
    twins = next((word for word in lowered if lowered.count(word) > 1), None)
    if twins is None:
        return ""
    places = [place for place, word in enumerate(lowered) if word == twins]
    spread = max(
        float(np.abs(values[left] - values[right]).max()) for left, right in combinations(places, 2)
    )
    of = "The weights for each" if look == "arcs" else f"The {len(places)} rows of"
    change = "are equal" if spread < UNSEEN else f"differ by up to {spread:.2f}"
    return f"{of} “{words[places[0]]}” {change}."
