"""The numbers of the lesson "Sinusoidal: wavelengths"."""

import math

import numpy as np
from posenc.analysis import kept_by_mean
from posenc.catalog.sinusoidal import Sinusoidal

LESSON = "sinusoidal-wavelengths"
# Sizes of examples, bases, powers of ten.
CITED = {
    "512",
    "100",
    "256",
    "0.001",
    "0.01",
    "500\u202f000",
    "10\u202f000",
    "500 000",
    "10000",
    "0.5",
}


def said() -> dict[str, list[str]]:
    """Return the words of each step that carry numbers."""
    fifty = Sinusoidal(d_model=50)
    alias = 44 * 2 * math.pi / (44 - 14 * math.pi)
    assert 10_000 < alias < 20_000
    assert abs(float(kept_by_mean(fifty.inv_freq, 20)[0])) < 0.1
    assert 67 / fifty.wavelengths[0] > 10
    step = np.diff(fifty.table(512)[:, 48]).max()
    halves = np.linspace(1, 0.001, 25)
    assert abs(halves[12] - 0.5) < 0.01
    return {
        "inverse-frequencies": ["the middle pair would have a frequency of about 0.5"],
        "wavelengths": [
            "is about 19.”** Right, if 6 is a *column*",
            f"After {math.floor(fifty.wavelengths[0])} positions pair 0 is almost round",
        ],
        "band": [
            "from\npair 12 on",
            f"Two neighbours differ by about {step:.5f} in it",
        ],
        "full-period": [
            "44 positions are almost exactly 7\nturns",
            "a calm wave of more than ten thousand positions",
        ],
    }


SAID = said()
