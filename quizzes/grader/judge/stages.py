"""The stages of one case: the first at which an observation differs from the expected one."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace

import numpy as np

from quizzes.grader.judge import headlines, messages, property_messages
from quizzes.grader.judge.case_pack import SAME_DTYPE, EntryPoint
from quizzes.grader.judge.comparison import Difference, Tolerance, difference, first_not_finite
from quizzes.grader.judge.property_messages import PROPERTY_MESSAGES, PropertyMessages
from quizzes.grader.protocol.observation import (
    CHANGED,
    FACT,
    GRAD,
    LOOK,
    Failure,
    Leaf,
    Observation,
    measured_by,
    results_of,
    value_of,
)
from quizzes.grader.protocol.verdict import Stage

NUMERIC_KINDS = ("array", "tensor", "number")
HALF, DROPPED = f"{FACT}half_dtype", f"{FACT}dropout_share"
# Of the largest number, in float16's: input, table and sum are each rounded to half of one, and a
# product of matrices some times more.
HALF_ROUNDINGS = 8
_PYTHON_DTYPES = {"float": "float64", "int": "int64", "complex": "complex128"}


@dataclass(frozen=True)
class Finding:
    """What is wrong in one case; `key` names the leaf, `difference` its numbers.

    `sides`: what is expected and what was got, where no leaf shows it. `brief`: the message in a
    few words, for the headline; empty where the stage says as much. `tolerance`: by which numbers
    were compared, where it is not the exercise's.
    """

    stage: Stage
    message: str
    key: str | None = None
    difference: Difference | None = None
    sides: tuple[str, str] | None = None
    brief: str = ""
    tolerance: Tolerance | None = None


def check_case(
    expected: Observation, got: Observation, entry: EntryPoint, call: Callable[[], str]
) -> Finding | None:
    """Find what is wrong; None when the case passes. `call` says how the student would type it."""
    if got.failure is not None and expected.failure is not None:
        return (
            _failure_finding(got.failure, entry, call) if _is_not_an_answer(got.failure) else None
        )
    if got.failure is not None:
        return _failure_finding(got.failure, entry, call)
    if expected.failure is not None:
        return Finding(Stage.RAISES, messages.must_raise(got))
    return next(_findings(expected, got, entry), None)


def _findings(expected: Observation, got: Observation, entry: EntryPoint) -> Iterator[Finding]:
    if any(leaf.kind == "random" for leaf in got.leaves.values()):
        yield from _fact_findings(expected, got)
        yield Finding(Stage.PROPERTIES, messages.RANDOM, brief=headlines.BRIEF_RANDOM)
        return
    results, given = results_of(expected), results_of(got)
    if any(leaf.kind == "none" for leaf in given.values()):
        yield Finding(Stage.RETURNED, messages.RETURNED_NONE, brief=headlines.BRIEF_NONE)
        return
    if given and not results:
        yield _not_measured(expected, given)
        return
    yield from _result_findings(results, given, entry)
    if len(results) == len(expected.leaves):
        return  # nothing but a result, as in most cases
    for key in expected.leaves:
        if key.startswith(CHANGED) and _flag(got.leaves.get(key)) != _flag(expected.leaves[key]):
            name = key.removeprefix(CHANGED)
            sides, brief = messages.argument_sides(name), headlines.brief_changed(name)
            message = messages.changed_argument(name)
            yield Finding(Stage.SIDE_EFFECTS, message, key, sides=sides, brief=brief)
    yield from sorted(_fact_findings(expected, got), key=lambda finding: finding.stage.order)
    yield from _look_findings(expected, got, entry)
    for key, leaf in expected.leaves.items():
        if key.startswith(GRAD):
            yield from _gradient_findings(key, leaf, got.leaves.get(key), entry)


def facts_with_messages(expected: Observation) -> Iterator[tuple[str, str, PropertyMessages]]:
    """Yield key, name and messages of each expected fact that is a property of the card."""
    for key in expected.leaves:
        name = key.removeprefix(FACT)
        if key.startswith(FACT) and name in PROPERTY_MESSAGES:
            yield key, name, PROPERTY_MESSAGES[name]


def _not_measured(expected: Observation, got: Mapping[str, Leaf]) -> Finding:
    """Return a finding that is none of shape, for what a probe could not measure.

    It is reported after cases with values.
    """
    titles = (words.title for _, _, words in facts_with_messages(expected))
    title = next(titles, property_messages.THE_GRADIENT)
    sides = (title, messages.describe_leaves(got))
    return Finding(Stage.PROPERTIES, property_messages.not_measured(title, got), sides=sides)


def _result_findings(
    results: Mapping[str, Leaf], got: Mapping[str, Leaf], entry: EntryPoint
) -> Iterator[Finding]:
    if results.keys() != got.keys():
        sides = (messages.describe_leaves(results), messages.describe_leaves(got))
        brief = headlines.brief_parts(results, got)
        yield Finding(Stage.STRUCTURE, messages.other_parts(*sides), sides=sides, brief=brief)
        return
    for check in _LEAF_CHECKS:
        for key, leaf in results.items():
            finding = check(key, leaf, got[key], entry)
            if finding is not None:
                yield finding
                return


def _look_findings(expected: Observation, got: Observation, entry: EntryPoint) -> Iterator[Finding]:
    """Yield what is wrong with results in half precision, or beside dropout.

    They are results like any other, only got in another mode of the module.
    """
    mode = _mode_of(expected)
    if mode is None:
        return
    for key, leaf in expected.leaves.items():
        given = got.leaves.get(key)
        if not key.startswith(LOOK) or given is None:  # what is there instead is said already
            continue
        compared = replace(entry, tolerance=_tolerance_of(expected, entry))
        for check in (_check_shape, _check_finite, _check_values):
            finding = check("out", leaf, given, compared)
            if finding is not None:
                message = messages.in_mode(mode, finding.message)
                yield replace(finding, message=message, key=key, tolerance=compared.tolerance)
                break


def _mode_of(expected: Observation) -> str | None:
    """Return in words how a result was got that is compared at once; None for other looks."""
    if HALF in expected.leaves:
        return messages.AFTER_HALF
    if DROPPED in expected.leaves:
        return messages.IN_EVAL_MODE
    return None


def _tolerance_of(expected: Observation, entry: EntryPoint) -> Tolerance:
    """Return the exercise's tolerance, in half precision with the rounding of float16 on top."""
    if HALF not in expected.leaves:
        return entry.tolerance
    largest = entry.tolerance.relative_to_max + HALF_ROUNDINGS * float(np.finfo(np.float16).eps)
    return replace(entry.tolerance, relative_to_max=largest)


def check_looks(expected: Observation, got: Observation, entry: EntryPoint) -> Finding | None:
    """Find where the arrays behind a property are not a right solution's; None when they are."""
    if _mode_of(expected) is not None:
        return None
    for key, leaf in expected.leaves.items():
        if not key.startswith(LOOK):
            continue
        given = got.leaves.get(key)
        values = None if given is None or given.shape != leaf.shape else given.values
        if leaf.values is None or values is None:
            return Finding(Stage.PROPERTIES, messages.OTHER_NUMBERS)
        found = difference(leaf.values, values, entry.tolerance)
        if found is not None:
            message = property_messages.other_numbers(leaf.values, values, found)
            return Finding(Stage.PROPERTIES, message, key, found)
    return None


def _fact_findings(expected: Observation, got: Observation) -> Iterator[Finding]:
    for key, name, words in facts_with_messages(expected):
        wanted, given = value_of(expected, key), value_of(got, key)
        if given is None:
            yield Finding(words.stage, messages.CANNOT_BE_LOOKED_AT)
        elif wanted is not None and wanted != given:
            message = words.finding(int(wanted), int(given), measured_by(got, name))
            property_ = words.stage is Stage.PROPERTIES
            brief = headlines.brief_property(words.title) if property_ else ""
            yield Finding(words.stage, message, key, brief=brief)


def _gradient_findings(
    key: str, expected: Leaf, got: Leaf | None, entry: EntryPoint
) -> Iterator[Finding]:
    name = key.removeprefix(GRAD)
    if got is None:
        yield Finding(Stage.STRUCTURE, messages.no_gradient(name))
    elif expected.shape != got.shape:
        message = messages.gradient_of_other_shape(name, expected, got)
        yield Finding(Stage.GRADIENTS, message, key)
    elif got.values is None or expected.values is None:
        yield Finding(Stage.LIMIT, messages.gradient_not_compared(name), key)
    elif got.values.dtype.kind != expected.values.dtype.kind:
        message = messages.gradient_of_other_dtype(name, expected, got)
        yield Finding(Stage.GRADIENTS, message, key)
    else:
        mismatch = difference(expected.values, got.values, entry.tolerance)
        if mismatch is not None:
            message = messages.gradient_differs(name, expected.values, got.values, mismatch)
            brief = headlines.brief_gradient(name)
            yield Finding(Stage.GRADIENTS, message, key, mismatch, brief=brief)


def _check_kind(key: str, expected: Leaf, got: Leaf, _entry: EntryPoint) -> Finding | None:
    if got.kind in NUMERIC_KINDS and (got.kind != "number" or expected.shape == ()):
        return None
    brief = headlines.brief_no_array(key, expected, got)
    return Finding(Stage.STRUCTURE, messages.no_array(key, got), key, brief=brief)


def _check_shape(key: str, expected: Leaf, got: Leaf, _entry: EntryPoint) -> Finding | None:
    if got.shape == expected.shape:
        return None
    brief = headlines.brief_shape(key, expected, got)
    return Finding(Stage.SHAPE, messages.other_shape(key, expected, got), key, brief=brief)


def _check_dtype(key: str, expected: Leaf, got: Leaf, entry: EntryPoint) -> Finding | None:
    dtype = _PYTHON_DTYPES.get(got.dtype, got.dtype)
    accepted = [expected.dtype if word == SAME_DTYPE else word for word in entry.dtypes]
    if dtype in accepted:
        return None
    words = " or ".join(accepted), messages.plain_dtype(dtype)
    message, sides = messages.other_dtype(key, *words), messages.dtype_sides(*words)
    brief = headlines.brief_dtype(key, *words)
    return Finding(Stage.DTYPE, message, key, sides=sides, brief=brief)


def _check_finite(key: str, expected: Leaf, got: Leaf, _entry: EntryPoint) -> Finding | None:
    if got.values is None or expected.values is None:
        return Finding(Stage.LIMIT, messages.not_compared(got), key)
    mismatch = first_not_finite(expected.values, got.values)
    if mismatch is None:
        return None
    message = messages.describe_not_finite(key, got.values, mismatch)
    brief = headlines.brief_not_finite(key, got.values, mismatch)
    return Finding(Stage.FINITE, message, key, mismatch, brief=brief)


def _check_values(key: str, expected: Leaf, got: Leaf, entry: EntryPoint) -> Finding | None:
    assert expected.values is not None
    assert got.values is not None
    mismatch = difference(expected.values, got.values, entry.tolerance)
    if mismatch is None:
        return None
    message = messages.describe_difference(key, expected.values, got.values, mismatch)
    return Finding(Stage.VALUES, message, key, mismatch)


LeafCheck = Callable[[str, Leaf, Leaf, EntryPoint], Finding | None]
_LEAF_CHECKS: tuple[LeafCheck, ...] = (
    _check_kind,
    _check_shape,
    _check_dtype,
    _check_finite,
    _check_values,
)


def _failure_finding(failure: Failure, entry: EntryPoint, call: Callable[[], str]) -> Finding:
    if failure.memory:
        return Finding(Stage.LIMIT, messages.limit_message("memory", entry.limits))
    message = messages.describe_failure(failure, entry.name, call())
    brief = headlines.brief_failure(failure, entry.name)
    return Finding(failure.stage, message, brief=brief)


def _is_not_an_answer(failure: Failure) -> bool:
    return failure.memory or failure.stage in (Stage.SIGNATURE, Stage.STRUCTURE)


def _flag(leaf: Leaf | None) -> bool:
    return leaf is not None and leaf.values is not None and bool(leaf.values.any())
