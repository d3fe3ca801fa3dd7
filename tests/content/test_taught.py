"""The paths of lessons 1 and 2 teach what their three quizzes ask, and what captions say."""

import re
from dataclasses import fields

import pytest
from posenc.query import Selection

from quizzes.lessons.figures.address import compute
from quizzes.lessons.figures.figure_context import DRAWN
from quizzes.lessons.figures.figure_params import picture_of
from quizzes.pages.blocks import Prose
from tests.content.lesson_text import lessons
from tests.content.said import flat
from tests.content.test_quiz_questions import QUIZZES
from tools.count_words import path_of

# The sentence of a path that answers a question.
FIRST_LESSON = {
    "reordered-input": "Shuffled words have the same outputs, shuffled in the same way",
    "when-invariant": "A mean over all outputs, for example, is invariant.",
    "dog-and-man": "A mean over all outputs, for example, is invariant.",
    "row-wise-parts": "Each takes one row at a time: only attention lets one word see another.",
    "mask-breaks-what": "scores move with their words, but the mask stays where it is.",
    "equal-tokens-masked": "With equal scores, the query at position 9 sees ten keys, and each gets"
    " the weight 1/10.",
    "alibi-place": "| scores | [ALiBi](/learn/alibi/penalty/),",
}
SECOND_LESSON = {
    "why-positions": "Attention by itself does not see their order, so order has to be put in.",
    "combined-with-embeddings": "The transformer **adds** the two: the first number to the first",
    "which-paper": "The paper that introduced the transformer, *Attention Is All You Need* (2017)",
    "the-sinusoidal-formula": r"\mathrm{PE}(p,\,2i) &= \sin\!\left(\frac{p}{10000^{2i/d}}\right)",
    "value-of-a-cell": r"\mathrm{PE}(p,\,2i+1) &= \cos\!\left(\frac{p}{10000^{2i/d}}\right)",
    "sine-and-cosine-of-a-pair": "the sine and the odd column the cosine **of the same angle**.",
    "frequency-along-i": "As $i$ grows, the frequency falls and the wavelength grows.",
    "positions-never-seen": "The code is a fixed function, so it can be computed for any position.",
    "dot-product-of-two-positions": r"\cos a\cos b + \sin a\sin b = \cos(a-b)",
    "sums-in-another-order": "Attention by itself does not see their order",
    "divided-by-length": "one step means something different in every text.",
    "position-of-a-row": "Hand 0 comes round, hand 1 hardly moves.",
    "column-of-a-wider-table": "Pair $i$ fills columns $2i$ and $2i+1$, with one frequency",
    "columns-out-of-range": "the slow pairs are at angles that no training text showed",
    "position-with-the-same-product": r"The cosine is even: $\cos(-x) = \cos(x)$.",
    "row-of-a-faulty-table": "`np.arange(0, d, 2)` already is 0, 2, 4: that is $2i$, not $i$.",
}


def test_every_question_has_its_sentence() -> None:
    assert set(FIRST_LESSON) == set(QUIZZES["why-order-quiz"])
    quizzes = QUIZZES["sinusoidal-values-quiz"] + QUIZZES["test-your-understanding"]
    assert set(SECOND_LESSON) == set(quizzes)


@pytest.mark.parametrize(
    ("slug", "sentence"),
    [("why-order", sentence) for sentence in FIRST_LESSON.values()]
    + [("sinusoidal-values", sentence) for sentence in SECOND_LESSON.values()],
)
def test_sentence_is_on_the_path(slug: str, sentence: str) -> None:
    lesson = next(lesson for lesson in lessons() if lesson.slug == slug)
    assert any(flat(sentence) in flat(step.text) for step in path_of(lesson))


def test_captions_use_what_was_explained() -> None:
    """A parameter that a caption names was named in the text of this screen or an earlier one."""
    said, unexplained = "", []
    for slug in ("why-order", "sinusoidal-values"):
        lesson = next(lesson for lesson in lessons() if lesson.slug == slug)
        for step in path_of(lesson):
            for number, screen in enumerate(step.page.screens, start=1):
                texts = (part.html for part in screen.parts if isinstance(part, Prose))
                said += re.sub(r"<[^>]*>", "", " ".join([*texts, ""]))
                unexplained += [
                    f"{step.slug} {number}: {name}"
                    for block in screen.blocks
                    if block.kind in DRAWN
                    for name in parameters_in_caption(picture_of(block))
                    if not re.search(rf"\b{name}\b", said)
                ]
    assert unexplained == []


def parameters_in_caption(selection: Selection) -> list[str]:
    """Return the names of the encoding's parameters that stand in the caption of its picture."""
    caption = compute(selection).subtitle
    names = (field.name for field in fields(selection.encoding))
    return [name for name in names if re.search(rf"\b{name}\b", caption)]
