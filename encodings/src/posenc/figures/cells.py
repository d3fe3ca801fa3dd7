"""From values to pixels: palette indices, and means where cells outnumber pixels."""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from posenc.column_kinds import kind_starts
from posenc.views import Limits, ViewData

Values = npt.NDArray[np.float64]


def colour_shares(values: Values, limits: Limits, bend: float = 0.0) -> Values:
    """Return the place of each value on the colour scale: 0 at the low end, 1 at the high."""
    low, high = limits
    if bend:
        return np.asarray(np.log1p((values - low) / bend) / np.log1p((high - low) / bend))
    return (values - low) / (high - low)


def colour_indices(values: Values, limits: Limits, bend: float = 0.0) -> npt.NDArray[np.uint8]:
    """Return the palette index of each value: 256 equal steps from low to high, ends included.

    A cell without a number (NaN) gets the index of the low end, and is covered later.
    """
    values = np.where(np.isnan(values), limits[0], values)
    steps = np.floor(colour_shares(values, limits, bend) * 256)
    return np.clip(steps, 0, 255).astype(np.uint8)


def cells_drawn(view_data: ViewData, width: float, height: float) -> tuple[Values, str]:
    """Return the cells of a heatmap, at most one for each px, and a note about their meaning."""
    is_category = view_data.scale == "category"
    return one_pixel_or_more(
        view_data.values, width, height, kinds=view_data.kinds, mean=not is_category
    )


def one_pixel_or_more(
    values: Values, width: float, height: float, *, kinds: Sequence[str] = (), mean: bool = True
) -> tuple[Values, str]:
    """Return values with at most one cell a px, means of neighbours, and a note that says so.

    A column is never averaged with one of another kind. Categories have no mean: one of the
    neighbours stands for all.
    """
    notes = []
    for axis, pixels, noun in ((1, int(width), "column"), (0, int(height), "row")):
        count = values.shape[axis]
        if count > pixels:
            starts = _column_starts(count, pixels, kinds) if axis else _row_starts(count, pixels)
            sizes = np.diff(np.append(starts, count))
            if mean:
                sums = np.add.reduceat(values, starts, axis=axis)
                values = sums / (sizes if axis else sizes[:, None])
            else:
                values = np.take(values, starts + sizes // 2, axis=axis)
            notes.append(_note(noun, int(sizes.min()), int(sizes.max()), mean=mean, even=not axis))
    return values, " ".join(notes)


def _row_starts(count: int, pixels: int) -> npt.NDArray[np.int64]:
    """Return the first row of each row of pixels, all of which stand for equally many."""
    return np.arange(0, count, -(-count // pixels))


def _column_starts(count: int, pixels: int, kinds: Sequence[str]) -> npt.NDArray[np.int64]:
    """Return the first column behind each of `pixels` px: those whose middle is in that px.

    So a plot is as wide for 700 columns as for 1000. Where two kinds meet within a px, it is left
    to the one that has more of it.
    """
    ends = -((pixels - 2 * count * np.arange(pixels + 1)) // (2 * pixels))
    for meeting in kind_starts(tuple(kinds)):
        pixel = int(np.searchsorted(ends, meeting, side="right")) - 1
        left, right = meeting - ends[pixel], ends[pixel + 1] - meeting
        if left:
            ends[pixel + 1 if left >= right and pixel + 1 < pixels else pixel] = meeting
    return np.asarray(ends[:-1], dtype=np.int64)


def _note(noun: str, least: int, most: int, *, mean: bool, even: bool) -> str:
    if not mean:
        return f"Each {noun} of pixels is one of {most} {noun}s."
    if even or least == most:
        return f"Each {noun} of pixels is the mean of {most} {noun}s."
    if least == 1:
        return f"Some {noun}s are drawn together: a {noun} of pixels is the mean of at most {most}."
    return f"Each {noun} of pixels is the mean of {least} to {most} {noun}s."
