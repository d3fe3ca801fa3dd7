"""The first and the last of positions, where torch lets their values be read."""

from collections.abc import Callable

from posenc.arrays import (
    Array,
    array_namespace,
    is_array,
    is_torch_array,
    outlives_the_call,
    size,
)

FARTHEST = 2.0**53  # beyond it float64 no longer counts in ones


def made_by_counting(positions: Array) -> Array:
    """Return a tensor of positions 0, 1, 2 ..., marked so that no function reads their values.

    Writing to the tensor in place ends the mark, except where torch only traces. It must not be a
    tensor of inference mode, in which torch does not count the writes.
    """
    positions.counts_from_zero = True if is_traced() else positions._version
    return positions


def counts_from_zero(positions: object) -> bool:
    """Return whether positions are marked as 0, 1, 2 ...; no array but a tensor can be."""
    mark = getattr(positions, "counts_from_zero", None)
    if mark is None:
        return False
    if is_traced():
        return mark is True
    tensor: Array = positions
    return mark is not True and bool(mark == tensor._version)


def lowest_and_highest(positions: Array) -> tuple[float, ...] | None:
    """Return the ends of positions, not empty; None where torch only traces.

    A compiled or exported graph, a tensor on the meta device and a tensor of vmap have no values.
    """
    if counts_from_zero(positions):
        return 0, positions.shape[-1] - 1
    xp = array_namespace(positions)
    return _looked_at(positions, lambda array: (xp.min(array), xp.max(array)))


def first_and_last(ascending: Array) -> tuple[float, ...] | None:
    """Return the ends of numbers in ascending order, not empty; None where torch only traces."""
    return _looked_at(ascending, lambda array: (array[0], array[-1]))


def known_to_ascend(positions: Array) -> bool:
    """Return whether positions (L,) are known never to fall from one token to the next."""
    if counts_from_zero(positions):
        return True
    xp = array_namespace(positions)
    if positions.ndim != 1:
        return False
    seen = _looked_at(positions, lambda array: (xp.all(array[1:] >= array[:-1]),))
    return seen == (1.0,)


def _looked_at(
    array: Array, values: Callable[[Array], tuple[Array, ...]]
) -> tuple[float, ...] | None:
    if is_torch_array(array) and is_traced():
        return None
    try:
        return tuple(float(value) for value in values(array))
    except RuntimeError as error:
        if _has_no_values(array):
            return None
        if not isinstance(error, NotImplementedError):
            raise
    # Torch compares no unsigned numbers of over 8 bits and no floating-point numbers of 8.
    return tuple(float(value) for value in values(array.cpu().double()))


def _has_no_values(tensor: Array) -> bool:
    """Return whether a tensor only has a shape, stands for other tensors, or is recorded."""
    from torch.fx.experimental.proxy_tensor import get_proxy_mode  # of make_fx

    recorded = get_proxy_mode() is not None
    return tensor.is_meta or recorded or not outlives_the_call(tensor)


def is_traced() -> bool:
    """Return whether torch records operations on its tensors, to run them later."""
    import torch  # already loaded: the caller has its tensors

    return torch.compiler.is_compiling()


def ends_of_a_row(positions: object) -> tuple[int, int] | None:
    """Return the first and last of p, p+1, p+2 ..., None for any other positions.

    For consecutive tokens every diagonal of the pairs is one value.
    """
    if not is_array(positions):
        return None
    given: Array = positions
    if counts_from_zero(given):
        return (0, given.shape[0] - 1) if given.shape[0] else None
    integral = array_namespace(given).isdtype(given.dtype, "integral")
    if given.ndim != 1 or not integral or not size(given):
        return None
    row = _in_numpy(given)  # torch compares slowly
    if row is None:
        return None
    first, last = int(row[0]), int(row[-1])
    if last - first != row.shape[0] - 1 or max(-first, last) > FARTHEST:
        return None
    return (first, last) if (row[1:] > row[:-1]).all() else None


def _in_numpy(array: Array) -> Array | None:
    """Return the numbers in numpy's hands, None for a tensor without values of its own."""
    if not is_torch_array(array):
        return array
    if is_traced():
        return None
    try:
        return array.cpu().numpy()
    except RuntimeError:  # tensors of torch.func stand for other tensors
        return None
