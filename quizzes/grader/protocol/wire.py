"""The one codec between the supervisor and the code inside the sandbox: frames of arrays.

Shapes: a frame is magic (4 bytes) | u32 header length | u64 body length | JSON header | raw
C-ordered little-endian arrays, in the order in which `header["arrays"]` lists them as
`[name, dtype code, shape]`.

Standard library and numpy only: this file is also bound read-only into the sandbox. Whatever comes
out of the sandbox is hostile. Sizes are bounded before anything is allocated, dtypes come from a
list, lengths must be exact, nothing is ever unpickled, and every defect is `BadFrame`.
"""

from __future__ import annotations

import json
import math
import re
import struct
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

MAGIC = b"PEQ1"
PREFIX = struct.Struct("<4sIQ")

_CODES = ["f2", "f4", "f8", "i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8", "b1", "c8", "c16"]
DTYPES: Mapping[str, np.dtype[Any]] = {
    code: np.dtype("?" if code == "b1" else "<" + code) for code in _CODES
}
_CODE_OF = {dtype: code for code, dtype in DTYPES.items()}

# Words for dtypes that travel as another one; every other word stands for the dtype of its name.
_CARRIED_IN = {
    "bfloat16": DTYPES["f4"],
    "float": DTYPES["f8"],
    "int": DTYPES["i8"],
    "complex": DTYPES["c16"],
}
_DTYPE_OF = {dtype.name: dtype for dtype in _CODE_OF} | _CARRIED_IN

_JSON = json.JSONEncoder(separators=(",", ":"))
_READER = json.JSONDecoder()

MAX_DIMENSIONS = 8
MAX_ARRAYS = 256
MAX_NAME = 128
MAX_ARRAY_BYTES = 8 << 20  # of one array of a result ...
MAX_RESULT_BYTES = 15 << 20  # ... and of all of them: a frame may have 16 MB

FEW_BYTES = 4096  # a header as short as that needs no counting: most are
# The closing quote may be missing, or a text that never ends would be read again from each quote.
_TEXTS = re.compile(rb'"(?:[^"\\]|\\.)*+"?+', re.DOTALL)

Array = npt.NDArray[Any]


class BadFrame(Exception):  # noqa: N818
    """A frame that breaks the format; never the fault of the trusted side."""


@dataclass(frozen=True)
class Bounds:
    """How many bytes of header and of body a reader accepts in one frame.

    `items`: how many brackets and commas the header may have outside of its texts; None: any
    number. Parsed, an empty object of two bytes takes thirty times as much memory, so a reader of
    hostile frames counts them first.
    """

    header: int = 64 << 10
    body: int = 16 << 20
    items: int | None = None


_MAX_CELLS = Bounds().body


@dataclass(frozen=True, eq=False)
class Frame:
    """One decoded frame: the JSON header, and the arrays by name."""

    header: Mapping[str, Any]
    arrays: Mapping[str, Array]


def can_carry(dtype: np.dtype[Any]) -> bool:
    """Say whether an array of this dtype may travel."""
    return dtype in _CODE_OF


def is_carried_in(word: str, dtype: np.dtype[Any]) -> bool:
    """Say whether what calls its dtype `word` (`float32`, `bfloat16`, `int`) travels in `dtype`."""
    return word in _DTYPE_OF and _DTYPE_OF[word] == dtype  # numpy takes None for float64


def can_carry_shape(shape: Sequence[int]) -> bool:
    """Say whether an array of this shape may travel; zeros count as one, see `_read_entry`."""
    cells = math.prod(max(length, 1) for length in shape)
    return len(shape) <= MAX_DIMENSIONS and cells <= _MAX_CELLS


def encode(header: Mapping[str, Any], arrays: Iterable[tuple[str, Array]] = ()) -> bytes:
    """Return one frame as bytes; raises BadFrame for a dtype that may not travel."""
    entries: list[list[object]] = []
    bodies: list[bytes] = []
    for name, value in arrays:
        array = np.asarray(value)
        if not can_carry(array.dtype):
            raise BadFrame(f"array {name!r} has dtype {array.dtype}, which may not travel")
        entries.append([name, _CODE_OF[array.dtype], list(array.shape)])
        bodies.append(array.tobytes(order="C"))
    text = _JSON.encode({**header, "arrays": entries}).encode("ascii")
    prefix = PREFIX.pack(MAGIC, len(text), sum(len(body) for body in bodies))
    return b"".join([prefix, text, *bodies])


def decode(data: bytes | bytearray | memoryview, bounds: Bounds) -> Frame:
    """Return the only frame in `data`; raises BadFrame when there is less or more than one."""
    view = memoryview(data)
    length = frame_length(view, bounds)
    if length is None or length > len(view):
        raise BadFrame("the frame ends too early")
    if length < len(view):
        raise BadFrame(f"{len(view) - length} bytes follow the frame")
    return _decode_exact(view, bounds)


def split(data: bytes | bytearray | memoryview, bounds: Bounds) -> Iterator[Frame]:
    """Yield the complete frames of a stream, in order; an unfinished one at its end is left out."""
    rest = memoryview(data)
    while (length := frame_length(rest, bounds)) is not None and length <= len(rest):
        yield _decode_exact(rest[:length], bounds)
        rest = rest[length:]


def frame_length(view: memoryview, bounds: Bounds) -> int | None:
    """Return how many bytes the frame that starts here has; None until its prefix is complete."""
    if len(view) < PREFIX.size:
        if bytes(view[: len(MAGIC)]) != MAGIC[: len(view)]:
            raise BadFrame("the frame does not start with the magic bytes")
        return None
    magic, header_length, body_length = PREFIX.unpack(view[: PREFIX.size])
    if magic != MAGIC:
        raise BadFrame("the frame does not start with the magic bytes")
    if header_length > bounds.header or body_length > bounds.body:
        raise BadFrame("the frame claims to be too large")
    return PREFIX.size + int(header_length) + int(body_length)


def _decode_exact(view: memoryview, bounds: Bounds) -> Frame:
    _, header_length, _ = PREFIX.unpack(view[: PREFIX.size])
    body_start = PREFIX.size + header_length
    header = _read_header(bytes(view[PREFIX.size : body_start]), bounds)
    arrays = _read_arrays(header.pop("arrays", None), view[body_start:], bounds)
    return Frame(header, arrays)


def _read_header(text: bytes, bounds: Bounds) -> dict[str, Any]:
    if bounds.items is not None and _count_items(text) > bounds.items:
        raise BadFrame("the header holds too many values")
    try:
        header = _READER.decode(text.decode("utf-8"))
    except (ValueError, RecursionError):
        raise BadFrame("the header is not JSON") from None
    if type(header) is not dict:
        raise BadFrame("the header is not an object")
    return header


def _count_items(text: bytes) -> int:
    """Count opening brackets and commas outside of texts; 0 for a header too short to hold many."""
    if len(text) <= FEW_BYTES:
        return 0
    bare = _TEXTS.sub(b"", text)
    return bare.count(b"{") + bare.count(b"[") + bare.count(b",")


def _read_arrays(entries: object, body: memoryview, bounds: Bounds) -> dict[str, Array]:
    if type(entries) is not list or len(entries) > MAX_ARRAYS:
        raise BadFrame(f"the header does not list at most {MAX_ARRAYS} arrays")
    arrays: dict[str, Array] = {}
    offset = 0
    for entry in entries:
        name, dtype, shape = _read_entry(entry, bounds)
        if name in arrays:
            raise BadFrame("two arrays have the same name")
        size = math.prod(shape) * dtype.itemsize
        if offset + size > len(body):
            raise BadFrame("the body is shorter than its arrays")
        try:
            flat = np.frombuffer(body[offset : offset + size], dtype=dtype)
            arrays[name] = flat.reshape(shape)
        except ValueError as error:
            raise BadFrame("an array cannot be built from the body") from error
        offset += size
    if offset != len(body):
        raise BadFrame("the body is longer than its arrays")
    return arrays


def _read_entry(entry: object, bounds: Bounds) -> tuple[str, np.dtype[Any], list[int]]:
    if type(entry) is not list or len(entry) != 3:
        raise BadFrame("an array entry is not [name, dtype, shape]")
    name, code, shape = entry
    if type(name) is not str or len(name) > MAX_NAME:
        raise BadFrame("an array has no usable name")
    if type(code) is not str or code not in DTYPES:
        raise BadFrame("an array has a dtype that may not travel")
    if type(shape) is not list or len(shape) > MAX_DIMENSIONS:
        raise BadFrame(f"an array has more than {MAX_DIMENSIONS} dimensions")
    # Zeros count as one: (0, 2**40, 2**40) holds no number, yet numpy refuses it with ValueError.
    cells = 1
    for length in shape:
        if type(length) is not int or not 0 <= length <= bounds.body:
            raise BadFrame("an array has an impossible shape")
        cells *= max(length, 1)
        if cells > bounds.body:
            raise BadFrame("an array is too large")
    return name, DTYPES[code], shape
