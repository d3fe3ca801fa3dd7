"""The numbers of the lesson "Sinusoidal: the values"."""

import math

import numpy as np
from posenc.catalog.sinusoidal import Sinusoidal
from posenc.number_format import grouped

from tests.content.said import first_rise, signed

LESSON = "sinusoidal-values"
# Years, sections, results of a paper, examples of sizes.
CITED = {"2017", "2018", "4.92", "25.7", "25.8", "3.5", "599", "600", "500", "511", "512", "900"}
CITED |= {"10000", "10\u202f000", "5\u202f000", "2.5", "100"}


def wavelengths(d_model: int, base: float = 10_000.0) -> np.ndarray:
    return Sinusoidal(d_model=d_model, base=base).wavelengths


def table(length: int, d_model: int) -> np.ndarray:
    return Sinusoidal(d_model=d_model).table(length)


def dots(d_model: int) -> np.ndarray:
    """Return the dot product of the codes of 0 and k, for k = 0 .. 199."""
    codes = table(200, d_model)
    return codes @ codes[0]


def said() -> dict[str, list[str]]:
    """Return the words of each step that carry numbers."""
    codes, fifty = table(5, 4), table(20, 50)
    rows = [
        f"| {p} | " + " | ".join(signed(value, 4) for value in codes[p]) + " |" for p in (1, 2, 3)
    ]
    falls, halved, slow = dots(512), Sinusoidal(d_model=8, base=16), Sinusoidal(d_model=8)
    waves = [column for column in range(36, 50, 4) if wavelengths(50)[column // 2] <= 5000]
    turned = int(np.sum(wavelengths(128) <= 511))
    return {
        "adding-a-vector": [
            "| 1 | " + ", ".join(signed(value, 2) for value in codes[1]) + " |",
            "| 4 | " + ", ".join(signed(value, 2) for value in codes[4]) + " |",
        ],
        "the-formula": [
            *rows,
            f"2\\pi \\approx {2 * math.pi:.2f}",
            f"at $\\pi \\approx {math.pi:.2f}$ radians",
            "find the divisors "
            + ", ".join(f"{1 / w:.0f}" for w in Sinusoidal(d_model=8).inv_freq[:3])
            + f" and {1 / Sinusoidal(d_model=8).inv_freq[3]:.0f}",
            f"and hand 1 by {Sinusoidal(d_model=4).inv_freq[1]:g}\nradian",
        ],
        "counting-in-binary": [
            f"pair 1 after {halved.wavelengths[1]:.2f}: $\\pi$ times as many",
            f"a sine of {math.sin(0.5):.2f} may be rising, at 0.5 radian, or falling, at"
            f" {math.pi - 0.5:.2f}.",
            f"and pair 3 by {np.ptp(slow.table(16)[:, 6]):.3f} at most.",
            f"At position 25, hand 0 has turned {25 / halved.wavelengths[0]:.2f} times,",
        ],
        "frequencies": [
            f"With 50 columns, pairs 0 to {np.sum(wavelengths(50) <= 64) - 1} complete a turn in 64"
            " tokens.",
            f"Pair 0 always has the wavelength {wavelengths(50)[0]:.2f}.",
        ],
        "seeing-it": [
            f"only column {' and '.join(map(str, waves))} completes a wave",
            f"Its wavelength is {wavelengths(50)[0]:.2f} rows",
            f"column 48 only reaches {table(512, 50)[:, 48].max():.2f}",
            f"It begins at {fifty[0, 48]:.4f} and ends at {fifty[19, 48]:.4f} in row 19",
            f"Its wavelength is {grouped(round(wavelengths(50)[-1]))} positions",
            f"every {wavelengths(50, 100)[-1]:.0f} positions, not every"
            f" {grouped(round(wavelengths(50)[-1]))}",
        ],
        "dot-products": [
            f"adds up {len(wavelengths(16))} waves",
            f"Of {len(wavelengths(512))} waves",
            f"\\sqrt{{{512 // 2}}} = {np.linalg.norm(table(1, 512)[0]):.0f}",
            f"until offset {first_rise(falls) - 1} and rise at {first_rise(falls)}",
            f"from {falls[first_rise(falls) - 1]:.3f} to\n{falls[first_rise(falls)]:.3f}",
        ],
        "widths-and-bases": [
            "2\\pi\\cdot 10000 \\approx " + f"{2 * math.pi * 10000:,.0f}".replace(",", "\\,"),
            f"For $d = 512$ the last wavelength is {grouped(round(wavelengths(512)[-1]))}",
            f"$d = 50$ it is {grouped(round(wavelengths(50)[-1]))}",
            f"for $d = 4$ only {wavelengths(4)[-1]:.0f}",
            f"about {grouped(round(_tensor2tensor_last()))}",
            f"There are now {len(wavelengths(512))} pairs between",
        ],
        "never-seen-positions": [
            f"$d = 128$, {turned} of the {len(wavelengths(128))} pairs",
            f"The other {len(wavelengths(128)) - turned} have shown",
        ],
    }


def _tensor2tensor_last() -> float:
    return float(Sinusoidal(d_model=512, grid="tensor2tensor").wavelengths[-1])


SAID = said()
