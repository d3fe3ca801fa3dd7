"""The numbers of the reference."""

from math import e

from posenc.catalog.sinusoidal import Sinusoidal

LESSON = "reference"
CITED: set[str] = set()
SAID = {
    "notation": [
        f"the number {e:.2f}, which softmax raises",
        f"{e:.2f} is raised to each score",
        f"sets the slowest frequency, {Sinusoidal(2).base:.0f} in the paper",
    ]
}
