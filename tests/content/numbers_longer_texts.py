"""The numbers of the lesson "Longer texts than in training"."""

import numpy as np
from posenc.catalog.rope import Rope

LESSON = "longer-texts"
# Lengths of examples and those the papers report.
CITED = {"2048", "8192", "8191", "2047", "128", "300", "5000", "1000", "32\u202f768", "10\u202f000"}
CITED |= {"2047.75", "1.25", "157"}  # 157 is printed by the listing
# Chen et al., section 3.2, table 3: perplexity of 7B without training at 8192 and at 16 384 tokens.
CITED |= {"16.1", "112", "16\u202f384"}
CITED |= {"1024", "4096", "999", "500\u202f000", "131\u202f072"}  # settings of Llama 3.1


def said() -> dict[str, list[str]]:
    """Return the words of each step that carry numbers."""
    inv_freq = Rope(head_dim=128).inv_freq
    first = int(np.argmax(2048 * inv_freq < 2 * np.pi))
    near, squeezed = (1 - np.mean(np.cos(inv_freq / factor)) for factor in (1, 4))
    assert 14 < near / squeezed < 16
    return {
        "position-interpolation": [f"0 to {8191 / 4:.2f}", f"Position 5 becomes {5 / 4}"],
        "measured-here": [
            "three models",
            "Two layers, 600 steps, three random beginnings",
            "same 32 bytes",
            "or the last 128, 256 or 512",
        ],
        "ntk-aware": [f"Pair {first} is the first that never finished a turn in 2048 tokens"],
    }


SAID = said()
