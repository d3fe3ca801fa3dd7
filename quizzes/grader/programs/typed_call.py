"""The arguments of a call that a learner types, as a case of the exercise.

The call is Python and hostile, so it is evaluated in the student's sandbox, in a process in which
no reference ever is. The name that is called stands there for a recorder, which only notes its
arguments. They leave as a result does, in the frames of grading: numbers, arrays and the bytes of
texts, checked and bounded here. What the process says beyond that is no case.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from quizzes.grader.judge import messages
from quizzes.grader.judge.case_pack import EntryPoint
from quizzes.grader.programs import sentences
from quizzes.grader.protocol.case import PLAIN_CALLS, Case
from quizzes.grader.protocol.job import Ending, Job, Limits, Sandbox
from quizzes.grader.protocol.observation import Leaf, Observation
from quizzes.grader.protocol.read_results import read_run
from quizzes.grader.protocol.sanitize import clean, clean_line

MOST_NUMBERS = 4096  # of all arrays of a call together
MOST_CHARACTERS = 80  # of an argument that is text
_ENTRY = "_read_call"
_REFUSED, _SEVERAL = "out.refused", "out.several"
_CALL, _INIT, _TEXT = "call ", "init ", "text "  # before the name of an argument
_NUMERIC = ("array", "tensor", "number")
_RECORDER = f"""
def {_ENTRY}():
    import inspect, math, sys, types
    import numpy as np
    def as_bytes(text):
        return np.frombuffer(str(text)[:400].encode("utf-8", "replace"), np.uint8)
    module = types.ModuleType("__main__")
    sys.modules["__main__"] = sys.modules["submission"] = module
    exec(compile(_SOURCE, "program.py", "exec"), module.__dict__)
    target, calls = module.__dict__[_NAME], []
    def bind(function, args, kwargs):
        return dict(inspect.signature(function).bind(*args, **kwargs).arguments)
    def note(call, init):
        calls.append((call, init))
    class Module:
        def __init__(self, *args, **kwargs):
            self._init = bind(target, args, kwargs)
        def __call__(self, *args, **kwargs):
            call = bind(target.forward, (self, *args), kwargs)
            note({{name: value for name, value in call.items() if value is not self}}, self._init)
        forward = __call__
        def eval(self):
            return self
    def function(*args, **kwargs):
        note(bind(target, args, kwargs), {{}})
    scope = {{"np": np, "numpy": np, "math": math, _NAME: Module if _IS_MODULE else function}}
    library = "tor" + "ch"  # the word itself would take every job to its fork server
    if library in sys.modules:
        scope[library] = sys.modules[library]
    try:
        typed = compile(_TYPED, "call", "exec")
    except (SyntaxError, ValueError, MemoryError, RecursionError) as error:
        return {{"refused": as_bytes(getattr(error, "msg", None) or type(error).__name__)}}
    exec(typed, scope)
    if len(calls) != 1:
        return {{"several": np.asarray(len(calls))}}
    values_by_name = {{}}
    for values, group in zip(calls[0], ({_CALL!r}, {_INIT!r})):
        for name, value in values.items():
            if isinstance(value, str):
                values_by_name[{_TEXT!r} + group + name] = as_bytes(value)
            else:
                values_by_name[group + name] = value
    return values_by_name
"""


@dataclass(frozen=True, eq=False)
class TypedCall:
    """What was typed: a case, or the sentence that says why it is none."""

    case: Case | None
    problem: str = ""
    seconds: float = 0.0


def read_typed_call(
    typed: str, program: str, entry: EntryPoint, sandbox: Sandbox, *, limits: Limits
) -> TypedCall:
    """Evaluate a call in the student's sandbox. Raises SandboxBroken, MachineTooBusy.

    `program` says by its signatures which arguments there are; it is not called.
    """
    case = Case("the call", shown=True)
    values = (f"{program}\n\n{entry.below}", entry.name, typed, entry.kind == "module")
    facts = f"_SOURCE, _NAME, _TYPED, _IS_MODULE = {values!r}\n"
    source = f"exec(compile({facts + _RECORDER!r}, 'runner.py', 'exec'))\n"
    job = Job(source, _ENTRY, (case,), entry.library, limits=limits, filename="call")
    run = sandbox.run(job)
    seconds = run.seconds + run.waited
    observed = read_run(run, job.cases)
    observation = observed.observations[0]
    try:
        if observed.ending is Ending.GARBLED:
            raise _RefusedError(sentences.CALL_FORGED)
        if run.ran_out_of_time or observed.stopped is not None:
            raise _RefusedError(sentences.call_takes_long(limits.wall_seconds))
        if observed.ending is not Ending.FINISHED:
            raise _RefusedError(sentences.call_needs_much())
        if observation is None:
            raise _RefusedError(sentences.call_needs_much())
        return TypedCall(_case(observation, entry), seconds=seconds)
    except _RefusedError as error:
        return TypedCall(None, str(error), seconds)


class _RefusedError(Exception):
    """What was typed is no case; `str()` is the sentence."""


def _case(observation: Observation, entry: EntryPoint) -> Case:
    failure, leaves = observation.failure, observation.leaves
    if failure is not None:
        if failure.memory:
            raise _RefusedError(sentences.call_needs_much())
        raise _RefusedError(sentences.call_raised(failure.type, clean_line(failure.message, 200)))
    if _REFUSED in leaves:
        raise _RefusedError(messages.sentence(sentences.call_refused(_text(leaves[_REFUSED]))))
    if _SEVERAL in leaves:
        raise _RefusedError(sentences.not_a_call(entry.name, is_module=entry.kind == "module"))
    groups: dict[str, dict[str, Any]] = {_CALL: {}, _INIT: {}}
    for key, leaf in leaves.items():
        name = key.removeprefix("out.")
        is_text = name.startswith(_TEXT)
        name = name.removeprefix(_TEXT)
        group = next((known for known in groups if name.startswith(known)), None)
        if group is None:
            raise _RefusedError(sentences.not_a_call(entry.name, is_module=entry.kind == "module"))
        name, _, part = name.removeprefix(group).partition(".")
        if part:
            raise _RefusedError(sentences.not_an_argument(clean_line(name, 40), "a list or dict"))
        groups[group][name] = _text(leaf) if is_text else _argument(name, leaf)
    _check_size({**groups[_CALL], **groups[_INIT]})
    is_module = entry.kind == "module"
    try:
        return Case(
            "yours",
            groups[_CALL],
            groups[_INIT] if is_module else None,
            PLAIN_CALLS[entry.kind],
            shown=True,
        )
    except ValueError as error:
        raise _RefusedError(sentences.CALL_FORGED) from error


def _argument(name: str, leaf: Leaf) -> Any:
    """Return an argument as a case has it; a list or an object is none."""
    name = clean_line(name, 40)
    if leaf.kind == "none":
        return None
    values = leaf.values
    if leaf.kind not in _NUMERIC:
        raise _RefusedError(sentences.not_an_argument(name, messages.describe_leaf(leaf)))
    if values is None or values.dtype.kind not in "biuf":
        raise _RefusedError(sentences.no_usable_numbers(name))
    if values.dtype.kind == "f" and bool(np.isnan(values).any()):
        raise _RefusedError(sentences.has_nan(name))
    return values.item() if leaf.kind == "number" else values


def _check_size(arguments: Mapping[str, Any]) -> None:
    arrays = [value for value in arguments.values() if isinstance(value, np.ndarray)]
    if sum(max(array.size, 1) for array in arrays) > MOST_NUMBERS:
        raise _RefusedError(sentences.too_many_numbers(MOST_NUMBERS))
    if any(isinstance(item, str) and len(item) > MOST_CHARACTERS for item in arguments.values()):
        raise _RefusedError(sentences.text_too_long(MOST_CHARACTERS))


def _text(leaf: Leaf) -> str:
    if leaf.values is None or leaf.values.dtype != np.uint8 or leaf.values.ndim != 1:
        raise _RefusedError(sentences.CALL_FORGED)
    return " ".join(clean(leaf.values[:1600].tobytes(), 400).split())
