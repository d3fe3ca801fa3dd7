"""The numbers of the lesson "Sinusoidal: wavelengths"."""

import math
from typing import Literal

import numpy as np
from posenc.analysis import kept_by_mean
from posenc.catalog.sinusoidal import Sinusoidal

LESSON = "sinusoidal-wavelengths"
# Sizes of examples, bases, powers of ten.
CITED = {
    "128",
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
    assert (Sinusoidal(d_model=50, base=100).wavelengths > 512).sum() == 1
    step = np.diff(fifty.table(512)[:, 48]).max()
    halves = np.linspace(1, 0.001, 25)
    assert abs(halves[12] - 0.5) < 0.01
    apart = {d: np.abs(_table(d, "paper") - _table(d, "tensor2tensor")) for d in (512, 50)}
    assert apart[512][:20].max() < 0.03
    return {
        "inverse-frequencies": ["the middle pair would have a frequency of about 0.5"],
        "wavelengths": [
            "is about 19.”** Right, if 6 is a *column*",
            f"After {math.floor(fifty.wavelengths[0])} positions pair 0 has almost completed",
            f"with 50 columns pair 12 is at {2 * 12 / 50:.2f}",
        ],
        "band": [
            "from\npair 12 on",
            f"Two neighbours differ by about {step:.5f} in it",
        ],
        "full-period": [
            "44 positions are almost exactly 7\nturns",
            "a calm wave of more than ten thousand positions",
        ],
        "two-grids": [
            f"up to {apart[512].max():.1f} in a table of 512 positions and 512 columns",
            f"up to {apart[50].max():.1f} with 50 columns",
        ],
    }


def _table(d_model: int, grid: Literal["paper", "tensor2tensor"]) -> np.ndarray:
    return Sinusoidal(d_model=d_model, grid=grid).table(512)


SAID = said()
