"""What a run says of its expressions: what is read, and that anything forged ends it."""

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from quizzes.grader.protocol.case import Case
from quizzes.grader.protocol.job import Ending, Job, Run, Task
from quizzes.grader.protocol.recording import MOST_EXPRESSIONS, Recording, read_recording
from quizzes.grader.protocol.wire import Bounds, Frame, decode, encode

SOURCE = "é = x + 1\nreturn é\n"
CASE = Case("a case", {"x": 1}, shown=True)
VALUE = {"kind": "array", "dtype": "float64", "shape": [2], "array": "0"}
RECORD = {"spans": [[1, 5, 1, 10]], "count": 3, "values": [VALUE], "last": False}
NUMBERS = [("0", np.array([0.5, 1.5]))]


def frame(header: dict[str, Any], arrays: Any = ()) -> Frame:
    return decode(encode(header, arrays), Bounds())


def recorded(record: object = RECORD, arrays: Any = NUMBERS, **more: Any) -> Frame:
    return frame({"kind": "recorded", "records": [record], **more}, arrays)


PARSED, LOADED, END = (frame({"kind": kind}) for kind in ("parsed", "loaded", "end"))
OUT = {"key": "out", "kind": "none", "type": "NoneType"}
RESULT = frame({"kind": "case", "index": 0, "failure": None, "leaves": [OUT]})
BEFORE = (PARSED, LOADED, RESULT)


def read(*frames: Frame, **run: Any) -> tuple[Ending, Recording]:
    run = {"ending": Ending.FINISHED, "stdout": b"", "seconds": 0.1, **run}
    observed, recording = read_recording(Run(frames=frames, **run), CASE, SOURCE)
    return observed.ending, recording


def test_recording_is_read_with_its_values() -> None:
    ending, recording = read(*BEFORE, recorded(), recorded(cut=True), END)
    assert ending is Ending.FINISHED
    assert recording.is_cut
    (expression, _) = recording.expressions
    assert (expression.spans, expression.count) == (((1, 5, 1, 10),), 3)
    assert expression.values[0].is_whole
    np.testing.assert_array_equal(expression.values[0].numbers, [0.5, 1.5])


def test_code_that_failed_has_a_recording() -> None:
    failure = {"rung": "returned", "type": "ValueError", "message": "no"}
    failed = frame({"kind": "case", "index": 0, "failure": failure, "leaves": []})
    for before in ((PARSED, LOADED, failed), (PARSED, frame({"kind": "load", "failure": failure}))):
        ending, recording = read(*before, recorded(), END)
        assert (ending, len(recording.expressions)) == (Ending.FINISHED, 1)


def forgeries() -> Iterator[tuple[str, tuple[Frame, ...]]]:
    """Yield what is wrong, and the frames of a run that does it."""
    for name, changed in {
        "a line before the first": {"spans": [[0, 0, 1, 2]]},
        "a line after the last": {"spans": [[4, 0, 4, 1]]},
        "a column behind its line": {"spans": [[1, 0, 1, 99]]},
        "a column within nothing": {"spans": [[3, 0, 3, 1]]},
        "an end before its start": {"spans": [[2, 3, 1, 4]]},
        "no place": {"spans": []},
        "many places": {"spans": [[1, 0, 1, 1]] * 5},
        "a place of texts": {"spans": [["1", "0", "1", "1"]]},
        "a place of truths": {"spans": [[True, 0, 1, 1]]},
        "no count": {"count": None},
        "a count below its values": {"count": 0},
        "a count beyond all": {"count": 1 << 60},
        "no values": {"values": []},
        "values that are none": {"values": 7},
        "many values": {"values": [VALUE] * 65, "count": 99},
        "a value that is none": {"values": [3]},
        "a kind of its own": {"values": [{**VALUE, "kind": "html"}]},
        "another dtype": {"values": [{**VALUE, "dtype": "float32"}]},
        "a larger part": {"values": [{**VALUE, "shape": [1]}]},
        "another number of axes": {"values": [{**VALUE, "shape": [2, 2]}]},
        "no such array": {"values": [{**VALUE, "array": "1"}]},
        "numbers of a text": {"values": [{**VALUE, "kind": "text"}]},
        "a shape below 0": {"values": [{**VALUE, "shape": [-1]}]},
        "nine axes": {"values": [{"kind": "array", "shape": [1] * 9}]},
        "a text that is a list": {"values": [{"kind": "text", "text": []}]},
        "an endless range": {"values": [{**VALUE, "least": float("inf")}]},
        "no number": {"values": [{**VALUE, "most": "1"}]},
    }.items():
        yield name, (*BEFORE, recorded({**RECORD, **changed}), END)
    yield "no record", (*BEFORE, recorded(5), END)
    yield "nothing recorded", (*BEFORE, END)
    yield "recorded before the case", (PARSED, LOADED, recorded(), RESULT, END)
    yield "recorded twice", (PARSED, LOADED, recorded(), RESULT, recorded(), END)
    yield "recorded after the end", (*BEFORE, END, recorded())
    yield "an end of its own", (*BEFORE, recorded(), END, RESULT, recorded(), END)
    many = recorded({**RECORD, "values": [{"kind": "none"}]}, ())
    yield "many expressions", (*BEFORE, *[many] * (MOST_EXPRESSIONS + 1), END)
    large = [(str(place), np.zeros(1 << 17)) for place in range(3)]
    yield "many bytes", (*BEFORE, recorded(RECORD, large), END)


@pytest.mark.parametrize("name", dict(forgeries()))
def test_forged_recording_ends_the_run(name: str) -> None:
    ending, recording = read(*dict(forgeries())[name])
    assert (ending, recording.expressions) == (Ending.GARBLED, ())


def test_stopped_run_is_accused_of_nothing() -> None:
    """Frames that were on their way when the word to stop came."""
    failure = {"rung": "returned", "type": "OutOfTime", "time": True, "line": 2}
    stopped = frame({"kind": "stopped", "failure": failure})
    frames = (*BEFORE, recorded(), recorded(), stopped, END)
    for in_time in (3, 4, 5):
        ending, recording = read(*frames, in_time=in_time)
        assert (ending, recording.expressions) == (Ending.TIME_LIMIT, ())
    ending, _ = read(*BEFORE, recorded(), ending=Ending.DIED)
    assert ending is Ending.DIED


def test_stopped_run_has_what_was_recorded() -> None:
    """After it has said where it was; a defect there costs the recording alone."""
    failure = {"rung": "returned", "type": "OutOfTime", "time": True, "line": 2}
    stopped = frame({"kind": "stopped", "failure": failure})
    for late in ((recorded(), END), (recorded(),)):
        ending, recording = read(PARSED, LOADED, stopped, *late, in_time=2)
        assert ending is Ending.TIME_LIMIT
        assert len(recording.expressions) == 1
    ending, recording = read(PARSED, LOADED, recorded(), stopped, recorded(), END, in_time=2)
    assert len(recording.expressions) == 1
    for forged in (recorded(5), recorded({**RECORD, "count": 0})):
        ending, recording = read(PARSED, LOADED, stopped, forged, END, in_time=2)
        assert (ending, recording.expressions) == (Ending.TIME_LIMIT, ())


def test_texts_are_cleaned() -> None:
    value = {"kind": "text", "text": "a\x1b[31m\u202eb" + "c" * 999, "type": "\0t"}
    _, recording = read(*BEFORE, recorded({**RECORD, "values": [value]}, ()), END)
    (read_value,) = recording.expressions[0].values
    assert read_value.text.startswith("abc")
    assert len(read_value.text) <= 200
    assert read_value.type == "t"


def test_plain_job_may_send_no_recording() -> None:
    job = Job(SOURCE, "f", (CASE,))
    assert job.most_frames < Job(SOURCE, "f", (CASE,), task=Task.RECORD).most_frames
    (data,) = job.to_frames()
    assert "most_values" not in decode(data, Bounds()).header
