"""The numbers of the lesson "Why order must be put in"."""

from math import e, exp, factorial, sqrt

from quizzes.study.word_order import swapped_outputs

LESSON = "why-order"
CITED = {"101", "100"}


def said() -> dict[str, list[str]]:
    """Return the words of each step that carry numbers."""
    assert 3.5e6 < factorial(10) < 3.7e6
    query, keys = (1, 2, 0, 1), ((2, 1, 1, 0), (0, 1, 3, 0))
    products = [sum(q * k for q, k in zip(query, key, strict=True)) for key in keys]
    raised = [exp(product / sqrt(len(query))) for product in products]
    cat, sat = (one / sum(raised) for one in raised)
    return {
        "shuffled-sentence": ["more than three and a half million orders"],
        "what-attention-computes": [
            f"0·1 + 1·0 = {products[0]}",
            f"0·3 + 1·0 = {products[1]}",
            f"Raise $e \\approx {e:.2f}$ to each",
            f"That is {cat:.2f} for *cat* and {sat:.2f} for *sat*",
            f"{cat:.2f}·10 + {sat:.2f}·20 = {10 * cat + 20 * sat:.1f}",
        ],
        "ways-to-inject": [
            f"{max(float(one.plain_change) for one in swapped_outputs()):.2f} without the rows"
        ],
        "causal-mask": [f"\\approx {1 / 100 - 1 / 101:.4f}"],
    }


SAID = said()
