"""The ends of positions: where they begin and end, if that can be looked at."""

from posenc.arrays import array_namespace, is_array_api_obj, is_torch_array, size
from posenc.encoding import Array

FARTHEST = 2.0**53  # beyond it float64 no longer counts in ones


def made_by_counting(positions: Array) -> Array:
    """Return the positions 0, 1, 2 ..., marked as such: nobody need look at their values."""
    positions.counts_from_zero = True
    return positions


def counts_from_zero(positions: object) -> bool:
    """Return whether positions are marked as 0, 1, 2 ...; no array but a tensor can be."""
    return getattr(positions, "counts_from_zero", False) is True


def ends_of_a_row(positions: object) -> tuple[int, int] | None:
    """Return the first and last of p, p+1, p+2 ..., None for whatever else is given.

    For such tokens every diagonal of the pairs is one value.
    """
    if not is_array_api_obj(positions):
        return None
    given: Array = positions
    integral = array_namespace(given).isdtype(given.dtype, "integral")
    if given.ndim != 1 or not integral or not size(given):
        return None
    if counts_from_zero(given):
        return 0, given.shape[0] - 1
    row = _in_numpy(given)  # torch compares slowly
    if row is None:
        return None
    first, last = int(row[0]), int(row[-1])
    if last - first != row.shape[0] - 1 or max(-first, last) > FARTHEST:
        return None
    return (first, last) if (row[1:] > row[:-1]).all() else None


def _in_numpy(given: Array) -> Array | None:
    """Return the numbers in numpy's hands, None for a tensor without memory of its own."""
    if not is_torch_array(given):
        return given
    try:
        return given.cpu().numpy()
    except RuntimeError:  # torch.func hands on tensors that stand for others
        return None
