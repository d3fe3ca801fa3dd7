"""The numbers of the lesson "One attention, by hand"."""

from math import exp, log, sqrt

import numpy as np

COURSE = "attention-from-scratch"
LESSON = "attention-by-hand"
CITED = {"2014"}  # a year


def said() -> dict[str, list[str]]:
    """Return the words of each step that carry numbers."""
    weights, values = (0.5, 0.3, 0.2), (10, 20, 40)
    mean = sum(weight * value for weight, value in zip(weights, values, strict=True))
    query, keys = (2, 0, 1, 1), ((1, 1, 2, 0), (0, 3, 0, 2), (-1, 2, 1, 1))
    products = [sum(q * k for q, k in zip(query, key, strict=True)) for key in keys]
    scores = [product / sqrt(len(query)) for product in products]
    assert scores == [2, 1, 0]
    powers = [exp(score) for score in scores]
    first, second, third = (power / sum(powers) for power in powers)
    right = [power / sum(powers[1:]) for power in powers[1:]]
    tops = {dtype: log(np.finfo(dtype).max) for dtype in ("float64", "float32", "float16")}
    overflow = {dtype: int(top) + 1 for dtype, top in tops.items()}  # the first whole exponent
    assert np.exp(-2000.0) == np.exp(-1000.0) == 0
    assert abs(_largest_of_many(256) - 1 / 16) < 0.02
    return {
        "query-key-value": [f"0.2 \\cdot 40 = {mean:.0f}"],
        "scaled-scores": [
            *(
                f"| key {row} | {', '.join(map(_signed, key))} | {product} | {score:.0f} |"
                for row, (key, product, score) in enumerate(
                    zip(keys, products, scores, strict=True)
                )
            ),
            f"At $w = 0.5$ it is {0.5 * 0.5}. At $w = 0.999$ it is about {0.999 * 0.001:.3f}",
            "nearly the same weight when $D$ is large, about\n$1/16$",
        ],
        "stable-softmax": [
            f"is {sum(powers):.2f}, so the weights are {first:.2f}, {second:.2f} and {third:.2f}",
            f"about ${np.finfo(float).max / 1e308:.1f} \\times 10^{{308}}$",
            f"and $e^{{{overflow['float64']}}}$ is larger",
            f"comes at $e^{{{overflow['float32']}}}$",
            f"float16 at $e^{{{overflow['float16']}}}$",
            "scores\nare about 2000 below, and $e^{-2000}$ is 0",
        ],
        "hiding-keys": [
            f"weights should be 0, {right[0]:.2f} and {right[1]:.2f}",
            f"keeps a weight: {1 / (1 + powers[1] + powers[2]):.2f}",
            f"keep {second:.2f} and {third:.2f}, which add up to {second + third:.2f}",
            "score is 1000 larger",
        ],
    }


def _signed(number: int) -> str:
    return f"{number}".replace("-", "−")


def _largest_of_many(columns: int) -> float:
    """Return the largest of 16 weights, on average, where dot products are divided by D."""
    rng = np.random.default_rng(1)
    q, k = rng.standard_normal((500, 1, columns)), rng.standard_normal((500, 16, columns))
    raised = np.exp((q * k).sum(axis=-1) / columns)
    return float((raised / raised.sum(axis=-1, keepdims=True)).max(axis=-1).mean())


SAID = said()
