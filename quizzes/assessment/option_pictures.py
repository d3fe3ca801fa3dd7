"""Pictures as options: values between -1 and 1 drawn in the colours of every figure here."""

import base64
from typing import Any

import numpy as np
from posenc.figures.palettes import RDBU_R
from posenc.figures.png import palette_png

MAX_SIDE = 64


def picture_of(rows: Any) -> str:
    """Return the heatmap of values (rows, columns) in [-1, 1] as a PNG in base 64.

    Raises ValueError in the author's words.
    """
    try:
        values = np.asarray(rows, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise ValueError("picture: expected rows of numbers, all of one length") from error
    if values.ndim != 2 or not all(2 <= side <= MAX_SIDE for side in values.shape):
        raise ValueError(
            f"picture: shape {values.shape}: expected 2 to {MAX_SIDE} rows and columns"
        )
    if not np.all(np.abs(values) <= 1 + 1e-9):
        raise ValueError("picture: values must lie between -1 and 1")
    indices = np.clip(np.floor((values + 1) * 128), 0, 255).astype(np.uint8)
    return base64.b64encode(palette_png(indices, RDBU_R)).decode()
