"""Reading a run's frames: hostile claims to checked observations, and observations to frames."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from quizzes.grader.case import Case, decode_cases
from quizzes.grader.job import Ending, Run
from quizzes.grader.observation import KINDS, Failure, Leaf, Observation, Observed
from quizzes.grader.verdict import Rung
from quizzes.grader.wire import Array, BadFrame, Frame, encode

MAX_TEXT = 8000
MAX_LEAVES = 128


def read_run(run: Run, cases: int) -> Observed:
    """The observations in a run's frames; a defect in them makes the ending GARBLED."""
    reading = _Reading([None] * cases)
    ending, detail = run.ending, run.detail
    try:
        for frame in run.frames[: run.in_time]:
            reading.take(frame)
        for frame in run.frames[len(run.frames) if run.in_time is None else run.in_time :]:
            reading.take_late(frame)
        if ending is Ending.FINISHED and run.in_time is not None:
            ending = Ending.TIME_LIMIT
        if ending is Ending.FINISHED:
            reading.check_complete()
    except BadFrame as error:
        ending, detail = Ending.GARBLED, str(error)
    return Observed(
        tuple(reading.observations),
        reading.loaded,
        reading.load_failure,
        reading.stopped,
        ending,
        detail,
        tuple(reading.listed),
    )


@dataclass(eq=False)
class _Reading:
    """What the frames so far have said."""

    observations: list[Observation | None]
    listed: list[Case] = field(default_factory=list)
    loaded: bool = False
    ended: bool = False
    load_failure: Failure | None = None
    stopped: Failure | None = None

    def take(self, frame: Frame) -> None:
        """Reads one frame; raises BadFrame."""
        if self.ended:
            raise BadFrame("a frame after the last one")
        kind = frame.header.get("kind")
        if kind == "case":
            self.observations[_read_index(frame, self.observations)] = read_observation(frame)
        elif kind == "listed":
            self.listed += decode_cases(frame)
        elif kind == "loaded":
            self.loaded = True
        elif kind == "load":
            self.load_failure = _read_failure(frame.header.get("failure"))
        elif kind == "stopped":
            self.stopped = _read_failure(frame.header.get("failure"))
            if not self.stopped.time:
                raise BadFrame("a run that stopped without a reason")
        elif kind == "end":
            self.ended = True
        else:
            raise BadFrame("a frame of no known kind")

    def take_late(self, frame: Frame) -> None:
        """After the code was told to stop: only where it was then, no result; raises BadFrame."""
        if frame.header.get("kind") == "stopped":
            self.take(frame)

    def check_complete(self) -> None:
        """A finished run has a result for every case, or says why not; raises BadFrame."""
        if not (self.load_failure or self.stopped) and None in self.observations:
            raise BadFrame("the result of a case is missing")


def write_observation(observation: Observation) -> bytes:
    """A case frame that `read_observation` reads; a failure keeps its rung and type only."""
    if observation.failure is not None:
        failure = {"rung": observation.failure.rung.value, "type": observation.failure.type}
        return encode({"kind": "case", "failure": failure})
    leaves: list[dict[str, object]] = []
    arrays: list[tuple[str, Array]] = []
    for key, leaf in observation.leaves.items():
        name = None if leaf.values is None else str(len(leaves))
        if leaf.values is not None:
            arrays.append((str(len(leaves)), leaf.values))
        facts = {"kind": leaf.kind, "type": leaf.type, "dtype": leaf.dtype, "length": leaf.length}
        leaves.append({"key": key, "shape": list(leaf.shape), "array": name, **facts})
    return encode({"kind": "case", "failure": None, "leaves": leaves}, arrays)


def read_observation(frame: Frame) -> Observation:
    """The observation in a case frame; raises BadFrame."""
    failure = frame.header.get("failure")
    if failure is not None:
        return Observation(failure=_read_failure(failure))
    entries = frame.header.get("leaves")
    if type(entries) is not list or len(entries) > MAX_LEAVES:
        raise BadFrame("a case has no list of leaves")
    leaves: dict[str, Leaf] = {}
    for entry in entries:
        key, leaf = _read_leaf(entry, frame.arrays)
        if key in leaves:
            raise BadFrame("a case has two leaves of one name")
        leaves[key] = leaf
    return Observation(leaves)


def _read_index(frame: Frame, observations: list[Observation | None]) -> int:
    index = frame.header.get("index")
    if type(index) is not int or not 0 <= index < len(observations):
        raise BadFrame("a result for a case that does not exist")
    if observations[index] is not None:
        raise BadFrame("two results for one case")
    return index


def _read_leaf(entry: object, arrays: Mapping[str, Array]) -> tuple[str, Leaf]:
    if type(entry) is not dict:
        raise BadFrame("a leaf is not an object")
    kind = entry.get("kind")
    if kind not in KINDS:
        raise BadFrame("a leaf of no known kind")
    shape = entry.get("shape", [])
    if type(shape) is not list or len(shape) > 64 or any(type(item) is not int for item in shape):
        raise BadFrame("a leaf has an impossible shape")
    name, values = entry.get("array"), None
    if name is not None:
        values = arrays.get(name) if type(name) is str else None
        if values is None or list(values.shape) != shape:
            raise BadFrame("a leaf and its array disagree")
    leaf = Leaf(
        kind=kind,
        type=_text(entry, "type"),
        dtype=_text(entry, "dtype"),
        shape=tuple(shape),
        length=_whole_number(entry, "length"),
        values=values,
    )
    return _text(entry, "key"), leaf


def _read_failure(plain: object) -> Failure:
    if type(plain) is not dict or plain.get("rung") not in set(Rung):
        raise BadFrame("a failure of no known kind")
    defined = plain.get("defined", [])
    if type(defined) is not list or not all(type(name) is str for name in defined):
        raise BadFrame("a failure lists no names")
    return Failure(
        rung=Rung(plain["rung"]),
        type=_text(plain, "type"),
        message=_text(plain, "message"),
        traceback=_text(plain, "traceback"),
        line=_whole_number(plain, "line"),
        memory=plain.get("memory") is True,
        time=plain.get("time") is True,
        exit=plain.get("exit") is True,
        defined=tuple(name[:80] for name in defined[:8]),
    )


def _text(plain: Mapping[str, Any], key: str) -> str:
    value = plain.get(key, "")
    if type(value) is not str:
        raise BadFrame(f"{key} is not text")
    return value[:MAX_TEXT]


def _whole_number(plain: Mapping[str, Any], key: str) -> int | None:
    value = plain.get(key)
    if value is not None and (type(value) is not int or not -1 <= value < 1 << 53):
        raise BadFrame(f"{key} is not a whole number")
    return value
