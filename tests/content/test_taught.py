"""The paths of lessons 1 and 2 teach what the three quizzes about them ask."""

import pytest

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
    "why-add-not-append": "the first number to the first, the second to the second.",
    "row-zero": "An angle of 0 has the sine 0 and the cosine 1.",
    "which-paper": "The paper that introduced the transformer, *Attention Is All You Need* (2017)",
    "the-sinusoidal-formula": r"\mathrm{PE}(p,\,2i) &= \sin\!\left(\frac{p}{10000^{2i/d}}\right)",
    "value-of-a-cell": r"\mathrm{PE}(p,\,2i+1) &= \cos\!\left(\frac{p}{10000^{2i/d}}\right)",
    "sine-and-cosine-of-a-pair": "the sine and the odd column the cosine **of the same angle**.",
    "pair-of-column": "Pair $i$ fills columns $2i$ and $2i+1$, with one frequency for both.",
    "frequency-along-i": "As $i$ grows, the frequency falls and the wavelength grows.",
    "which-column-is-slow": "The last columns hardly move.",
    "positions-never-seen": "The code is a fixed function, so it can be computed for any position.",
    "beyond-training": "It has never worked with any other.",
    "same-offset": "**The dot product of two codes depends on their offset and on nothing else.**",
    "dot-product-of-two-positions": r"\cos a\cos b + \sin a\sin b = \cos(a-b)",
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
