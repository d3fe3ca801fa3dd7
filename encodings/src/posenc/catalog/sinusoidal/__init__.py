"""The sinusoidal encoding and its views."""

from posenc.catalog.sinusoidal import heatmap, dot_products  # isort: skip  (the first views)
from posenc.catalog.sinusoidal import (
    behind_a_row,
    bits,
    full_period,
    hands,
    precision,
    scales,
    waves,
)

from posenc.catalog.sinusoidal import arrows  # isort: skip  (the last view)
from posenc.catalog.sinusoidal.encoding import Sinusoidal, sinusoidal

__all__ = [
    "Sinusoidal",
    "arrows",
    "behind_a_row",
    "bits",
    "dot_products",
    "full_period",
    "hands",
    "heatmap",
    "precision",
    "scales",
    "sinusoidal",
    "waves",
]
