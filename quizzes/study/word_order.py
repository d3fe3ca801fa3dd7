"""The start page's prediction: what attention makes of a sentence whose words change places."""

from dataclasses import dataclass

import numpy as np
from django.template.loader import render_to_string
from django.utils.safestring import SafeString

from quizzes.lessons.sentence.picture import DEFAULT, Sentence, sentence_html
from quizzes.lessons.sentence.word_attention import Vectors, attend

SENTENCE = DEFAULT
SWAPPED = (0, 4, 2, 3, 1)  # the places in SENTENCE that the words come from
FULL_COLOUR = 2.5  # a number of this size has the full colour
ANSWERS = {"yes": False, "no": True}  # is it right?
QUESTION = Sentence("order", look="arcs", is_own=False, is_covered=True)
ANSWER = Sentence("order", look="arcs", positions="choice", order=SWAPPED, is_compact=True)


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


def question_picture() -> SafeString:
    """Return the sentence of the question; a reader can move its words, not see what they do."""
    return sentence_html(QUESTION)


def answer_picture() -> SafeString:
    """Return the sentence after the swap, with its outputs and their changes in a table."""
    changes = render_to_string("study/_word_changes.html", {"rows": swapped_outputs()})
    return sentence_html(ANSWER, changes)


def swapped_outputs() -> list[WordOutput]:
    """Return the words of the sentence after the swap, with their outputs and changes."""
    swapped = [SENTENCE[place] for place in SWAPPED]
    columns = []
    for positions in (False, True):
        before = attend(list(SENTENCE), positions=positions).outputs
        after = attend(swapped, positions=positions).outputs
        columns.append((after, np.abs(after - before[list(SWAPPED)]).max(axis=-1)))
    (plain, plain_changes), (coded, coded_changes) = columns
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
