"""Reading a run's frames: hostile claims to checked observations, and observations to frames."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from quizzes.grader.protocol.case import Case, decode_cases
from quizzes.grader.protocol.frame_grammar import check_leaves, check_result
from quizzes.grader.protocol.job import Ending, Run, count_shown, order_of
from quizzes.grader.protocol.observation import KINDS, Failure, Leaf, Observation, Observed
from quizzes.grader.protocol.pairs import PairedCall
from quizzes.grader.protocol.property_measures import measure_properties
from quizzes.grader.protocol.sanitize import clean, clean_line
from quizzes.grader.protocol.verdict import Stage
from quizzes.grader.protocol.wire import Array, BadFrame, Frame, encode

MAX_TEXT = 8000
MAX_WORD = 80
MAX_KEY = 300
MAX_LEAVES = 128
MAX_DIMENSIONS = 64
_RAISED_AT = (Stage.RETURNED, Stage.SIGNATURE, Stage.STRUCTURE)


def read_run(run: Run, cases: Sequence[Case], calls: Sequence[PairedCall] = ()) -> Observed:
    """Return the observations in the frames of a run of these cases, and of these calls of pairs.

    A defect in them makes the ending GARBLED, whatever it is: the code shares a process with what
    writes the frames, so nobody else can have made it.
    """
    return _read(run, _Reading(cases=cases, calls=calls))


def read_listing(run: Run) -> Observed:
    """Return the cases that an author's `cases.py` listed; a defect makes the ending GARBLED."""
    return _read(run, _Reading(lists=True))


def _read(run: Run, reading: _Reading) -> Observed:
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
        run.death if ending is Ending.DIED else None,
        tuple(reading.listed),
        run.seconds,
        tuple(zip(reading.calls, reading.paired, strict=True)),
        reading.parsed or reading.load_failure is None,
    )


@dataclass(eq=False)
class _Reading:
    """What the frames so far have said, and which may come next.

    In order: `parsed`; `loaded` or `load`; the shown cases, `hidden`, the hidden cases, the calls
    of pairs (`again`), the timed cases; `end`. A listing has `listed` in the place of cases, and
    may fail half-way. `stopped` follows a stop alone. `parsed` is written before any line of the
    code runs: code that was read cannot make up that it was not. A call that looks back is sent
    only where a result has changed.
    """

    cases: Sequence[Case] = ()
    calls: Sequence[PairedCall] = ()
    lists: bool = False
    observations: list[Observation | None] = field(init=False)
    paired: list[Observation | None] = field(init=False)
    listed: list[Case] = field(default_factory=list)
    parsed: bool = False
    loaded: bool = False
    ended: bool = False
    load_failure: Failure | None = None
    stopped: Failure | None = None

    def __post_init__(self) -> None:
        self.observations = [None] * len(self.cases)
        self.paired = [None] * len(self.calls)
        order = order_of(self.cases)
        timed = sum(case.probe == "time" for case in self.cases)
        asked = [("case", place) for place in order]
        again = [("again", number) for number in range(len(self.calls))]
        untimed = len(order) - timed
        self._due = [*asked[:untimed], *again, *asked[untimed:]]
        self._first_hidden = count_shown(self.cases)
        self._asked = self._first_hidden == len(self._due)
        self._read = 0
        self._look_back: tuple[str, int] | None = None  # the one whose frame may come next

    def take(self, frame: Frame) -> None:
        """Read one frame; raises BadFrame."""
        if self.ended:
            raise BadFrame("a frame after the last one")
        kind = frame.header.get("kind")
        if kind == "end":
            self.ended = True
        elif self.load_failure:
            raise BadFrame("a frame of code that did not load")
        elif kind == "load" and (self.lists or not self.loaded):
            stages = (Stage.IMPORTS, Stage.NAME, Stage.RETURNED)
            self.load_failure = _read_failure(frame.header.get("failure"), stages)
        elif kind == "parsed" and not (self.parsed or self.loaded):
            self.parsed = True
        elif kind == "loaded" and not self.loaded:
            self.loaded = self.parsed = True
        elif kind == "listed" and self.lists and self.loaded:
            self.listed += decode_cases(frame)
        elif kind == "hidden" and self._is_at_hidden():
            self._asked = True
        elif kind in ("case", "again"):
            self._take_result(frame, kind)
        else:
            raise BadFrame("a frame of a kind that is not due")

    def take_late(self, frame: Frame) -> None:
        """Read a frame after the word to stop: only where the code was, no result; raises BadFrame.

        Nobody stops code before that, so a frame that says so earlier was made up.
        """
        if frame.header.get("kind") == "stopped" and self.stopped is None:
            self.stopped = _read_failure(frame.header.get("failure"), (Stage.RETURNED,))
            if not self.stopped.time:
                raise BadFrame("a run that stopped without a reason")

    def check_complete(self) -> None:
        """Raise BadFrame unless a finished run has a result for every case, or says why not."""
        complete = self.loaded and self._read == len(self._due)
        if not (self.ended and (self.load_failure or complete)):
            raise BadFrame("the result of a case is missing")

    def _is_at_hidden(self) -> bool:
        return self.loaded and not self._asked and self._read == self._first_hidden

    def _take_result(self, frame: Frame, kind: str) -> None:
        due = self._read < (len(self._due) if self._asked else self._first_hidden)
        index = frame.header.get("index")
        if not self.loaded or type(index) is not int:
            raise BadFrame("a result for a case that is not due")
        if (kind, index) == self._look_back:
            self.paired[index], self._look_back = _read_paired(frame), None
            return
        if not due or (kind, index) != self._due[self._read]:
            raise BadFrame("a result for a case that is not due")
        if kind == "case":
            self.observations[index] = _read_case(frame, self.cases[index])
        else:
            self.paired[index] = _read_paired(frame)
        self._read += 1
        self._take_look_back()

    def _take_look_back(self) -> None:
        """Take a look back that is due as one that shows no change: a frame may still say more."""
        self._look_back = None
        kind, number = self._due[self._read] if self._read < len(self._due) else ("", 0)
        if kind == "again" and self.calls[number].looks_back:
            same = [at for at in range(number) if self.calls[at].place == self.calls[number].place]
            self.paired[number] = self.paired[same[-1]]
            self._look_back = kind, number
            self._read += 1


def _read_case(frame: Frame, case: Case) -> Observation:
    """Return what one case gave, with facts in the place of arrays that a probe looked at."""
    observation = read_observation(frame)
    if observation.failure is not None:
        return observation
    check_leaves(case, observation.leaves)
    return Observation(measure_properties(case, observation.leaves))


def _read_paired(frame: Frame) -> Observation:
    """Return what one call of a pair returned, or that it failed."""
    observation = read_observation(frame)
    if observation.failure is None:
        check_result(observation.leaves)
    return observation


def write_observation(observation: Observation) -> bytes:
    """Write a case frame that `read_observation` reads; a failure keeps its stage and type only."""
    if observation.failure is not None:
        failure = {"rung": observation.failure.stage.value, "type": observation.failure.type}
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
    """Return the observation in a case frame; raises BadFrame."""
    failure = frame.header.get("failure")
    if failure is not None:
        return Observation(failure=_read_failure(failure, _RAISED_AT))
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


def _read_leaf(entry: object, arrays: Mapping[str, Array]) -> tuple[str, Leaf]:
    if type(entry) is not dict:
        raise BadFrame("a leaf is not an object")
    kind = entry.get("kind")
    if type(kind) is not str or kind not in KINDS:
        raise BadFrame("a leaf of no known kind")
    shape = entry.get("shape", [])
    if type(shape) is not list or len(shape) > MAX_DIMENSIONS or not all(map(_is_length, shape)):
        raise BadFrame("a leaf has an impossible shape")
    name, values = entry.get("array"), None
    if name is not None:
        values = arrays.get(name) if type(name) is str else None
        if values is None or list(values.shape) != shape:
            raise BadFrame("a leaf and its array disagree")
    leaf = Leaf(
        kind=kind,
        type=_text(entry, "type", MAX_WORD),
        dtype=_text(entry, "dtype", MAX_WORD),
        shape=tuple(shape),
        length=_whole_number(entry, "length"),
        values=values,
    )
    return _key(entry), leaf


def _is_length(length: object) -> bool:
    return type(length) is int and 0 <= length < 1 << 53


def _key(entry: Mapping[str, Any]) -> str:
    """Return the name of a leaf, as it stands: cleaned, two names might become one."""
    key = entry.get("key")
    if type(key) is not str or not 0 < len(key) <= MAX_KEY or not key.isprintable():
        raise BadFrame("a leaf has no usable name")
    return key


def _read_failure(plain: object, stages: Collection[Stage]) -> Failure:
    """Return a failure at one of these stages; its texts are cleaned here for all pages."""
    if type(plain) is not dict or plain.get("rung") not in [stage.value for stage in stages]:
        raise BadFrame("a failure of no known kind")
    defined = plain.get("defined", [])
    if type(defined) is not list or not all(type(name) is str for name in defined):
        raise BadFrame("a failure lists no names")
    return Failure(
        stage=Stage(plain["rung"]),
        type=_text(plain, "type", MAX_WORD),
        message=_text(plain, "message", MAX_TEXT),
        traceback=_text(plain, "traceback", MAX_TEXT),
        line=_whole_number(plain, "line"),
        memory=plain.get("memory") is True,
        time=plain.get("time") is True,
        exit=plain.get("exit") is True,
        defined=tuple(clean_line(name, MAX_WORD) for name in defined[:8]),
        suggestion=_name(plain, "suggestion"),
    )


def _text(plain: Mapping[str, Any], key: str, most: int) -> str:
    value = plain.get(key, "")
    if type(value) is not str:
        raise BadFrame(f"{key} is not text")
    if len(value) <= MAX_WORD and value.isprintable() and value.isascii():
        return value  # nearly all are names, and cleaning each took 2 ms of a module's verdict
    return clean(value, most)


def _name(plain: Mapping[str, Any], key: str) -> str:
    """Return a name of Python's in ASCII; "" where there is none."""
    name = _text(plain, key, MAX_WORD)
    return name if len(name) <= MAX_WORD and name.isascii() and name.isidentifier() else ""


def _whole_number(plain: Mapping[str, Any], key: str) -> int | None:
    value = plain.get(key)
    if value is not None and (type(value) is not int or not -1 <= value < 1 << 53):
        raise BadFrame(f"{key} is not a whole number")
    return value
