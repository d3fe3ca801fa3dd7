"""The frame format: exact round trips, and nothing but BadFrame for everything else."""

import json
import tracemalloc

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as npst

from quizzes.grader.protocol.wire import (
    _TEXTS,
    DTYPES,
    FEW_BYTES,
    MAGIC,
    PREFIX,
    BadFrame,
    Bounds,
    Frame,
    _count_items,
    decode,
    encode,
    is_carried_in,
    split,
)

BOUNDS = Bounds()
arrays = st.sampled_from(sorted(DTYPES)).flatmap(
    lambda code: npst.arrays(DTYPES[code], npst.array_shapes(min_dims=0, max_dims=4, min_side=0))
)


def forged(entries: object, body: bytes = b"", **header: object) -> bytes:
    text = json.dumps({**header, "arrays": entries}).encode()
    return PREFIX.pack(MAGIC, len(text), len(body)) + text + body


@pytest.mark.slow
@given(st.dictionaries(st.text(max_size=20), arrays, max_size=4))
def test_arrays_come_back_exactly(values: dict[str, np.ndarray]) -> None:
    frame = decode(encode({"x": 1}, values.items()), BOUNDS)
    assert frame.header == {"x": 1}
    assert list(frame.arrays) == list(values)
    for name, array in values.items():
        assert frame.arrays[name].dtype == array.dtype
        assert frame.arrays[name].shape == array.shape
        assert frame.arrays[name].tobytes() == array.tobytes()


@pytest.mark.parametrize("dtype", [object, "U3", "datetime64[s]", np.longdouble, ">f8"])
def test_other_dtypes_do_not_travel(dtype: object) -> None:
    array = np.zeros(2, dtype=dtype)
    with pytest.raises(BadFrame, match="may not travel"):
        encode({}, [("x", array)])


@pytest.mark.parametrize(
    "entries",
    [
        None,
        {},
        [["x", "f8", [2**31, 2**31, 0]]],
        [["x", "f8", [0, 16777216, 16777216, 16777216]]],
        [["x", "f8", [2**62]]],
        [["x", "f8", [-1]]],
        [["x", "f8", [True]]],
        [["x", "f8", [1.0]]],
        [["x", "f8", [0] * 9]],
        [["x", "f8", [1]]],
        [["x", "O", [0]]],
        [["x", "f8", 0]],
        [["x", ["f8"], [0]]],
        [[3, "f8", [0]]],
        [["x" * 200, "f8", [0]]],
        [["x", "f8", [0]], ["x", "f8", [0]]],
        [["x", "f8"]],
        [[str(i), "f8", [0]] for i in range(257)],
    ],
)
def test_a_forged_header_is_a_bad_frame(entries: object) -> None:
    with pytest.raises(BadFrame):
        decode(forged(entries), BOUNDS)


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"PEQ",
        b"\x80\x04\x95pickle",
        PREFIX.pack(MAGIC, 10, 2**63),
        PREFIX.pack(MAGIC, 2**31, 0),
        PREFIX.pack(MAGIC, 4, 0) + b"nope",
        PREFIX.pack(MAGIC, 2, 0) + b"[]",
        PREFIX.pack(MAGIC, 2, 0) + b"{}",
        PREFIX.pack(MAGIC, 60_000, 0) + b"[" * 60_000,
        encode({}) + b"x",
        encode({}) + encode({}),
        encode({}, [("x", np.ones(3))])[:-1],
        forged([], b"left over"),
    ],
)
def test_other_bytes_are_a_bad_frame(data: bytes) -> None:
    with pytest.raises(BadFrame):
        decode(data, BOUNDS)


def test_a_claim_of_gigabytes_allocates_nothing() -> None:
    tracemalloc.start()
    for entries in ([["x", "f8", [2**24]]], [["x", "f8", [2**23, 2]]]):
        with pytest.raises(BadFrame):
            decode(forged(entries), BOUNDS)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 1 << 16


def test_a_stream_gives_its_complete_frames() -> None:
    stream = encode({"i": 0}) + encode({"i": 1}, [("x", np.ones(2))])
    for length in range(len(stream) + 1):
        frames = list(split(stream[:length], BOUNDS))
        assert len(frames) == (length >= len(encode({"i": 0}))) + (length == len(stream))


@given(st.binary(max_size=400))
def test_random_bytes_never_crash(data: bytes) -> None:
    attempt(data)


@given(st.binary(max_size=60), st.integers(0, 300), st.integers(0, 255))
def test_damaged_frames_never_crash(noise: bytes, place: int, value: int) -> None:
    whole = bytearray(encode({"k": "case"}, [("x", np.arange(5.0)), ("y", np.ones((2, 2)))]))
    whole[place % len(whole)] = value
    attempt(bytes(whole) + noise)
    attempt(bytes(whole)[: place % len(whole)] + noise)


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=5), inner),
    max_leaves=12,
)


@given(json_values, st.binary(max_size=64))
def test_any_header_is_read_or_refused(entries: object, body: bytes) -> None:
    attempt(forged(entries, body))


def attempt(data: bytes) -> list[Frame]:
    try:
        return list(split(data, BOUNDS))
    except BadFrame:
        return []


@given(st.text(alphabet='"\\a[{,', max_size=40))
def test_every_quote_is_read_once(text: str) -> None:
    """Left over, each would be where a text that never ends begins anew: 24 s for 64 KB."""
    assert b'"' not in _TEXTS.sub(b"", text.encode())


@given(st.lists(st.integers(0, 3) | st.text(alphabet='"\\[{,a')))
def test_what_is_counted_is_what_json_holds(values: list[int | str]) -> None:
    header = json.dumps({"values": values, "filler": "," * FEW_BYTES}).encode()
    assert _count_items(header) == 3 + max(0, len(values) - 1)


@given(st.text(max_size=12) | st.sampled_from([dtype.name for dtype in DTYPES.values()]))
def test_a_word_stands_for_one_dtype_at_most(word: str) -> None:
    """numpy takes None for float64, so every unknown word stood for it."""
    carried = [dtype for dtype in DTYPES.values() if is_carried_in(word, dtype)]
    assert len(carried) <= 1
    assert not carried or word in (carried[0].name, "bfloat16", "float", "int", "complex")
