"""The numbers of the lesson "Myths and bugs"."""

import math

import numpy as np

LESSON = "myths"
# Sizes of examples and places in a text.
CITED = {"512", "1000", "100", "510", "200", "5000", "2000", "128", "2048", "2049", "10000"}
CITED |= {"100\u202f000", "10\u202f000", "2023"}


def said() -> dict[str, list[str]]:
    """Return the words of each step that carry numbers."""
    code, word = math.sqrt(512 / 2), 0.02 * math.sqrt(512)
    without_pi = 2 * 10 ** (12 / 25)
    assert math.isclose(without_pi * math.pi, 2 * math.pi * 10_000 ** (2 * 3 / 50))
    divided = 2 * math.pi / 10_000
    _look_at_periods()
    _look_at_single_columns()
    _look_at_both_directions()
    return {
        "order-and-sets": [f"the code is {code / word:.0f} times as long as the word"],
        "waves-and-bases": [
            f"is {without_pi:.2f}: the",
            f"2\\pi / 10000 \\approx {divided:.4f}$: about {round(1 / divided, -2):.0f} turns",
        ],
    }


def _look_at_periods() -> None:
    """A column comes back after 2 pi times its divisor, and not after 2 pi over it."""
    for divisor in (10_000 ** (2 * pair / 8) for pair in range(1, 4)):
        places = np.linspace(0, 50, 7)
        column = np.sin(places / divisor)
        assert np.allclose(np.sin((places + 2 * math.pi * divisor) / divisor), column)
        divided = np.sin((places + 2 * math.pi / divisor) / divisor)
        assert not np.allclose(divided, column, atol=1e-6)


def _look_at_single_columns() -> None:
    """Products of one column depend on the place; those of a pair on the offset alone."""
    p, q, rate = np.array([7, 13, 40]), np.array([4, 10, 37]), 0.3
    near, far = np.cos((p - q) * rate) / 2, np.cos((p + q) * rate) / 2
    sines, cosines = (of(p * rate) * of(q * rate) for of in (np.sin, np.cos))
    assert np.allclose(sines, near - far)
    assert np.allclose(cosines, near + far)
    assert np.ptp(sines) > 0.1
    assert np.ptp(cosines) > 0.1
    assert np.ptp(sines + cosines) < 1e-12


def _look_at_both_directions() -> None:
    """The matrix with its minus below turns a row as the formula does, and a column back."""
    c, s, x = math.cos(0.7), math.sin(0.7), np.array([2.0, 3.0])
    matrix = np.array([[c, s], [-s, c]])
    forth = (2 + 3j) * np.exp(0.7j)
    assert np.allclose(x @ matrix, [2 * c - 3 * s, 2 * s + 3 * c])
    assert np.allclose(x @ matrix, [forth.real, forth.imag])
    assert np.allclose(matrix @ (x @ matrix), x)


SAID = said()
