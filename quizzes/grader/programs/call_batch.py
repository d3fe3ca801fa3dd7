"""A batch of calls of one program: the places of a slider, each with what the call gives there.

`sample` is for any program and any expression: an exercise's `sinusoidal_table(positions, d_model)`
and equally `f(n, d)` with whatever names the sliders have. One fresh child makes all calls, a frame
for each, in the order of the places: those before a stop are kept. What leaves are arrays of real
numbers, bounded, and one sentence for each place that has none. Nothing of it is ever evaluated.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from quizzes.grader.judge import messages
from quizzes.grader.programs import sentences
from quizzes.grader.programs.output import printed
from quizzes.grader.protocol import wire
from quizzes.grader.protocol.case import Case
from quizzes.grader.protocol.job import Ending, Job, Limits, Run, Sandbox
from quizzes.grader.protocol.observation import Failure, Leaf, Observation, Observed
from quizzes.grader.protocol.read_results import read_run
from quizzes.grader.protocol.sanitize import clean, clean_line, storable

MOST_PLACES = 64
MAX_BYTES = 1 << 20  # of all arrays of a batch together, as float64
MAX_SENTENCE = 400
ENTRY = "_sample"
YOURS, REFERENCE = "yours", "reference"
_LIMITS = (Ending.OUTPUT_LIMIT, Ending.RESULT_LIMIT, Ending.MEMORY_LIMIT)
_BOUNDS = wire.Bounds(header=64 << 10, body=2 * MAX_BYTES)
Place = Mapping[str, int | float | str | bool]
Numbers = npt.NDArray[np.float64]

# The program has its own module, so that a line that is named is the learner's, and what it calls
# `_sample` is not this function. The word torch would take every job to torch's fork server.
_SAMPLER = f"""
def {ENTRY}(**place):
    return eval(_compiled, {{**_names, **_module.__dict__, **place}})
import linecache, math, sys, types
import numpy as np
_names = {{"np": np, "numpy": np, "math": math}}
_module = types.ModuleType("__main__")
sys.modules["__main__"] = sys.modules["submission"] = _module
for _path, _text in (("submission.py", _SOURCE), ("call", _CALL)):
    linecache.cache[_path] = (len(_text), None, _text.splitlines(True), _path)
_compiled = compile(_CALL, "call", "eval")
exec(compile(_SOURCE, "submission.py", "exec"), _module.__dict__)
if "tor" + "ch" in sys.modules:
    _names["tor" + "ch"] = sys.modules["tor" + "ch"]
"""


@dataclass(frozen=True, eq=False)
class Sample:
    """What a program gave at each place, in their order.

    `arrays`: float64 with one or two axes; None for a place with a problem. `problems`: a sentence
    for each place, "" for one with an array. `problem`: of the whole run, where it did not come to
    its end. `line`: of the learner's code. `kind`: "tensor" where all arrays are of torch, else
    "array". `references`: what the reference gives, None where it was not called. `output`: what
    the program printed on its way to the first place, clean and bounded; `is_cut`: it was more.
    """

    arrays: tuple[Numbers | None, ...]
    problems: tuple[str, ...]
    problem: str = ""
    line: int | None = None
    kind: str = "array"
    seconds: float = 0.0
    references: tuple[Numbers | None, ...] | None = None
    output: str = ""
    is_cut: bool = False

    ran_out_of_time = False  # it is not tried again in the slow lane: a hand is waiting

    def beside(self, reference: Sample) -> Sample:
        """Return it with what the reference gave at the same places.

        What a reference says of its own failure is for its author, not for a learner.
        """
        seconds = self.seconds + reference.seconds
        return replace(self, references=reference.arrays, seconds=seconds)

    def in_shapes(self, shapes: Sequence[tuple[int, int]]) -> Sample:
        """Return it with the arrays that have the shape of their place, as two axes.

        One axis stands for one row. Any other array becomes a sentence: it is not drawn, so it is
        not stored.
        """
        pairs = [
            _in_shape(array, problem, shape)
            for array, problem, shape in zip(self.arrays, self.problems, shapes, strict=True)
        ]
        return replace(
            self,
            arrays=tuple(array for array, _ in pairs),
            problems=tuple(problem for _, problem in pairs),
        )

    @property
    def is_whole(self) -> bool:
        """Whether there is an array for every place."""
        return not self.problem and not any(self.problems)

    @property
    def picture(self) -> bytes:
        """Return the arrays as one wire frame, to be kept in a binary column."""
        named = [(f"{YOURS}.{at}", array) for at, array in enumerate(self.arrays)]
        named += [(f"{REFERENCE}.{at}", array) for at, array in enumerate(self.references or ())]
        arrays = [(name, array) for name, array in named if array is not None]
        return wire.encode({"has_references": self.references is not None}, arrays)

    def as_json(self) -> dict[str, Any]:
        """Return the rest of what is stored: plain data, ready for any database."""
        plain = {
            "problems": list(self.problems),
            "problem": self.problem,
            "line": self.line,
            "kind": self.kind,
            "seconds": self.seconds,
            "output": self.output,
            "is_cut": self.is_cut,
        }
        stored: dict[str, Any] = storable(plain)
        return stored

    @classmethod
    def from_stored(cls, stored: object, arrays: bytes | None) -> Sample:
        """Return what was stored; raises ValueError for anything else."""
        if not isinstance(stored, dict) or not isinstance(stored.get("problems"), list):
            raise ValueError("not what came of a batch of calls")
        try:
            frame = wire.decode(arrays or b"", _BOUNDS)
            places = range(len(stored["problems"]))
            own, right = (
                tuple(_stored_array(frame.arrays.get(f"{name}.{at}")) for at in places)
                for name in (YOURS, REFERENCE)
            )
            references = right if frame.header.get("has_references") is True else None
            problems = tuple(map(str, stored["problems"]))
            rest = {name: stored[name] for name in ("problem", "line", "kind", "seconds")}
            rest |= {"output": str(stored.get("output", "")), "is_cut": bool(stored.get("is_cut"))}
            return cls(own, problems, references=references, **rest)
        except (wire.BadFrame, KeyError, TypeError) as error:
            raise ValueError(f"not what came of a batch of calls: {error}") from error


def sample(
    program: str,
    call: str,
    places: Sequence[Place],
    sandbox: Sandbox,
    *,
    library: str = "numpy",
    limits: Limits | None = None,
) -> Sample:
    """Evaluate the call at each place, those that matter most first, in one run.

    `call`: an expression in the names of the program and of a place; `np`, `math`, and torch where
    it is loaded, are known too. `library`: "torch" loads it before the program asks for it.
    Raises ValueError for a call that is no expression or for too many places; SandboxBroken,
    MachineTooBusy.
    """
    limits = limits or Limits()
    job = _job(program, call, places, library, limits)
    run = sandbox.run(job)
    observed = read_run(run, job.cases)
    stop = _stop(run, observed, limits)
    room = MAX_BYTES
    arrays: list[Numbers | None] = []
    problems: list[str] = []
    forged = observed.ending is Ending.GARBLED
    for observation in observed.observations:
        array, problem = (None, stop) if observation is None or forged else _read(observation)
        if array is not None and array.nbytes > room:
            array, problem = None, sentences.NO_ROOM
        if array is not None:
            room -= array.nbytes
        arrays.append(array)
        problems.append(clean(messages.sentence(problem), MAX_SENTENCE) if problem else "")
    failure = observed.load_failure or observed.stopped
    line = failure.line if failure else None
    kinds = {
        leaf.kind
        for observation in observed.observations
        for leaf in (observation.leaves if observation else {}).values()
    }
    output, is_cut = printed(run)
    return Sample(
        tuple(arrays),
        tuple(problems),
        problem=clean(messages.sentence(stop), MAX_SENTENCE) if stop else "",
        line=line if line and line <= program.count("\n") + 1 else None,
        kind="tensor" if kinds == {"tensor"} else "array",
        seconds=run.seconds + run.waited,
        output=output,
        is_cut=is_cut,
    )


def _job(program: str, call: str, places: Sequence[Place], library: str, limits: Limits) -> Job:
    if not 0 < len(places) <= MOST_PLACES:
        raise ValueError(f"{len(places)} places, expected 1 to {MOST_PLACES}")
    try:
        compile(call, "call", "eval", dont_inherit=True)
    except (SyntaxError, ValueError, MemoryError, RecursionError) as error:
        raise ValueError(f"call={call!r}: expected a Python expression") from error
    # What is printed counts at the first place alone: 64 times the same would be noise.
    cases = tuple(Case(f"place {at}", dict(place), shown=not at) for at, place in enumerate(places))
    text = f"_SOURCE, _CALL = {program!r}, {call!r}\n{_SAMPLER}"
    source = f"exec(compile({text!r}, 'sampler.py', 'exec'))\n"
    return Job(source, ENTRY, cases, library, limits=limits, filename="submission.py")


def _stop(run: Run, observed: Observed, limits: Limits) -> str:
    """Say why the run as a whole did not come to its end; "" where it did."""
    if observed.ending is Ending.GARBLED:
        return messages.FORGED
    if observed.load_failure is not None and not observed.load_failure.memory:
        return messages.describe_failure(observed.load_failure, ENTRY, "")
    if run.ran_out_of_time or observed.stopped is not None:
        line = observed.stopped.line if observed.stopped else None
        return messages.out_of_time(observed.seconds, limits, line, among_cases=False)
    if observed.ending in _LIMITS or observed.load_failure is not None:
        limit = observed.ending if observed.ending in _LIMITS else Ending.MEMORY_LIMIT
        return messages.limit_message(limit, limits)
    if observed.ending is Ending.DIED:
        return messages.broke_off(observed.death)
    return ""


def _read(observation: Observation) -> tuple[Numbers | None, str]:
    """Return the array of a place, or the sentence that says why it has none."""
    failure = observation.failure
    if failure is not None:
        return None, _failed(failure)
    if set(observation.leaves) != {"out"}:
        return None, sentences.several_results(messages.describe_result(observation))
    return _array(observation.leaves["out"])


def _failed(failure: Failure) -> str:
    if failure.memory:
        return messages.limit_message(Ending.MEMORY_LIMIT, Limits())
    if failure.line is None and not failure.exit:  # not in the code: in what is done with its value
        return sentences.call_raised(failure.type, clean_line(failure.message, 200).rstrip("."))
    return messages.describe_failure(failure, ENTRY, "")


def _array(leaf: Leaf) -> tuple[Numbers | None, str]:
    values = leaf.values
    is_drawn = leaf.kind in ("array", "tensor") and 1 <= len(leaf.shape) <= 2
    if not is_drawn or 0 in leaf.shape:
        return None, sentences.not_drawn(messages.describe_leaf(leaf))
    if values is None or values.dtype.kind not in "biuf" or math.prod(leaf.shape) > MAX_BYTES // 8:
        what, dtype = messages.describe_leaf(leaf), clean_line(leaf.dtype, 40)
        return None, sentences.not_numbers(what, dtype)
    return values.astype(np.float64), ""


def _in_shape(
    array: Numbers | None, problem: str, shape: tuple[int, int]
) -> tuple[Numbers | None, str]:
    if array is None or array.shape == shape:
        return array, problem
    if shape[0] == 1 and array.shape == shape[1:]:
        return array[None, :], problem
    return None, messages.sentence(sentences.other_shape(array.shape, shape))


def _stored_array(array: wire.Array | None) -> Numbers | None:
    if array is not None and (array.dtype != np.float64 or array.ndim not in (1, 2)):
        raise wire.BadFrame("not an array of a batch")
    return array
