"""Which frames a run may send, and which leaves the frame of a case may hold.

Submitted code shares a process with the harness and can send any frame at all. So what is accepted
follows from the job alone: its task, the order of its cases, and of each case the probe and the
arguments. Whatever else arrives is a bad frame.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from quizzes.grader.protocol.case import OF_A_BUFFER, Case, count_looks, first_array
from quizzes.grader.protocol.observation import Leaf
from quizzes.grader.protocol.wire import BadFrame, is_carried_in

FLAG, COUNT = "bool", "int64"  # the two kinds of facts: yes or no, and how many
MOST_COUNTED = 1 << 53
NUMERIC_KINDS = ("array", "tensor", "number")
_MOVES = {"fact.moves": FLAG}
_FACTS: Mapping[str, Mapping[str, str]] = {
    "call_eval": {"fact.eval_repeats": FLAG, "fact.modules_alike": FLAG},
    "parameters": {"fact.trainable": COUNT, "fact.frozen": COUNT},
    "buffers_and_state": {"fact.buffers": FLAG, **_MOVES},
    "moves": _MOVES,
    "grad_input": {"fact.reaches_input": FLAG},
    "grad_parameters": {"fact.reached": COUNT},
}
_BUFFER_FACTS = ("fact.buffer_named", "fact.buffer_saved", "fact.buffer_read")
_OF_A_BUFFER = dict(zip(OF_A_BUFFER, _BUFFER_FACTS, strict=True))
_RETURNS = ("call", "call_eval")  # whatever the code returned is described beside the facts
_SHOWN_ONLY = {
    "buffers_and_state": "seen.moves",
    "moves": "seen.moves",
    "time": "seen.seconds",
}


@dataclass(frozen=True)
class Form:
    """The keys that the leaves of one case have; `result`: and those of any result, `out...`."""

    keys: frozenset[str]
    result: bool = False
    optional: frozenset[str] = frozenset()

    def fits(self, keys: frozenset[str]) -> bool:
        """Say whether a frame with leaves of these names is of this form."""
        rest = keys - self.keys - self.optional
        return self.keys <= keys and (is_result(rest) if self.result else not rest)


def is_result(keys: frozenset[str]) -> bool:
    """Say whether they name one result, `out`, or the parts of one, `out.0`, `out.cos`."""
    return keys == {"out"} or (bool(keys) and all(key.startswith("out.") for key in keys))


def forms_of(case: Case) -> Sequence[Form]:
    """Return each form that the frame of this case may have when the code did not raise."""
    arrays = tuple(name for name, value in case.kwargs.items() if _is_array(value))
    differentiated = first_array(case) if case.probe == "grad_input" else ""
    buffers = tuple(name for name in OF_A_BUFFER if name in case.kwargs)
    return _forms(case.probe, arrays, differentiated, count_looks(case), buffers)


@lru_cache(maxsize=1024)  # made for each case, they took 0.5 ms of a module's verdict
def _forms(
    probe: str, arrays: Sequence[str], differentiated: str, looks: int, buffers: Sequence[str]
) -> Sequence[Form]:
    keys = {*_FACTS.get(probe, {})}
    if probe in (*_RETURNS, "input_unchanged"):
        keys |= {f"changed.{name}" for name in arrays}
    if probe == "buffers_and_state":
        keys |= {_OF_A_BUFFER[name] for name in buffers}
    if probe == "grad_input":
        keys.add(f"grad.{differentiated}")
    if probe == "grad_parameters":
        keys.add("grad.parameters")
    keys |= {f"look.{place}" for place in range(looks)}
    optional = frozenset({_SHOWN_ONLY[probe]} if probe in _SHOWN_ONLY else ())
    form = Form(frozenset(keys), probe in _RETURNS, optional)
    if probe == "time":
        return (form, Form(frozenset(optional), result=True))
    if looks or probe in ("grad_input", "grad_parameters"):
        return (form, Form(frozenset(), result=True))
    return (form,)


def check_leaves(case: Case, leaves: Mapping[str, Leaf]) -> None:
    """Raise BadFrame unless the leaves are of a form that the case has, and each is possible."""
    keys = frozenset(leaves)
    if not any(form.fits(keys) for form in forms_of(case)):
        raise BadFrame("a case has other leaves than its probe sends")
    for key, leaf in leaves.items():
        check_leaf(leaf)
        if leaf.kind == "random" and not (case.probe == "call_eval" and key.startswith("out")):
            raise BadFrame("a leaf is random where chance is not looked at")
        if key.startswith(("fact.", "changed.")):
            _check_fact(key, leaf, _FACTS.get(case.probe, {}).get(key, FLAG))
        elif key.startswith("seen."):
            _check_measured(leaf)
        elif key.startswith(("look.", "grad.")) and leaf.kind not in ("array", "tensor", "object"):
            raise BadFrame("what is looked at is no array")


def check_result(leaves: Mapping[str, Leaf]) -> None:
    """Raise BadFrame unless the leaves are one result, as a call of a pair sends, each possible.

    Nothing else is looked at there: whether arguments were changed, or chance is in the result, its
    case has said before.
    """
    if not is_result(frozenset(leaves)):
        raise BadFrame("a call of a pair has other leaves than its result")
    for leaf in leaves.values():
        check_leaf(leaf)
        if leaf.kind == "random":
            raise BadFrame("a leaf is random where chance is not looked at")


def check_leaf(leaf: Leaf) -> None:
    """Raise BadFrame where kind, dtype, shape and numbers of a leaf contradict one another."""
    if leaf.kind not in NUMERIC_KINDS:
        if leaf.values is not None:
            raise BadFrame(f"a leaf of kind {leaf.kind} has numbers")
        return
    if leaf.kind == "number" and leaf.shape != ():
        raise BadFrame("a single number has a shape")
    if leaf.values is not None and not is_carried_in(leaf.dtype, leaf.values.dtype):
        raise BadFrame("an array does not have the dtype that is claimed for it")


def _check_fact(key: str, leaf: Leaf, dtype: str) -> None:
    number = _single(leaf, dtype)
    if dtype == COUNT and not 0 <= number < MOST_COUNTED:
        raise BadFrame(f"{key} counts an impossible number")


def _check_measured(leaf: Leaf) -> None:
    number = _single(leaf, "float64")
    if not (np.isfinite(number) and number >= 0):
        raise BadFrame("what was measured is no number")


def _single(leaf: Leaf, dtype: str) -> float:
    if leaf.kind != "array" or leaf.dtype != dtype or leaf.shape != () or leaf.values is None:
        raise BadFrame(f"a fact is not one number of dtype {dtype}")
    return float(leaf.values.item())


def _is_array(value: object) -> bool:
    return isinstance(value, np.ndarray)
