"""One case of an exercise: how the code is called and what is looked at.

`cases.py` of an exercise yields these, smallest first. Standard library, numpy and `wire` only:
this file is also bound read-only into the author sandbox.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from quizzes.grader.protocol.wire import BadFrame, Frame, can_carry, encode

PROBES = (
    "call",  # what the call returns, and whether it changed its arguments
    "input_unchanged",  # the second of these alone
    "time",  # how long it takes; for the verdict only where exercise.yaml says so
    # modules only
    "call_eval",  # the same in eval mode, and whether chance is in it
    "call_half",  # the result after .half(), and its dtype
    "call_twice_train",  # dropout: what is dropped in some calls, and what becomes of the rest
    "parameters",  # how many numbers are trained
    "buffers_and_state",  # whether there is a buffer, and what moves with the module
    "moves",  # the last of these alone
    "grad_parameters",  # the gradient of a weighted sum of the result, in training mode
    # modules and functions
    "grad_input",  # the same, for the first array argument
    "norm_change",  # whether lengths are kept
    "relative_scores",  # whether scores depend on the distance alone
    "rows_unique",  # the closest pair of rows
    "causal",  # whether a later row changes an earlier result
)
FOR_MODULES = PROBES[3:10]
RETURNING = ("call", "call_eval")
PLAIN_CALLS = {"function": "call", "module": "call_eval"}  # by the kind of an exercise
TRAINING_CALLS = ("first", "second", "other module")  # in training mode, with dropout
DROPOUT = "dropout"  # the argument of a constructor that says what share is dropped
OF_A_BUFFER = ("name", "saved", "read")  # what buffers_and_state is asked, no arguments of a call
USUAL_RATE = 0.5  # of a module whose constructor has another word for it
Scalar = str | int | float | bool | None
Argument = Any  # a Scalar or a numpy array; authors may also pass numpy scalars and torch tensors

MAX_LABEL = 120
_CLAUSE = re.compile(r"\A[1-9][0-9]{0,2}[a-z]?\Z")
MAX_SCALAR_TEXT = 4096


@dataclass(frozen=True, eq=False)
class Case:
    """`name(**kwargs)` for a function, `name(**init)(**kwargs)` for a module.

    `shown`: the student sees it, and what it printed. `identify`: a fingerprint case, of the fixed
    set on which known mistakes are told apart, so it must not depend on the random generator.
    `raises`: the code must raise an error here, of whatever type. `fill`: everything that a module
    trains is set to numbers before the call: 1/7, 2/7, 3/7 ..., or those that `fill_seed` draws.
    `spare`: a shrinking case, run only after a
    failure, to find a smaller input that fails. `pair`: the argument in which this case and another
    one with the same word differ, and in nothing else; the two are called again, one after the
    other, to find what code keeps between calls. `clause`: the clauses of the statement that this
    case is for, such as "5b" or "5a 5b"; without it, every clause.

    `fill_seed` and `refill_seed` are for the grader, which draws them for each pack: the numbers of
    the first filling, and of the second, after the calls of a pair. None: 1/7, 2/7, 3/7 ...
    """

    label: str
    kwargs: Mapping[str, Argument] = field(default_factory=dict)
    init: Mapping[str, Argument] | None = None
    probe: str = "call"
    shown: bool = False
    identify: bool = False
    raises: bool = False
    fill: bool = False
    spare: bool = False
    pair: str | None = None
    clause: str = ""
    fill_seed: int | None = None
    refill_seed: int | None = None

    @property
    def clauses(self) -> tuple[str, ...]:
        """The clauses that it is for; none: every clause."""
        return tuple(self.clause.split())

    @property
    def graded(self) -> bool:
        """Whether the verdict depends on it everywhere; time counts where exercise.yaml says so."""
        return self.probe != "time" and not self.spare

    @property
    def returns(self) -> bool:
        """Whether it is passed by what the code returns, and by nothing that it says of itself."""
        return self.graded and self.probe in RETURNING and not self.raises

    @property
    def refills(self) -> bool:
        """Whether a module of it is refilled once its pair has been called."""
        return self.fill and self.init is not None

    def __post_init__(self) -> None:
        if not isinstance(self.label, str) or not 0 < len(self.label) <= MAX_LABEL:
            raise ValueError(f"label={self.label!r}: expected 1 to {MAX_LABEL} characters")
        if not self.label.isprintable():  # it stands on terminals and in pages, beside other text
            raise ValueError(f"label={self.label!a}: expected one line of visible characters")
        if not isinstance(self.clause, str) or not all(map(_CLAUSE.match, self.clauses)):
            raise ValueError(f"clause={self.clause!r}: expected clauses such as '5b' or '5a 5b'")
        if self.probe not in PROBES:
            raise ValueError(f"probe={self.probe!r}: expected one of {', '.join(PROBES)}")
        if self.probe in FOR_MODULES and self.init is None:
            raise ValueError(f"probe={self.probe!r}: is for modules, expected init={{...}}")
        if self.identify and not self.graded:
            raise ValueError(f"{self.label!r}: a spare or time case cannot identify a mistake")
        if self.pair is not None:
            self._check_pair(self.pair)
        for group in (self.kwargs, self.init or {}):
            for name, value in group.items():
                if not isinstance(name, str) or not name.isidentifier():
                    raise ValueError(f"argument {name!r}: expected a Python name")
                _check_argument(name, value)

    def _check_pair(self, pair: str) -> None:
        names = [*self.kwargs, *(self.init or {})]
        if pair not in names:
            known = ", ".join(names) or "none"
            raise ValueError(f"pair={pair!r}: expected an argument of the case: {known}")
        if not self.returns or (self.init is not None and self.probe != "call_eval"):
            wanted = "call" if self.init is None else "call_eval"
            raise ValueError(
                f"pair={pair!r} in {self.label!r}: expected probe={wanted!r}, no raises, no spare"
            )


def encode_cases(cases: tuple[Case, ...], header: Mapping[str, Any]) -> bytes:
    """Return one frame with the cases beside whatever else the header says."""
    arrays: list[tuple[str, Any]] = []
    plain = [_case_to_plain(case, f"{index}", arrays) for index, case in enumerate(cases)]
    return encode({**header, "cases": plain}, arrays)


def decode_cases(frame: Frame) -> tuple[Case, ...]:
    """Return the cases of such a frame; raises BadFrame."""
    plain = frame.header.get("cases")
    if type(plain) is not list:
        raise BadFrame("the header lists no cases")
    return tuple(_case_from_plain(item, frame) for item in plain)


def arguments(case: Case) -> Iterator[tuple[str, Argument]]:
    """Yield constructor arguments, then call arguments, by name."""
    yield from (case.init or {}).items()
    yield from case.kwargs.items()


def has_arrays(case: Case) -> bool:
    """Say whether any argument of the call is an array."""
    return any(isinstance(value, np.ndarray) for value in case.kwargs.values())


def first_array(case: Case) -> str:
    """Return the name of the first argument that is an array of floating-point numbers."""
    for name, value in case.kwargs.items():
        if isinstance(value, np.ndarray) and value.dtype.kind == "f":
            return name
    raise ValueError(f"{case.label}: the probe {case.probe} needs an array argument")


def takes_pair(case: Case) -> bool:
    """Say whether queries and keys go in together, so that two results come out."""
    return {"q", "k"} <= case.kwargs.keys()


def dropout_rate(case: Case) -> float:
    """Return the share of numbers that a module of this case drops in training."""
    rate = (case.init or {}).get(DROPOUT, USUAL_RATE)
    usable = isinstance(rate, int | float) and 0 < rate < 1
    return float(rate) if usable else USUAL_RATE


def comparable_looks(case: Case) -> range:
    """Return the places of the looks that every right solution sends alike.

    Of dropout: not the calls with chance in them, but the one in eval mode after them.
    """
    start = len(TRAINING_CALLS) if case.probe == "call_twice_train" else 0
    return range(start, count_looks(case))


def count_looks(case: Case) -> int:
    """Count the arrays a property probe sends for the judge to look at; 0 for other probes."""
    if case.probe in ("rows_unique", "call_half"):
        return 1
    if case.probe == "call_twice_train":
        return len(TRAINING_CALLS) + 1
    if case.probe == "norm_change":
        return 2 if takes_pair(case) else 1
    if case.probe in ("relative_scores", "causal"):
        return 2 if has_arrays(case) else 1
    return 0


def _check_argument(name: str, value: Argument) -> None:
    if isinstance(value, np.ndarray):
        if not can_carry(value.dtype):
            raise ValueError(f"{name}: an array of dtype {value.dtype} cannot be passed")
    elif isinstance(value, str):
        if len(value) > MAX_SCALAR_TEXT:
            raise ValueError(f"{name}: expected at most {MAX_SCALAR_TEXT} characters")
    elif not (value is None or isinstance(value, bool | int | float)):
        raise ValueError(f"{name}={value!r}: expected a number, text, None or a numpy array")


def _case_to_plain(case: Case, key: str, arrays: list[tuple[str, Any]]) -> dict[str, Any]:
    def group(values: Mapping[str, Argument], part: str) -> dict[str, Any]:
        plain: dict[str, Any] = {}
        for name, value in values.items():
            if isinstance(value, np.ndarray):
                arrays.append((f"{key}.{part}.{name}", value))
                plain[name] = {"array": f"{key}.{part}.{name}"}
            else:
                plain[name] = {"value": _plain_scalar(value)}
        return plain

    return {
        "label": case.label,
        "kwargs": group(case.kwargs, "k"),
        "init": None if case.init is None else group(case.init, "i"),
        "probe": case.probe,
        "shown": case.shown,
        "identify": case.identify,
        "raises": case.raises,
        "fill": case.fill,
        "spare": case.spare,
        "pair": case.pair,
        **({"clause": case.clause} if case.clause else {}),
        "fill_seed": case.fill_seed,
        "refill_seed": case.refill_seed,
    }


def _plain_scalar(value: Scalar) -> Scalar:
    return value.item() if isinstance(value, np.generic) else value


def _case_from_plain(plain: object, frame: Frame) -> Case:
    def group(values: object) -> dict[str, Argument]:
        if type(values) is not dict:
            raise BadFrame("a case has no usable arguments")
        return {name: _argument_from_plain(value, frame) for name, value in values.items()}

    if type(plain) is not dict:
        raise BadFrame("a case is not an object")
    try:
        init = plain["init"]
        return Case(
            label=plain["label"],
            kwargs=group(plain["kwargs"]),
            init=None if init is None else group(init),
            probe=plain["probe"],
            shown=plain["shown"] is True,
            identify=plain["identify"] is True,
            raises=plain["raises"] is True,
            fill=plain.get("fill") is True,
            spare=plain.get("spare") is True,
            pair=plain.get("pair"),
            clause=plain.get("clause", ""),
            fill_seed=_seed(plain.get("fill_seed")),
            refill_seed=_seed(plain.get("refill_seed")),
        )
    except (KeyError, TypeError, ValueError) as error:
        raise BadFrame(f"a case cannot be read: {error}") from error


def _seed(plain: object) -> int | None:
    if plain is not None and (type(plain) is not int or plain < 0):
        raise ValueError("a seed is no whole number from 0 on")
    return plain


def _argument_from_plain(plain: object, frame: Frame) -> Argument:
    if type(plain) is dict and plain.keys() == {"array"} and plain["array"] in frame.arrays:
        return frame.arrays[plain["array"]]
    if type(plain) is dict and plain.keys() == {"value"}:
        value = plain["value"]
        if isinstance(value, float) and math.isnan(value):
            return math.nan
        return value
    raise BadFrame("an argument is neither a value nor an array")
