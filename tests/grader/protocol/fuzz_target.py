"""What is fuzzed: everything that reads the bytes of a result, a stored pack or a picture."""

from __future__ import annotations

import json

from quizzes.grader.judge.case_pack import CasePack
from quizzes.grader.judge.evaluation import evaluate
from quizzes.grader.judge.picture import Picture
from quizzes.grader.judge.reporting import report_of
from quizzes.grader.protocol.job import Ending, Run
from quizzes.grader.protocol.read_results import read_run, write_observation
from quizzes.grader.protocol.wire import MAGIC, PREFIX, BadFrame, encode
from quizzes.grader.sandbox.conversation import RESULT_BOUNDS, FrameStream
from tests.grader.protocol.test_forged_frames import IN_TIME, PACK, assert_storable

ENDINGS = list(Ending)


def take(data: bytes) -> None:
    """One input: the first byte says how the run ended, and whether time counts."""
    choice, rest = data[:1] or b"\0", data[1:]
    ending = ENDINGS[choice[0] % len(ENDINGS)]
    for stream in (rest, _framed(rest)):
        read_stored(stream)
        arriving = FrameStream(RESULT_BOUNDS, 200)
        for part in (stream[: choice[0]], stream[choice[0] :]):
            arriving.feed(part)
        if arriving.defect:
            continue
        pack = PACK if choice[0] < 128 else IN_TIME
        observed = read_run(Run(ending, tuple(arriving.frames), b"", 0.0), pack.cases)
        reported = [place for place, case in enumerate(pack.cases) if case.graded]
        assert_storable(report_of(evaluate(pack, observed, reported)))


def read_stored(data: bytes) -> None:
    """Packs and pictures come from our database, but are read as if they did not."""
    for kind in (CasePack, Picture):
        try:
            kind.from_bytes(data)
        except BadFrame:
            continue


def _framed(data: bytes) -> bytes:
    """The same with a right prefix: a header up to the first NUL, then a body."""
    header, _, body = data.partition(b"\0")
    return PREFIX.pack(MAGIC, len(header), len(body)) + header + body


def seeds() -> list[bytes]:
    """Right inputs to start from."""
    frames = [write_observation(item) for item in PACK.expected]
    ends = [encode({"kind": kind}) for kind in ("loaded", "end")]
    headers = [json.dumps({"kind": "end", "arrays": []}).encode()]
    whole = ends[0] + b"".join(frames) + ends[1]
    return [b"\0" + item for item in (*frames, *ends, *headers, whole, PACK.to_bytes())]
