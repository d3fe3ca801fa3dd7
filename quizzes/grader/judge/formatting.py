"""Calls and arrays as text: whole when they are small, else the cells that tell most."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from quizzes.grader.judge import messages
from quizzes.grader.judge.case_pack import EntryPoint
from quizzes.grader.judge.comparison import Tolerance, as_floats, cell_errors, not_finite
from quizzes.grader.judge.property_messages import PROPERTY_MESSAGES
from quizzes.grader.judge.stages import Finding
from quizzes.grader.protocol.case import Case
from quizzes.grader.protocol.observation import FACT, Leaf, Observation, measured_by, value_of
from quizzes.grader.protocol.sanitize import clean
from quizzes.grader.protocol.verdict import Stage
from quizzes.grader.protocol.wire import Array

Places = npt.NDArray[np.intp]

WHOLE = 64
MOST_CELLS = 8
_MAX_TEXT = 4000
_MODES = {
    "call_eval": ".eval()",
    "call_half": ".eval().half()",
    "call_twice_train": ".train()",
    "grad_input": ".eval()",
    "grad_parameters": ".eval()",
}
_LOOKED_AT = {
    "parameters": ".parameters()",
    "buffers_and_state": ".buffers()",
    "moves": ".to(device)",
}


def call_text(entry: EntryPoint, case: Case) -> str:
    """Return the call as the student would type it."""
    called = entry.name
    if case.init is not None:
        called = f"{entry.name}({_arguments(case.init, entry.library)}){_MODES.get(case.probe, '')}"
        if case.probe in _LOOKED_AT:
            return f"{called}{_LOOKED_AT[case.probe]}"
    return f"{called}({_arguments(case.kwargs, entry.library)})"


def observation_texts(
    expected: Observation, got: Observation, finding: Finding, tolerance: Tolerance
) -> tuple[str, str]:
    """Return expected and got, side by side for one case."""
    if finding.sides is not None:
        return finding.sides
    key = finding.key or "out"
    if key.startswith(FACT) and (words := PROPERTY_MESSAGES.get(key.removeprefix(FACT))):
        name, values = key.removeprefix(FACT), (value_of(expected, key), value_of(got, key))
        if None not in values:
            wanted_value, given_value = (int(value or 0) for value in values)
            measured = words.measured(wanted_value, given_value, measured_by(got, name))
            asked = f": {wanted_value}" if wanted_value > 1 else ""
            return f"{words.title}{asked}", clean(measured, _MAX_TEXT)
    wanted, given = expected.leaves.get(key), got.leaves.get(key)
    if finding.difference is not None and _too_large(wanted) and _too_large(given):
        assert wanted is not None
        assert given is not None
        return _some_cells(wanted, given, finding, tolerance)
    digits = messages.digits_to_show(finding.difference.max_error if finding.difference else 0.0)
    texts = (_side(expected, wanted, digits), _side(got, given, digits))
    return clean(texts[0], _MAX_TEXT), clean(texts[1], _MAX_TEXT)


def _side(observation: Observation, leaf: Leaf | None, digits: int) -> str:
    if observation.failure is not None:
        return messages.raised(observation.failure)
    if leaf is None and not any(key.startswith("out") for key in observation.leaves):
        return messages.RETURNS_A_RESULT
    if leaf is None or leaf.values is None:
        return messages.describe_result(observation)
    if leaf.values.size > WHOLE:
        return f"{messages.describe_leaf(leaf)}, {messages.plain_dtype(leaf.dtype)}"
    return array_text(leaf.values, digits)


def array_text(array: Array, digits: int) -> str:
    """Return a small array whole, as Python prints it."""
    sizes = np.abs(as_floats(array))
    return np.array2string(
        np.asarray(array),
        precision=digits,
        suppress_small=not np.any(sizes[np.isfinite(sizes)] >= 1e6),
        floatmode="fixed" if array.dtype.kind == "f" else "maxprec",
        separator=", ",
        max_line_width=96,
        threshold=WHOLE + 1,
    )


def _some_cells(
    expected: Leaf, got: Leaf, finding: Finding, tolerance: Tolerance
) -> tuple[str, str]:
    """Return the cells that tell most, with their index: a text of what is expected, one of got."""
    assert expected.values is not None
    assert got.values is not None
    assert finding.difference is not None
    if finding.stage is Stage.FINITE:
        places, note = _first_not_finite(expected.values, got.values)
    else:
        places, note = _worst(expected.values, got.values, tolerance)
    digits = messages.digits_to_show(finding.difference.max_error)
    lines: tuple[list[str], list[str]] = ([note], [note])
    for place in places:
        cell = tuple(int(i) for i in np.unravel_index(int(place), expected.shape))
        for side, values in zip(lines, (expected.values, got.values), strict=True):
            side.append(f"{messages.index(cell)}  {messages.number_text(values[cell], digits)}")
    return "\n".join(lines[0]), "\n".join(lines[1])


def _worst(expected: Array, got: Array, tolerance: Tolerance) -> tuple[Places, str]:
    floats = as_floats(expected)
    error = cell_errors(floats, as_floats(got))
    excess = (error - tolerance.allowed_error(floats)).ravel()
    failing = int(np.count_nonzero(excess > 0))
    places = np.sort(np.argsort(-excess, kind="stable")[: min(failing, MOST_CELLS)])
    return places, messages.of_differing(MOST_CELLS, failing)


def _first_not_finite(expected: Array, got: Array) -> tuple[Places, str]:
    bad = not_finite(expected, got)
    assert bad is not None
    places = np.flatnonzero(bad)
    return places[:MOST_CELLS], messages.of_not_finite(MOST_CELLS, len(places))


def _too_large(leaf: Leaf | None) -> bool:
    return leaf is not None and leaf.values is not None and leaf.values.size > WHOLE


def _arguments(values: Mapping[str, Any], library: str) -> str:
    return ", ".join(f"{name}={_value_text(value, library)}" for name, value in values.items())


def _value_text(value: Any, library: str) -> str:
    if not isinstance(value, np.ndarray):
        return repr(value)
    kind = "tensor" if library == "torch" else "array"
    if value.size > WHOLE:
        return f"<{value.dtype} {kind} of shape {value.shape}>"
    made_by = "torch.tensor" if library == "torch" else "np.array"
    rounded = np.round(value.astype(np.float64), 4) if value.dtype.kind == "f" else value
    return f"{made_by}({rounded.tolist()})"  # numpy's own printing takes a millisecond
