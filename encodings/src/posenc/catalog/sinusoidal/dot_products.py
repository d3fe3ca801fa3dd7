"""The dot product of two codes of the sinusoidal encoding, against their offset."""

import numpy as np
import numpy.typing as npt

from posenc.catalog.sinusoidal.encoding import Sinusoidal, sinusoidal
from posenc.encoding import param
from posenc.number_format import grouped, rounded
from posenc.views import Between, ViewData, end_axis, number_axis, require_few

DENSE = 300  # offsets, beyond which straight lines from one to the next are finer than a pixel


@sinusoidal.view(
    "dot-products",
    title="Dot products against the offset",
    kind="curves",
    scale="signed_unit",
    along_x=("offsets",),
    params={
        "offsets": param(200, ge=1, le=100_000, slider=(20, 1000, 10), doc="largest offset"),
        "position": param(
            0, ge=0, le=2**40, slider=(0, 5000, 1), doc="position the offsets start from"
        ),
    },
    in_page="sinusoidal/dot-products.js",
    in_page_cells=1_100_000,
)
def dot_products(encoding: Sinusoidal, *, offsets: int, position: int) -> ViewData:
    """Return PE(p) . PE(p + k) for the offsets k = 0 .. offsets, (1, offsets + 1)."""
    require_few("offsets", offsets, each=encoding.d_model, setting=f"d_model={encoding.d_model}")
    products = _products(encoding, position, offsets)
    between = _between(encoding, offsets)
    low = min(0.0, float(products.min()), float(between.values.min()) if between else 0.0)
    high = float(products[0])
    base = grouped(encoding.base)
    return ViewData(
        kind="curves",
        scale="signed_unit",
        values=products[None, :],
        x=end_axis("offset k", offsets, values=np.arange(offsets + 1.0)),
        y=number_axis("PE(p) · PE(p + k)", low, high),
        limits=(low, high),
        title="The dot product of two codes depends on their offset alone"
        if encoding.d_model % 2 == 0
        else "One sine without its cosine: the dot product depends on the position too",
        subtitle=f"From position {grouped(position)}, d_model {encoding.d_model}, base {base}.",
        finding=_falls_and_rises(encoding, position, products),
        series=(f"p = {grouped(position)}",),
        between=between,
        row_noun="product",
        row_names=(f"p = {position}",),
        column_noun="offset",
        column_names=tuple(str(offset) for offset in range(offsets + 1)),
        summary={"rises_at": _first_rise(products), "highest": float(products[0])},
    )


def _products(encoding: Sinusoidal, position: int, offsets: int) -> npt.NDArray[np.float64]:
    """Return PE(p) . PE(p + k) for k = 0 .. offsets, from the codes themselves."""
    codes = encoding.table(offsets + 1, start=position)
    products: npt.NDArray[np.float64] = codes @ codes[0]
    return products


def _between(encoding: Sinusoidal, offsets: int) -> Between | None:
    """Return the curve between whole offsets: the sum of cos(k * inv_freq) over the pairs."""
    if offsets > DENSE or encoding.d_model % 2:  # with an odd d_model it depends on the position
        return None
    fine = np.linspace(0, offsets, 4 * offsets + 1)
    return Between(fine, np.cos(fine[:, None] * encoding.inv_freq).sum(axis=1)[None, :])


def _first_rise(products: npt.NDArray[np.float64]) -> int:
    """Return the first offset whose product is larger than the one before; -1 for none."""
    rises = np.flatnonzero(np.diff(products) > 0)
    return int(rises[0]) + 1 if rises.size else -1


def _falls_and_rises(encoding: Sinusoidal, position: int, products: npt.NDArray[np.float64]) -> str:
    """Return the curve's start and first rise, and how little it depends on the position."""
    other = 0 if position >= 1000 else position + 1000
    elsewhere = _products(encoding, other, len(products) - 1)
    apart = rounded(float(np.abs(products - elsewhere).max()), 1)
    rise = _first_rise(products)
    start = f"It starts at {rounded(float(products[0]))}"
    course = f"{start} and first rises at offset {rise}" if rise > 0 else f"{start} and never rises"
    least = f"{course}; from position {grouped(other)} it differs by at most {apart}"
    return f"{least}, which is rounding." if encoding.d_model % 2 == 0 else f"{least}."
