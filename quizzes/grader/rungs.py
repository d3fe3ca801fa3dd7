"""The ladder for one case: the first rung at which an observation differs from the expected one."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from quizzes.grader import wording
from quizzes.grader.case_pack import SAME_DTYPE, EntryPoint
from quizzes.grader.comparison import Difference, difference, first_not_finite
from quizzes.grader.fact_words import WORDS
from quizzes.grader.facts import CHANGED, FACT, GRAD, LOOK, measured_by, results_of, value_of
from quizzes.grader.observation import Failure, Leaf, Observation
from quizzes.grader.report import Rung

NUMERIC_KINDS = ("array", "tensor", "number")
OTHER_NUMBERS = "the property holds, but of other numbers than are expected here"
RANDOM = "two calls with the same input gave different results, so there is nothing to compare"
_PYTHON_DTYPES = {"float": "float64", "int": "int64", "complex": "complex128"}


@dataclass(frozen=True)
class CaseFault:
    """What is wrong in one case; `key` names the leaf, `difference` its numbers.

    `sides`: what is expected and what was got, where no leaf shows it.
    """

    rung: Rung
    message: str
    key: str | None = None
    difference: Difference | None = None
    sides: tuple[str, str] | None = None


def find_fault(
    expected: Observation, got: Observation, entry: EntryPoint, call: Callable[[], str]
) -> CaseFault | None:
    """None when the case passes. `call` says how the student would type it."""
    if got.failure is not None and expected.failure is not None:
        return _failure_fault(got.failure, entry, call) if _is_not_an_answer(got.failure) else None
    if got.failure is not None:
        return _failure_fault(got.failure, entry, call)
    if expected.failure is not None:
        what = wording.describe_result(got)
        return CaseFault(Rung.RETURNED, f"your code returned {what}; here it must raise an error")
    return next(_faults(expected, got, entry), None)


def _faults(expected: Observation, got: Observation, entry: EntryPoint) -> Iterator[CaseFault]:
    if any(leaf.kind == "random" for leaf in got.leaves.values()):
        yield from _fact_faults(expected, got)
        yield CaseFault(Rung.PROPERTIES, RANDOM)
        return
    results, given = results_of(expected), results_of(got)
    if any(leaf.kind == "none" for leaf in given.values()):
        yield CaseFault(Rung.RETURNED, "your code returned None: is a `return` missing?")
        return
    if given and not results:
        yield _not_measured(expected, given)
        return
    yield from _result_faults(results, given, entry)
    for key in expected.leaves:
        if key.startswith(CHANGED) and _flag(got.leaves.get(key)) != _flag(expected.leaves[key]):
            name = key.removeprefix(CHANGED)
            message = f"your code changed its argument {name}: work on a copy"
            sides = (f"{name} unchanged", f"{name} changed")
            yield CaseFault(Rung.SIDE_EFFECTS, message, key, sides=sides)
    yield from sorted(_fact_faults(expected, got), key=lambda fault: fault.rung.order)
    for key, leaf in expected.leaves.items():
        if key.startswith(GRAD):
            yield from _gradient_faults(key, leaf, got.leaves.get(key), entry)


def _not_measured(expected: Observation, given: Mapping[str, Leaf]) -> CaseFault:
    """No fault of shape: what a probe could not measure is told after cases with values."""
    facts = [key.removeprefix(FACT) for key in expected.leaves if key.startswith(FACT)]
    asked = next((WORDS[name].title for name in facts if name in WORDS), "The gradient is right")
    what = wording.describe_leaves(given)
    message = f"“{asked}” cannot be looked at: your code returned {what}"
    return CaseFault(Rung.PROPERTIES, message, sides=(asked, what))


def _result_faults(
    results: Mapping[str, Leaf], given: Mapping[str, Leaf], entry: EntryPoint
) -> Iterator[CaseFault]:
    if results.keys() != given.keys():
        wanted = wording.describe_leaves(results)
        what = wording.describe_leaves(given)
        message = f"your code returned {what}, expected {wanted}"
        yield CaseFault(Rung.STRUCTURE, message, sides=(wanted, what))
        return
    for check in _LEAF_CHECKS:
        for key, leaf in results.items():
            fault = check(key, leaf, given[key], entry)
            if fault is not None:
                yield fault
                return


def find_look_fault(expected: Observation, got: Observation, entry: EntryPoint) -> CaseFault | None:
    """Where the arrays behind a property are not those of a right solution; None when they are."""
    for key, leaf in expected.leaves.items():
        if not key.startswith(LOOK):
            continue
        given = got.leaves.get(key)
        values = None if given is None or given.shape != leaf.shape else given.values
        if leaf.values is None or values is None:
            return CaseFault(Rung.PROPERTIES, OTHER_NUMBERS)
        found = difference(leaf.values, values, entry.tolerance)
        if found is not None:
            said = wording.describe_difference("out", leaf.values, values, found)
            return CaseFault(Rung.PROPERTIES, f"{OTHER_NUMBERS}: {said}", key, found)
    return None


def _fact_faults(expected: Observation, got: Observation) -> Iterator[CaseFault]:
    for key in expected.leaves:
        name = key.removeprefix(FACT)
        if not key.startswith(FACT) or name not in WORDS:
            continue
        wanted, given = value_of(expected, key), value_of(got, key)
        if given is None:
            yield CaseFault(WORDS[name].rung, "your code's result cannot be looked at")
        elif wanted is not None and wanted != given:
            seen = measured_by(got, name)
            message = WORDS[name].fault(int(wanted), int(given), seen)
            yield CaseFault(WORDS[name].rung, message, key)


def _gradient_faults(
    key: str, wanted: Leaf, given: Leaf | None, entry: EntryPoint
) -> Iterator[CaseFault]:
    for_what = key.removeprefix(GRAD)
    name = "what is trained" if for_what == "parameters" else wording.plain_name(for_what)
    if given is None:
        yield CaseFault(Rung.STRUCTURE, f"there is no gradient of {name} to look at")
    elif wanted.shape != given.shape:
        message = f"the gradient of {name} has shape {given.shape}, expected {wanted.shape}"
        yield CaseFault(Rung.GRADIENTS, message, key)
    elif given.values is None or wanted.values is None:
        yield CaseFault(Rung.LIMIT, f"the gradient of {name} cannot be compared", key)
    elif given.values.dtype.kind != wanted.values.dtype.kind:
        dtypes = f"{wording.plain_dtype(given.dtype)}, expected {wording.plain_dtype(wanted.dtype)}"
        yield CaseFault(Rung.GRADIENTS, f"the gradient of {name} has dtype {dtypes}", key)
    else:
        found = difference(wanted.values, given.values, entry.tolerance)
        if found is not None:
            said = wording.describe_difference("out", wanted.values, given.values, found)
            message = f"the gradient of {name} differs: {said}"
            yield CaseFault(Rung.GRADIENTS, message, key, found)


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


def _check_dtype(key: str, wanted: Leaf, given: Leaf, entry: EntryPoint) -> CaseFault | None:
    dtype = _PYTHON_DTYPES.get(given.dtype, given.dtype)
    accepted = [wanted.dtype if word == SAME_DTYPE else word for word in entry.dtypes]
    if dtype in accepted:
        return None
    given_text, wanted_text = wording.plain_dtype(dtype), " or ".join(accepted)
    message = f"{wording.subject(key)} has dtype {given_text}, expected {wanted_text}"
    sides = (f"dtype {wanted_text}", f"dtype {given_text}")
    return CaseFault(Rung.DTYPE, message, key, sides=sides)


def _check_finite(key: str, wanted: Leaf, given: Leaf, _entry: EntryPoint) -> CaseFault | None:
    if given.values is None or wanted.values is None:
        single = "a number that is too large to be compared"
        many = "more numbers than can be compared"
        message = f"your code returned {single if given.kind == 'number' else many}"
        return CaseFault(Rung.LIMIT, message, key)
    found = first_not_finite(wanted.values, given.values)
    if found is None:
        return None
    message = wording.describe_not_finite(key, given.values, found)
    return CaseFault(Rung.FINITE, message, key, found)


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


def _failure_fault(failure: Failure, entry: EntryPoint, call: Callable[[], str]) -> CaseFault:
    if failure.memory:
        return CaseFault(Rung.LIMIT, wording.limit_message("memory", entry.limits))
    return CaseFault(failure.rung, wording.describe_failure(failure, entry.name, call()))


def _is_not_an_answer(failure: Failure) -> bool:
    return failure.memory or failure.rung in (Rung.SIGNATURE, Rung.STRUCTURE)


def _flag(leaf: Leaf | None) -> bool:
    return leaf is not None and leaf.values is not None and bool(leaf.values.any())
