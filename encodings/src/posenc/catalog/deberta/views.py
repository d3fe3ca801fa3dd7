"""The views of DeBERTa's attention."""

from itertools import count

import numpy as np

from posenc.catalog.deberta.encoding import Deberta, deberta
from posenc.encoding import param
from posenc.number_format import distances_to, grouped
from posenc.pictures import curves
from posenc.views import ViewData


@deberta.view(
    "staircase",
    title="The row of the table against the distance",
    kind="curves",
    scale="category",
    along_x=("reach",),
    params={
        "reach": param(
            600, ge=1, le=100_000, slider=(16, 2500, 1), doc="farthest key on both sides"
        )
    },
)
def staircase(encoding: Deberta, *, reach: int) -> ViewData:
    """Return the row read for query - key = -reach .. reach, (1, 2 reach + 1)."""
    difference, last = np.arange(-reach, reach + 1), encoding.last_distances.tolist()
    near = _alone(encoding) - 1
    longest = f", longest distance {grouped(encoding.max_distance)}" if encoding.log_buckets else ""
    return curves(
        encoding.rows(difference).astype(np.float64)[None, :],
        difference.astype(np.float64),
        scale="category",
        x_label="query − key (T5 counts key − query)",
        y_label="row of the table",
        series=("row",),
        column_noun="query − key",
        title="A row for each near distance, shared rows for the far ones",
        subtitle=f"{2 * encoding.span} rows{longest}.",
        finding=f"{distances_to(near).capitalize()} a row each; earlier keys from distance"
        f" {grouped(last[-2] + 1)} on share row {2 * encoding.span - 1}, later ones from"
        f" {grouped(last[-1] + 1)} on row 0.",
        unit="row",
        summary={"own_row_up_to": near},
    )


def _alone(encoding: Deberta) -> int:
    """Return the number of distances, from 0 on, with a row of their own on both sides.

    The last bucket has none: an earlier key beyond it reads the same row.
    """
    last = set(encoding.last_distances[:-1].tolist())
    return next(distance for distance in count() if distance not in last)
