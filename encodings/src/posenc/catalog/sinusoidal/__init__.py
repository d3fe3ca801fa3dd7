"""The sinusoidal encoding and what can be drawn of it."""

from posenc.catalog.sinusoidal import views  # isort: skip  (its heatmap is the first view)
from posenc.catalog.sinusoidal import behind_a_row, full_period, precision, scales, waves
from posenc.catalog.sinusoidal.encoding import Sinusoidal, sinusoidal

__all__ = [
    "Sinusoidal",
    "behind_a_row",
    "full_period",
    "precision",
    "scales",
    "sinusoidal",
    "views",
    "waves",
]
