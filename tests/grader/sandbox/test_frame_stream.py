"""Frames that arrive in pieces: what is whole is read, and nothing after a defect."""

import numpy as np
import pytest

from quizzes.grader.protocol.wire import Bounds, encode, split
from quizzes.grader.sandbox.conversation import FrameStream

BOUNDS = Bounds()
FRAMES = [
    encode({"kind": "loaded"}),
    encode({"kind": "case", "index": 0}, [("0", np.arange(1000.0)), ("1", np.array(True))]),
    encode({"kind": "end"}),
]
WHOLE = b"".join(FRAMES)
MAX_FRAMES = 40


def fed(data: bytes, size: int) -> FrameStream:
    stream = FrameStream(BOUNDS, MAX_FRAMES)
    for start in range(0, len(data), size):
        stream.feed(data[start : start + size])
    return stream


@pytest.mark.parametrize("size", [1, 7, 100, len(WHOLE)])
def test_pieces_of_any_size_give_the_same_frames(size: int) -> None:
    stream = fed(WHOLE, size)
    assert not stream.defect
    for got, expected in zip(stream.frames, split(WHOLE, BOUNDS), strict=True):
        assert got.header == expected.header
        assert {name: array.tolist() for name, array in got.arrays.items()} == {
            name: array.tolist() for name, array in expected.arrays.items()
        }


def test_an_unfinished_frame_is_left_out() -> None:
    stream = fed(WHOLE[:-1], len(WHOLE))
    assert [frame.header["kind"] for frame in stream.frames] == ["loaded", "case"]
    assert not stream.defect


@pytest.mark.parametrize("size", [1, len(WHOLE)])
def test_nothing_is_read_after_a_defect(size: int) -> None:
    stream = fed(FRAMES[0] + b"rubbish" + WHOLE, size)
    assert [frame.header["kind"] for frame in stream.frames] == ["loaded"]
    assert "magic" in stream.defect


def test_a_flood_of_frames_is_a_defect() -> None:
    stream = fed(FRAMES[0] * (MAX_FRAMES + 5), 1 << 12)
    assert len(stream.frames) == MAX_FRAMES
    assert f"more than {MAX_FRAMES} frames" in stream.defect
