"""Programs that the lab may begin with: each is short, runs, and shows something else."""

from typing import NamedTuple


class Start(NamedTuple):
    """A program `f(n, d)`: its name in addresses, its title, its text."""

    slug: str
    title: str
    code: str


SINUSOIDAL = Start(
    "sinusoidal",
    "Sines and cosines",
    """import numpy as np


def f(n, d):
    \"\"\"Return the code of each position, (n, d): sines and cosines.\"\"\"
    positions = np.arange(n)[:, None]
    pairs = np.arange(d) // 2
    angles = positions / 10000 ** (2 * pairs / d)
    return np.where(np.arange(d) % 2 == 0, np.sin(angles), np.cos(angles))
""",
)
BINARY = Start(
    "binary",
    "Binary digits",
    """import numpy as np


def f(n, d):
    \"\"\"Return the binary digits of each position, (n, d), as -1 and 1.\"\"\"
    digits = np.arange(n)[:, None] >> np.arange(d) % 16 & 1
    return 2.0 * digits - 1
""",
)
RANDOM = Start(
    "random",
    "Random directions",
    """import numpy as np


def f(n, d):
    \"\"\"Return a random direction for each position, (n, d).\"\"\"
    return np.random.default_rng(0).normal(size=(n, d)) / np.sqrt(d)
""",
)
STARTS = (SINUSOIDAL, BINARY, RANDOM)


def start_named(slug: str) -> Start | None:
    """Return a starting point, None for a name that none has."""
    return next((start for start in STARTS if start.slug == slug), None)
