"""Describing what a student's code returned: arrays as arrays, anything else by its kind.

Nothing is refused here. What cannot travel is described, and the judge outside finds the words.

Code may define its own `__name__`, `__str__`, `shape`, `dtype` and subclasses of `str` and `float`.
An honest result must never make a frame that the reader refuses: its author would be told that the
code meddled with frames. So a value is asked as little as possible about itself: arrays are taken
by `np.asarray`, the name of a class by the slot of `type`, and every text is made an exact `str`,
printable, and short enough for a frame's header.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Iterator, Sized
from functools import cache
from typing import Any

import numpy as np

from quizzes.grader.protocol.wire import (
    MAX_ARRAY_BYTES,
    MAX_RESULT_BYTES,
    can_carry,
    can_carry_shape,
    is_carried_in,
)

MAX_NAME = 60
MAX_LEAVES = 64
MAX_DEPTH = 4
MAX_LENGTH = 1 << 50  # as long as a class of its own may say it is
MAX_LENGTHS = 512  # of all shapes of one result together

_OTHER_KINDS = ((type(None), "none"), ((str, bytes), "text"), ((list, tuple), "list"))

_NAME_OF = type.__dict__["__name__"].__get__  # a metaclass may define another one

Entry = dict[str, Any]
Leaf = tuple[Entry, Any]  # the description, and the numpy array or None


def describe(key: str, value: Any) -> list[Leaf]:
    """Return a result's leaves: `out`, or `out.0`, `out.1` ... of a sequence, `out.key` of a dict.

    What has more leaves or lengths than a frame takes, or is too deep, is one leaf `nested`; of
    arrays with too many bytes together the last ones come without their numbers.
    """
    if isinstance(value, np.ndarray) or is_tensor(value):
        return [_leaf(key, value)]
    try:
        leaves: list[Leaf] = []
        for leaf in _walk(key, value, 0):
            leaves.append(leaf)
            if len(leaves) > MAX_LEAVES:
                raise OverflowError
        if sum(len(entry.get("shape", ())) for entry, _ in leaves) > MAX_LENGTHS:
            raise OverflowError
    except OverflowError:
        return [_without_array(key, "nested", value, length=_length(value))]
    return list(_within_bytes(leaves))


def is_tensor(value: Any) -> bool:
    """Say whether it is a torch tensor, without importing torch."""
    torch = sys.modules.get("torch")
    return torch is not None and isinstance(value, torch.Tensor)


def _walk(key: str, value: Any, depth: int) -> Iterator[Leaf]:
    if isinstance(value, list | tuple) and _holds_arrays(value):
        items = [(str(place), item) for place, item in enumerate(value)]
    elif isinstance(value, dict) and value:
        items = list(zip(_names_of(value), value.values(), strict=True))
    else:
        yield _leaf(key, value)
        return
    if depth >= MAX_DEPTH or len(items) > MAX_LEAVES:
        raise OverflowError
    for name, item in items:
        yield from _walk(f"{key}.{name}", item, depth + 1)


def _names_of(mapping: dict[Any, Any]) -> list[str]:
    """Return its keys as texts that differ.

    As plain texts `1` and `"1"` do not differ, nor does what is cut to one beginning. A dot stands
    between the keys of a dict in a dict, so none is in a key.
    """
    names: list[str] = []
    for key in mapping:
        name, times = printable(key).replace(".", "_"), 1
        plain = name
        while name in names:
            times += 1
            name = f"{plain} ({times})"
        names.append(name)
    return names


def _within_bytes(leaves: Iterable[Leaf]) -> Iterator[Leaf]:
    total = 0
    for entry, array in leaves:
        total += 0 if array is None else array.nbytes
        yield entry, array if total <= MAX_RESULT_BYTES else None


def _holds_arrays(sequence: list[Any] | tuple[Any, ...]) -> bool:
    """Say whether any item is an array or a tensor.

    A list of lists of numbers is one result of the wrong kind, not many results.
    """
    return any(isinstance(item, np.ndarray) or is_tensor(item) for item in sequence)


def _leaf(key: str, value: Any) -> Leaf:
    if isinstance(value, np.ndarray):
        plain = np.asarray(value)  # a class of its own may have a dtype and a shape of its own
        return _array_leaf(key, "array", value, plain, _name_of(plain.dtype))
    if is_tensor(value):
        return _tensor_leaf(key, value)
    if isinstance(value, np.generic):
        plain = np.asarray(value)
        return _array_leaf(key, "number", value, plain, _name_of(plain.dtype))
    if isinstance(value, bool | int | float | complex):
        plain = np.asarray(value)
        if plain.shape == ():  # a class of its own may make an array of itself
            return _array_leaf(key, "number", value, plain, _number_type(value))
    for kinds, kind in _OTHER_KINDS:
        if isinstance(value, kinds):
            return _without_array(key, kind, value, length=_length(value))
    return _without_array(key, "object", value)


def _number_type(value: complex) -> str:
    return next(kind.__name__ for kind in (bool, int, float, complex) if isinstance(value, kind))


def _tensor_leaf(key: str, value: Any) -> Leaf:
    odd = _what_is_odd(value)
    if odd:
        entry, _ = _without_array(key, "object", value)
        return {**entry, "type": f"{odd} {entry['type']}"[:MAX_NAME]}, None
    dtype = printable(value.dtype).removeprefix("torch.")
    plain = value.detach().cpu().resolve_conj().resolve_neg()
    if dtype == "bfloat16":
        plain = plain.float()
    try:
        array = plain.numpy()
    except TypeError:  # a dtype that numpy lacks, such as float8
        entry, _ = _without_array(key, "tensor", value)
        return {**entry, "dtype": dtype, "shape": list(plain.shape)}, None
    return _array_leaf(key, "tensor", value, array, dtype)


def _what_is_odd(tensor: Any) -> str:
    """Return why its numbers cannot be had as an array; empty when they can."""
    if tensor.is_nested:
        return "nested"
    if tensor.is_meta:
        return "meta"
    if tensor.is_quantized:
        return "quantized"
    return "" if str(tensor.layout) == "torch.strided" else "sparse"


def _array_leaf(key: str, kind: str, value: Any, plain: Any, dtype: str) -> Leaf:
    """Return the leaf of an array, with its numbers where they may travel.

    `dtype` names what travels in the array: `bfloat16` in float32, `int` in int64.
    """
    entry = _entry(key, kind, value)
    entry["dtype"] = dtype[:MAX_NAME]
    entry["shape"] = list(plain.shape)
    array = plain.astype(plain.dtype.newbyteorder("<"), copy=False)
    carried = can_carry(array.dtype) and is_carried_in(dtype, array.dtype)
    fits = carried and array.nbytes <= MAX_ARRAY_BYTES and can_carry_shape(array.shape)
    return entry, array if fits else None


@cache
def _name_of(dtype: np.dtype[Any]) -> str:
    """Return the name of a dtype, put together once.

    Numpy puts it together each time, which takes longer than the rest of a leaf.
    """
    return dtype.name


def _without_array(key: str, kind: str, value: Any, length: int | None = None) -> Leaf:
    return {**_entry(key, kind, value), "length": length}, None


def _entry(key: str, kind: str, value: Any) -> Entry:
    return {"key": key, "kind": kind, "type": type_name(value)}


def _length(value: Any) -> int | None:
    return min(len(value), MAX_LENGTH) if isinstance(value, Sized) else None


def type_name(value: Any) -> str:
    """Return the name of a value's class, whatever the class says of itself."""
    return printable(_NAME_OF(type(value)))


def printable(text: Any, most: int = MAX_NAME) -> str:
    """Return at most so many characters of `str(text)`, those that cannot be printed as `?`."""
    plain = cut(str(text), most)
    if plain.isprintable():
        return plain
    return "".join(character if character.isprintable() else "?" for character in plain)


def cut(text: str, most: int) -> str:
    """Return at most so many of the first characters, and at most two bytes of JSON for each.

    JSON writes some characters as `\\u0000` or two of these: six to twelve bytes.
    """
    plain = str.__getitem__(text, slice(0, most))
    if plain.isascii() and plain.isprintable():  # as nearly all are: two bytes at most
        return plain
    while (size := len(json.dumps(plain))) > 2 * most + 2:
        plain = plain[: 2 * most * len(plain) // size]
    return plain
