"""From values to what is shown: palette indices, and means where cells outnumber pixels."""

import numpy as np
import numpy.typing as npt

from posenc.views import Limits

Values = npt.NDArray[np.float64]


def colour_shares(values: Values, limits: Limits, bend: float = 0.0) -> Values:
    """Return how far along the colour scale each value stands: 0 at the low end, 1 at the high."""
    low, high = limits
    if bend:
        return np.asarray(np.log1p((values - low) / bend) / np.log1p((high - low) / bend))
    return (values - low) / (high - low)


def colour_indices(values: Values, limits: Limits, bend: float = 0.0) -> npt.NDArray[np.uint8]:
    """Return the palette index of each value: 256 equal steps from low to high, ends included.

    A cell without a number (NaN) gets that of the low end, to be covered.
    """
    values = np.where(np.isnan(values), limits[0], values)
    steps = np.floor(colour_shares(values, limits, bend) * 256)
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
