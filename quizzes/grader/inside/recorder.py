"""Noting the values of expressions while a program runs, and the frames that carry them out.

A value is the program's own object. It is asked nothing that code of the program could answer: only
exact types of Python, NumPy and torch are looked at, everything else is named by its class. Arrays
are copied at once, since a program may write into them later.

For each expression the first values are kept, and the last one. A loop may run a million times: of
each expression only so many passes are looked at. Then its innermost block goes on without notes
(see `instrument`), so nothing is known of later passes, not even their number.

Until then notes of a long loop must be cheap. Numbers cannot change, so of these the last is the
object itself; of a small array it is a copy. Both are looked at once, when the program has ended; a
number of more than 150 digits is not held. Anything else is looked at right away, for so many
seconds in all: what comes later is counted. Each note of a large array would read the whole array
for its range: so that is done for so many bytes in all. How much slower programs run:
`.venv/bin/python benchmarks/xray.py`.
"""

from __future__ import annotations

import builtins
import sys
import time
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from quizzes.grader.inside.describe import Entry, cut, describe, printable, type_name
from quizzes.grader.inside.failures import OutOfTime
from quizzes.grader.inside.instrument import NOTE, NOWHERE, Places, instrument, plain_name
from quizzes.grader.protocol.wire import DTYPES, can_carry, encode

MOST_CELLS = 4096  # of an array that is kept whole
CORNER = 32  # rows and columns that are kept of a larger one
MOST_PASSES = 256  # of an expression that are looked at
MOST_SECONDS = 0.02  # of looking at last values that can change
SMALL_BYTES = MOST_CELLS * 8  # of an array that is copied, and looked at later
MOST_BYTES = 1_500_000  # of all arrays that leave
MOST_HELD = 32 << 20  # bytes of all first values, while the program runs
MOST_RANGED = 128 << 20  # bytes of large arrays whose range is looked up: 0.1 s
MOST_TEXT = 200
MOST_ITEMS = 12  # of a list that are written out
MOST_DIGITS = 512  # bits of a whole number that is written out
MOST_DIMENSIONS = 8
FRAME_RECORDS, FRAME_VALUES = 16, 60

# Types are compared by identity: a metaclass may define what `==` and `hash` mean of its classes.
_PLAIN = frozenset(map(id, (bool, int, float, complex, type(None))))
_SCALARS = frozenset(id(dtype.type) for dtype in DTYPES.values())
# What cannot change; of text the start alone would be kept, but all of it held.
_FIXED = _PLAIN | _SCALARS
_SILENT = ("module", "function", "builtin_function_or_method", "type", "method", "ufunc")
_UNSET = object()
_HUGE = 1 << MOST_DIGITS  # held in place of larger whole numbers, which may have megabytes
Note = Callable[[int, Any], Any]


class Recorder:
    """What one run of a program was. `most_values`: of an expression."""

    def __init__(self, most_values: int = 2) -> None:
        self._places = Places()
        self._most_values = max(most_values, 2)
        self._counts: list[int] = []
        self._values: list[list[Entry]] = []
        self._last: list[Entry | None] = []
        self._later: list[Any] = []  # the last value, a number or a copy, to be looked at later
        self._plain: set[int] = set()  # blocks that go on without notes
        self._last_at: list[int] = []  # which value it is, counted from 1
        self._held = 0
        self._order: dict[int, None] = {}  # places, as they first ran

    def instrument(self, source: str, filename: str) -> Any:
        """Return the program compiled, with calls of this recorder in it.

        Nothing is recorded of one that is nested too deeply.
        """
        try:
            tree, places = instrument(source, filename)
            program = compile(tree, filename, "exec", dont_inherit=True)
        except (RecursionError, MemoryError):
            self._places.is_cut = True
            return compile(source, filename, "exec", dont_inherit=True)
        self._places, total = places, len(places.spans)
        self._counts, self._last, self._last_at = [0] * total, [None] * total, [0] * total
        self._later = [_UNSET] * total
        self._values = [[] for _ in range(total)]
        setattr(builtins, NOTE, self._make_note())
        for block in range(len(places.parents)):
            setattr(builtins, plain_name(block), False)
        return program

    def frames(self) -> Iterator[bytes]:
        """Yield what was noted, as it first ran, in frames of the wire protocol; at least one."""
        budget = MOST_BYTES
        records, arrays, carried = list[Entry](), list[tuple[str, Any]](), 0
        for place in self._order:
            count = self._counts[place]
            goes_on = self._goes_on(place)
            last = None if goes_on else self._last_of(place)
            values = [*self._values[place], *([] if last is None else [last])]
            entries = []
            for value in values:
                array = value.get("numbers")
                plain = {name: item for name, item in value.items() if name != "numbers"}
                if array is not None and array.nbytes <= budget:
                    budget -= array.nbytes
                    plain["array"] = str(len(arrays))
                    arrays.append((plain["array"], array))
                entries.append(plain)
            if not entries:
                continue
            records.append(
                {
                    "spans": self._places.spans[place],
                    "count": min(count, MOST_PASSES) if goes_on else count,
                    "values": entries,
                    "last": not goes_on and (len(values) == count or last is not None),
                    "more": goes_on,
                }
            )
            carried += len(entries)
            if len(records) >= FRAME_RECORDS or carried >= FRAME_VALUES:
                yield _encode(records, arrays, is_cut=False)
                records, arrays, carried = [], [], 0
        yield _encode(records, arrays, is_cut=self._places.is_cut)

    def _last_of(self, place: int) -> Entry | None:
        value = self._later[place]
        if value is _UNSET:
            return self._last[place] if self._last_at[place] == self._counts[place] else None
        try:
            return keep(value)
        except OutOfTime:
            raise
        except BaseException:
            return {"kind": "silent"}

    def _goes_on(self, place: int) -> bool:
        """Say whether an expression may have run after the last note of it."""
        block = self._places.blocks[place]
        while block != NOWHERE:
            if block in self._plain:
                return True
            block = self._places.parents[block]
        return False

    def _leave(self, place: int) -> None:
        """Let the innermost block of an expression go on without notes."""
        block = self._places.blocks[place]
        if block != NOWHERE and block not in self._plain:
            self._plain.add(block)
            setattr(builtins, plain_name(block), True)

    def _make_note(self) -> Note:
        counts, values, last, last_at = self._counts, self._values, self._last, self._last_at
        later, of_fixed, real, whole, ndarray = self._later, _FIXED, float, int, np.ndarray
        order = self._order
        first, most, ranges = self._most_values - 1, MOST_PASSES, _Ranges()
        seconds, clock = 0.0, time.thread_time

        def note(place: int, value: Any) -> Any:
            nonlocal seconds
            count = counts[place] = counts[place] + 1
            if count > first:  # as of a long loop: little else may be done here
                kind = type(value)
                if kind is real or kind is whole or id(kind) in of_fixed:
                    is_huge = kind is whole and value.bit_length() > MOST_DIGITS
                    later[place] = _HUGE if is_huge else value
                    if count > most:
                        self._leave(place)
                    return value
                later[place] = _UNSET
                if count > most:
                    self._leave(place)
                    return value
                if (
                    kind is ndarray
                    and value.size <= MOST_CELLS
                    and value.nbytes <= SMALL_BYTES
                    and not value.dtype.hasobject  # a copy would keep the program's objects alive
                ):
                    try:  # noqa: SIM105 (`suppress` is a call: a deep recursion would end sooner)
                        later[place] = value.copy()
                    except MemoryError:
                        pass  # not looked at: the program must not notice
                    return value
                if seconds > MOST_SECONDS:
                    return value
            try:
                began = clock()
                if count <= first:
                    order[place] = None
                    values[place].append({"kind": "silent"})
                    if self._held < MOST_HELD:
                        values[place][-1] = entry = keep(value, ranges)
                        self._held += entry["numbers"].nbytes if "numbers" in entry else 0
                else:
                    last[place] = keep(value, ranges)
                    last_at[place] = count
                seconds += clock() - began
            except OutOfTime:
                raise
            except BaseException:  # noqa: S110
                pass  # not looked at: the program must not notice
            return value

        return note


def _encode(records: list[Entry], arrays: list[tuple[str, Any]], *, is_cut: bool) -> bytes:
    return encode({"kind": "recorded", "records": records, "cut": is_cut}, arrays)


class _Ranges:
    """Between which two all finite numbers of a large array lie, while there are bytes for it."""

    def __init__(self, most: int = MOST_RANGED) -> None:
        self._left = most

    def of(self, values: Any) -> Entry:
        """Return the range, and how many numbers are not finite; nothing once too much was read."""
        if values.dtype.kind not in "fiu" or self._left < 0:
            return {}
        self._left -= values.nbytes
        with np.errstate(all="ignore"):
            least, most = float(values.min()), float(values.max())
            if np.isfinite(least) and np.isfinite(most):
                return {"odd": 0, "least": least, "most": most}
            self._left -= values.nbytes
            finite = values[np.isfinite(values)]
            facts: Entry = {"odd": int(values.size - finite.size)}
            if finite.size:
                facts |= {"least": float(finite.min()), "most": float(finite.max())}
        return facts


def keep(value: Any, ranges: _Ranges | None = None) -> Entry:
    """Return what is kept of a value: plain data, and `numbers`, an array of its own."""
    kind, ranges = type(value), ranges or _Ranges()
    if kind is np.ndarray:
        return _array("array", value, "ndarray", ranges)
    if id(kind) in _PLAIN:
        return {"kind": "number" if value is not None else "none", "text": _plain_text(value)}
    if id(kind) in _SCALARS:
        return {"kind": "number", "text": str(value.item())[:MOST_TEXT], "type": value.dtype.name}
    return _of_torch(kind, value, ranges) or _of_python(kind, value)


def _of_python(kind: type, value: Any) -> Entry:
    if kind is str:
        return {"kind": "text", "text": cut(repr(str.__getitem__(value, slice(0, 80))), MOST_TEXT)}
    if kind is range:
        return {"kind": "text", "text": cut(repr(value), MOST_TEXT)}
    if kind is list or kind is tuple:
        return {"kind": "list", "text": _list_text(value), "type": kind.__name__}
    name = type_name(value)
    return {"kind": "silent"} if name in _SILENT else {"kind": "object", "type": printable(name)}


def _of_torch(kind: type, value: Any, ranges: _Ranges) -> Entry | None:
    torch = sys.modules.get("torch")
    if torch is None:
        return None
    if kind is torch.Tensor or kind is torch.nn.Parameter:
        return _tensor(value, ranges)
    if kind is torch.Size:
        return {"kind": "list", "text": _list_text(tuple(value), "torch.Size"), "type": "Size"}
    return None


def _plain_text(value: Any) -> str:
    if type(value) is int and value.bit_length() > MOST_DIGITS:
        return "a whole number of more than 150 digits"
    return repr(value)


def _list_text(value: list[Any] | tuple[Any, ...], name: str = "") -> str:
    """Return a list of plain items as Python writes it, cut short; of another its length."""
    items = value[:MOST_ITEMS]
    if not all(id(type(item)) in _PLAIN or type(item) is str for item in items):
        return f"{len(value)} items"
    texts = [cut(repr(item[:20]), 40) if type(item) is str else _plain_text(item) for item in items]
    more = ["..."] if len(value) > len(items) else []
    inner = ", ".join([*texts, *more])
    if type(value) is tuple:
        inner = f"({inner},)" if len(value) == 1 else f"({inner})"
    else:
        inner = f"[{inner}]"
    return cut(f"{name}({inner})" if name else inner, MOST_TEXT)


def _tensor(value: Any, ranges: _Ranges) -> Entry:
    (entry, array) = describe("", value)[0]
    if array is None:
        shape = entry.get("shape", [])[:MOST_DIMENSIONS]
        return {"kind": "tensor", "type": "Tensor", "dtype": entry.get("dtype", ""), "shape": shape}
    return _array("tensor", array, "Tensor", ranges, dtype=str(entry["dtype"]))


def _array(kind: str, value: Any, name: str, ranges: _Ranges, dtype: str = "") -> Entry:
    shape = [int(length) for length in value.shape]
    word = dtype or value.dtype.name
    entry: Entry = {"kind": kind, "type": name, "dtype": printable(word), "shape": shape}
    if len(shape) > MOST_DIMENSIONS:
        return {**entry, "shape": shape[:MOST_DIMENSIONS], "kind": "object"}
    plain = value.astype(value.dtype.newbyteorder("<"), copy=False)
    if not can_carry(plain.dtype):
        return entry
    if value.size <= MOST_CELLS:
        return {**entry, "numbers": np.array(plain, order="C")}
    return {**entry, "numbers": _corner(plain), **ranges.of(plain)}


def _corner(values: Any) -> Any:
    """Return the first rows and columns of the first matrix, in as many dimensions."""
    places = [slice(0, 1)] * max(values.ndim - 2, 0) + [slice(0, CORNER)] * min(values.ndim, 2)
    return np.array(values[tuple(places)], order="C")
