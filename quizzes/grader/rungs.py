"""The ladder for one case: the first rung at which an observation differs from the expected one."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from quizzes.grader import wording
from quizzes.grader.case_pack import EntryPoint
from quizzes.grader.comparison import Difference, difference, first_not_finite
from quizzes.grader.observation import Failure, Leaf, Observation
from quizzes.grader.report import Rung

NUMERIC_KINDS = ("array", "tensor", "number")
_PYTHON_DTYPES = {"float": "float64", "int": "int64", "complex": "complex128"}


@dataclass(frozen=True)
class CaseFault:
    """What is wrong in one case; `key` names the leaf, `difference` its numbers."""

    rung: Rung
    message: str
    key: str | None = None
    difference: Difference | None = None


def find_fault(
    expected: Observation, got: Observation, entry: EntryPoint, call: str
) -> CaseFault | None:
    """None when the case passes. `call` is how the student would type it."""
    if got.failure is not None and expected.failure is not None:
        return _failure_fault(got.failure, entry, call) if _is_our_limit(got.failure) else None
    if got.failure is not None:
        return _failure_fault(got.failure, entry, call)
    if expected.failure is not None:
        what = wording.describe_result(got)
        return CaseFault(Rung.RETURNED, f"your code returned {what}; here it must raise an error")
    return next(_faults(expected, got, entry), None)


def _faults(expected: Observation, got: Observation, entry: EntryPoint) -> Iterator[CaseFault]:
    results = {key: leaf for key, leaf in expected.leaves.items() if not key.startswith("changed.")}
    given = {key: leaf for key, leaf in got.leaves.items() if not key.startswith("changed.")}
    if any(leaf.kind == "none" for leaf in given.values()) and results:
        yield CaseFault(Rung.RETURNED, "your code returned None: is a `return` missing?")
        return
    if results.keys() != given.keys():
        wanted, what = wording.describe_result(expected), wording.describe_result(got)
        yield CaseFault(Rung.STRUCTURE, f"your code returned {what}, expected {wanted}")
        return
    for check in _LEAF_CHECKS:
        for key, leaf in results.items():
            fault = check(key, leaf, given[key], entry)
            if fault is not None:
                yield fault
                return
    for key in expected.leaves:
        if key.startswith("changed.") and _flag(got.leaves.get(key)) != _flag(expected.leaves[key]):
            name = key.removeprefix("changed.")
            message = f"your code changed its argument {name}: work on a copy"
            yield CaseFault(Rung.SIDE_EFFECTS, message, key)


def _check_kind(key: str, wanted: Leaf, given: Leaf, _entry: EntryPoint) -> CaseFault | None:
    if given.kind in NUMERIC_KINDS and (given.kind != "number" or wanted.shape == ()):
        return None
    message = f"{wording.subject(key)} is {wording.describe_leaf(given)}, expected an array"
    return CaseFault(Rung.STRUCTURE, message, key)


def _check_shape(key: str, wanted: Leaf, given: Leaf, _entry: EntryPoint) -> CaseFault | None:
    if given.shape == wanted.shape:
        return None
    message = f"{wording.subject(key)} has shape {given.shape}, expected {wanted.shape}"
    return CaseFault(Rung.SHAPE, message, key)


def _check_dtype(key: str, _wanted: Leaf, given: Leaf, entry: EntryPoint) -> CaseFault | None:
    dtype = _PYTHON_DTYPES.get(given.dtype, given.dtype)
    if dtype in entry.dtypes:
        return None
    accepted = " or ".join(entry.dtypes)
    message = f"{wording.subject(key)} has dtype {wording.plain_dtype(dtype)}, expected {accepted}"
    return CaseFault(Rung.DTYPE, message, key)


def _check_finite(key: str, wanted: Leaf, given: Leaf, _entry: EntryPoint) -> CaseFault | None:
    if given.values is None or wanted.values is None:
        return CaseFault(Rung.LIMIT, "your code returned more numbers than can be compared", key)
    place = first_not_finite(wanted.values, given.values)
    if place is None:
        return None
    value = given.values[place]
    message = (
        f"{wording.subject(key)} has {value} at {wording.index(place)}, expected a finite number"
    )
    return CaseFault(Rung.FINITE, message, key)


def _check_values(key: str, wanted: Leaf, given: Leaf, entry: EntryPoint) -> CaseFault | None:
    assert wanted.values is not None
    assert given.values is not None
    found = difference(wanted.values, given.values, entry.tolerance)
    if found is None:
        return None
    message = wording.describe_difference(key, wanted.values, given.values, found)
    return CaseFault(Rung.VALUES, message, key, found)


LeafCheck = Callable[[str, Leaf, Leaf, EntryPoint], CaseFault | None]
_LEAF_CHECKS: tuple[LeafCheck, ...] = (
    _check_kind,
    _check_shape,
    _check_dtype,
    _check_finite,
    _check_values,
)


def _failure_fault(failure: Failure, entry: EntryPoint, call: str) -> CaseFault:
    if failure.memory:
        return CaseFault(Rung.LIMIT, wording.limit_message("memory", entry.limits))
    return CaseFault(failure.rung, wording.describe_failure(failure, entry.name, call))


def _is_our_limit(failure: Failure) -> bool:
    return failure.memory or failure.rung is Rung.SIGNATURE


def _flag(leaf: Leaf | None) -> bool:
    return leaf is not None and leaf.values is not None and bool(leaf.values.any())
