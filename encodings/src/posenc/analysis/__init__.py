"""Numbers about encodings: pure functions of frequencies, tables and encodings.

Lessons and exercises quote them, views draw them. No function here draws or keeps anything.
"""

from posenc.analysis.extrapolation import (
    reach,
    shift_error,
    turns,
)
from posenc.analysis.rounding import cast_error, distinct_positions, rounded_to
from posenc.analysis.scores import score_by_distance
from posenc.analysis.uniqueness import Closest, closest_positions
from posenc.analysis.waves import (
    dot_products,
    kept_by_mean,
    mean_waves,
    rises,
    shift_matrix,
    sign_changes,
    wavelengths,
)

__all__ = [
    "Closest",
    "cast_error",
    "closest_positions",
    "distinct_positions",
    "dot_products",
    "kept_by_mean",
    "mean_waves",
    "reach",
    "rises",
    "rounded_to",
    "score_by_distance",
    "shift_error",
    "shift_matrix",
    "sign_changes",
    "turns",
    "wavelengths",
]
