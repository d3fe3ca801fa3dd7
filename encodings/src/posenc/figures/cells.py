"""From values to what is shown: palette indices, and means where cells outnumber pixels."""

import numpy as np
import numpy.typing as npt

from posenc.views import Limits

Values = npt.NDArray[np.float64]


def colour_indices(values: Values, limits: Limits) -> npt.NDArray[np.uint8]:
    """Return the palette index of each value: 256 equal steps from low to high, ends included."""
    low, high = limits
    steps = np.floor((values - low) * (256 / (high - low)))
    return np.clip(steps, 0, 255).astype(np.uint8)


def one_pixel_or_more(values: Values, width: float, height: float) -> tuple[Values, str]:
    """Return values with at most one cell a px, means of neighbours, and a note that says so."""
    notes = []
    for axis, pixels, noun in ((1, width, "column"), (0, height, "row")):
        count = values.shape[axis]
        if count > pixels:
            behind = -(-count // int(pixels))
            starts = np.arange(0, count, behind)
            sizes = np.diff(np.append(starts, count))
            sums = np.add.reduceat(values, starts, axis=axis)
            values = sums / (sizes if axis else sizes[:, None])
            notes.append(f"Each {noun} of pixels is the mean of {behind} {noun}s.")
    return values, " ".join(notes)
