"""Reference, yours and difference of one failing case, cropped around the worst cell.

Shapes: three float32 arrays of one shape (rows, columns), at most 64 x 64.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from quizzes.grader.judge.comparison import cell_errors
from quizzes.grader.protocol import wire

SIDE = 64
_BOUNDS = wire.Bounds(header=4096, body=3 * SIDE * SIDE * 4)
_LAYERS = ("reference", "yours", "difference")


@dataclass(frozen=True, eq=False)
class Picture:
    """Three arrays on one scale; (row0, column0) is where the crop starts, `worst` is absolute.

    `plane`: which of several (rows, columns) it is, (8,) for [8, :, :]; () where there is but one.
    """

    reference: npt.NDArray[np.float32]
    yours: npt.NDArray[np.float32]
    difference: npt.NDArray[np.float32]
    row0: int
    column0: int
    worst: tuple[int, int]
    plane: tuple[int, ...] = ()

    def to_bytes(self) -> bytes:
        """Return one wire frame, to be kept in a binary column."""
        header = {
            "row0": self.row0,
            "column0": self.column0,
            "worst": list(self.worst),
            "plane": list(self.plane),
        }
        return wire.encode(header, [(name, getattr(self, name)) for name in _LAYERS])

    @classmethod
    def from_bytes(cls, data: bytes) -> Picture:
        """Return the picture that `to_bytes` made; raises wire.BadFrame for anything else."""
        frame = wire.decode(data, _BOUNDS)
        if set(frame.arrays) != set(_LAYERS):
            raise wire.BadFrame("not the three layers of a picture")
        try:
            worst = frame.header["worst"]
            picture = cls(
                **frame.arrays,
                row0=int(frame.header["row0"]),
                column0=int(frame.header["column0"]),
                worst=(int(worst[0]), int(worst[1])),
                plane=tuple(map(int, frame.header.get("plane", ()))),  # older ones do not say
            )
        except (LookupError, TypeError, ValueError) as error:
            raise wire.BadFrame(f"not the places of a picture: {error}") from error
        picture._check()
        return picture

    def _check(self) -> None:
        """Raise BadFrame where the layers do not fit, or the worst cell is not in them."""
        shape = self.reference.shape
        rows, columns = self.worst[0] - self.row0, self.worst[1] - self.column0
        fits = len(shape) == 2 and 0 <= rows < shape[0] and 0 <= columns < shape[1]
        if not fits or self.yours.shape != shape or self.difference.shape != shape:
            raise wire.BadFrame("not three layers of one shape around the worst cell")


def crop_around_worst(expected: npt.NDArray[Any], got: npt.NDArray[Any]) -> Picture | None:
    """Return the picture of two arrays of one shape, (n,) or (..., rows, columns); None when empty.

    Of more than two dimensions, the plane with the worst cell is shown.
    """
    if expected.size == 0 or expected.shape != got.shape:
        return None
    reference, yours = _as_planes(expected), _as_planes(got)
    error = cell_errors(reference, yours)
    plane, row, column = (int(i) for i in np.unravel_index(np.argmax(error), error.shape))
    row0 = _window_start(row, reference.shape[1])
    column0 = _window_start(column, reference.shape[2])
    window = (plane, slice(row0, row0 + SIDE), slice(column0, column0 + SIDE))
    with np.errstate(over="ignore", invalid="ignore"):
        difference = np.where(error == 0, 0.0, yours - reference)  # the same infinity is none
        return Picture(
            reference=reference[window].astype(np.float32),
            yours=yours[window].astype(np.float32),
            difference=difference[window].astype(np.float32),
            row0=row0,
            column0=column0,
            worst=(row, column),
            plane=tuple(int(i) for i in np.unravel_index(plane, expected.shape[:-2])),
        )


def _as_planes(array: npt.NDArray[Any]) -> npt.NDArray[np.float64]:
    values = np.atleast_2d(array.real).astype(np.float64)  # complex where code lied about its dtype
    return values.reshape((-1, *values.shape[-2:]))


def _window_start(worst: int, length: int) -> int:
    return max(0, min(worst - SIDE // 2, length - SIDE))
