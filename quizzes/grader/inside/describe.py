"""Describing what a student's code returned: arrays as arrays, anything else by its kind.

Nothing is refused here. What cannot travel is described, and the judge outside finds the words.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sized
from functools import cache
from typing import Any

import numpy as np

from quizzes.grader.wire import can_carry

MAX_LEAVES = 64
MAX_DEPTH = 4
MAX_ARRAY_BYTES = 8 << 20
MAX_NAME = 60

_OTHER_KINDS = ((type(None), "none"), ((str, bytes), "text"), ((list, tuple), "list"))

Entry = dict[str, Any]
Leaf = tuple[Entry, Any]  # the description, and the numpy array or None


def describe(key: str, value: Any) -> list[Leaf]:
    """The leaves of a result: `out`, or `out.0`, `out.1` ... for a sequence, `out.key` for a dict.

    A sequence with more than MAX_LEAVES leaves, or too deep, is one leaf of its own kind.
    """
    if isinstance(value, np.ndarray) or is_tensor(value):
        return [_leaf(key, value)]
    try:
        leaves: list[Leaf] = []
        for leaf in _walk(key, value, 0):
            leaves.append(leaf)
            if len(leaves) > MAX_LEAVES:
                raise OverflowError
    except OverflowError:
        return [_without_array(key, "nested", value, length=_length(value))]
    return leaves


def is_tensor(value: Any) -> bool:
    """Whether it is a torch tensor, without importing torch."""
    torch = sys.modules.get("torch")
    return torch is not None and isinstance(value, torch.Tensor)


def _walk(key: str, value: Any, depth: int) -> Iterator[Leaf]:
    if isinstance(value, list | tuple) and _holds_arrays(value):
        items = [(str(place), item) for place, item in enumerate(value)]
    elif isinstance(value, dict) and value:
        items = [(str(name)[:MAX_NAME], item) for name, item in value.items()]
    else:
        yield _leaf(key, value)
        return
    if depth >= MAX_DEPTH or len(items) > MAX_LEAVES:
        raise OverflowError
    for name, item in items:
        yield from _walk(f"{key}.{name}", item, depth + 1)


def _holds_arrays(sequence: list[Any] | tuple[Any, ...]) -> bool:
    """A list of lists of numbers is one result of the wrong kind, not many results."""
    return any(isinstance(item, np.ndarray) or is_tensor(item) for item in sequence)


def _leaf(key: str, value: Any) -> Leaf:
    if isinstance(value, np.ndarray):
        return _array_leaf(key, "array", value, _name_of(value.dtype))
    if is_tensor(value):
        return _tensor_leaf(key, value)
    if isinstance(value, np.generic):
        return _array_leaf(key, "number", value, _name_of(value.dtype))
    if isinstance(value, bool | int | float | complex):
        return _array_leaf(key, "number", value, type(value).__name__)
    for kinds, kind in _OTHER_KINDS:
        if isinstance(value, kinds):
            return _without_array(key, kind, value, length=_length(value))
    return _without_array(key, "object", value)


def _tensor_leaf(key: str, value: Any) -> Leaf:
    odd = _what_is_odd(value)
    if odd:
        entry, _ = _without_array(key, "object", value)
        return {**entry, "type": f"{odd} {entry['type']}"[:MAX_NAME]}, None
    dtype = str(value.dtype).removeprefix("torch.")
    plain = value.detach().cpu().resolve_conj().resolve_neg()
    if dtype == "bfloat16":
        plain = plain.float()
    entry, array = _array_leaf(key, "tensor", plain.numpy(), dtype)
    return {**entry, "type": type(value).__name__[:MAX_NAME]}, array


def _what_is_odd(tensor: Any) -> str:
    """Why its numbers cannot be had as an array; empty when they can."""
    if tensor.is_nested:
        return "nested"
    if tensor.is_meta:
        return "meta"
    if tensor.is_quantized:
        return "quantized"
    return "" if str(tensor.layout) == "torch.strided" else "sparse"


def _array_leaf(key: str, kind: str, value: Any, dtype: str) -> Leaf:
    array = np.asarray(value)
    entry = _entry(key, kind, value)
    entry["dtype"] = dtype[:MAX_NAME]
    entry["shape"] = list(array.shape)
    array = array.astype(array.dtype.newbyteorder("<"), copy=False)
    fits = can_carry(array.dtype) and array.nbytes <= MAX_ARRAY_BYTES and array.ndim <= 8
    return entry, array if fits else None


@cache
def _name_of(dtype: np.dtype[Any]) -> str:
    """Numpy puts it together anew each time, which takes longer than the rest of a leaf."""
    return dtype.name


def _without_array(key: str, kind: str, value: Any, length: int | None = None) -> Leaf:
    return {**_entry(key, kind, value), "length": length}, None


def _entry(key: str, kind: str, value: Any) -> Entry:
    return {"key": key[:100], "kind": kind, "type": type(value).__name__[:MAX_NAME]}


def _length(value: Any) -> int | None:
    return len(value) if isinstance(value, Sized) else None
