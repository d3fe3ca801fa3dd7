"""The lines of the property card, and the findings where a property does not hold.

Of each fact that a probe sends: the property when it holds, what was measured, and what is wrong.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from quizzes.grader.judge.comparison import ROUNDING, Difference
from quizzes.grader.judge.messages import (
    OTHER_NUMBERS,
    TRAINED,
    count,
    describe_difference,
    describe_leaves,
    describe_result,
)
from quizzes.grader.protocol.observation import Leaf, Observation
from quizzes.grader.protocol.property_measures import HALF_DTYPES
from quizzes.grader.protocol.verdict import Stage
from quizzes.grader.protocol.wire import Array

THE_GRADIENT = "The gradient is right"
ARGUMENTS_LEFT = "The arguments are left unchanged"
HIDDEN = ("it does not hold in a hidden case", "it holds in a hidden case")
UNSEEN = "could not be checked: the code raised an error, or returned something else"


Words = Callable[[int, int, float | None], str]  # expected, got, measured


@dataclass(frozen=True)
class PropertyMessages:
    """`title`: the property when it holds. `measured`: what was seen. `finding`: what is wrong."""

    stage: Stage
    title: str
    measured: Words
    finding: Words


def percent(share: float | None) -> str:
    """Write a share of one, small ones with one digit."""
    if share is None:
        return "not measured"
    return f"{100 * share:.1f} %" if share >= 0.001 else f"{100 * share:.1g} %"


def two_digits(number: float | None) -> str:
    """Write two digits."""
    return f"{number or 0:.2g}"


def half_dtype(code: int) -> str:
    """Name the dtype that a probe gave by its number."""
    return HALF_DTYPES[code] if 0 <= code < len(HALF_DTYPES) else "another dtype"


def yes_no(yes: str, no: str) -> Words:
    """Make words of two texts, chosen by what was got."""
    return lambda _expected, got, _seen: yes if got else no


def says(text: str) -> Words:
    """Make words of a text, with `{expected}` and `{got}` in it or without."""
    return lambda expected, got, _seen: text.format(expected=expected, got=got)


def seen(text: str, write: Callable[[float | None], str] = percent) -> Words:
    """Make words of a text with one `{}` for what was measured."""
    return lambda _expected, _got, seen: text.format(write(seen))


_MIXED = "often two conventions are mixed, or the angles do not match the pairs"
_LOST = "often precision is lost: angles, cosines or sines are in a low-precision dtype"

PROPERTY_MESSAGES: Mapping[str, PropertyMessages] = {
    "eval_repeats": PropertyMessages(
        Stage.PROPERTIES,
        "In eval mode, the same input gives the same result",
        yes_no("two calls gave the same result", "two calls gave different results"),
        says(
            "in eval mode, two calls with the same input gave different results; dropout must be "
            "off there: use nn.Dropout, or F.dropout(..., training=self.training)"
        ),
    ),
    "modules_alike": PropertyMessages(
        Stage.PROPERTIES,
        "The result depends only on the arguments and the learned numbers",
        yes_no(
            "two identical modules gave the same result",
            "two identical modules gave different results",
        ),
        says(
            "two modules with the same arguments and the same learned numbers gave different "
            "results: something random is created in forward, or is not registered as a parameter"
        ),
    ),
    "dtype_kept": PropertyMessages(
        Stage.DTYPE,
        "The dtype of the input is kept",
        yes_no("it is kept", "it is different"),
        says("the result has a different dtype from the input"),
    ),
    "half_dtype": PropertyMessages(
        Stage.DTYPE,
        "After .half() the result is float16",
        lambda _expected, got, _seen: f"the result is {half_dtype(got)}",
        lambda expected, got, _seen: (
            f"after .half(), float16 input gives {half_dtype(got)}, expected "
            f"{half_dtype(expected)}: does .half() convert every tensor in the module?"
        ),
    ),
    "dropout_share": PropertyMessages(
        Stage.PROPERTIES,
        "In training, dropout acts on the result",
        seen("{} of the numbers are 0 in training"),
        seen("in training {} of the result is 0, expected the share that dropout asks for"),
    ),
    "calls_differ": PropertyMessages(
        Stage.PROPERTIES,
        "In training, every call drops different numbers",
        yes_no("two calls gave different results", "two calls dropped the same numbers"),
        says("in training, two calls dropped the same numbers: draw new ones in every call"),
    ),
    "kept_scaled": PropertyMessages(
        Stage.PROPERTIES,
        "Dropout scales up the numbers that it keeps",
        yes_no(
            "by a single factor, so that the mean stays the same",
            "not by a single factor that keeps the mean the same",
        ),
        says(
            "in training, the numbers that dropout keeps are not those of eval mode divided by 1 "
            "- dropout: apply dropout to the whole sum; it scales the numbers that it keeps"
        ),
    ),
    "drops_alone": PropertyMessages(
        Stage.PROPERTIES,
        "Dropout decides for every number separately",
        yes_no("it does", "neighbours are always dropped together, or never are"),
        says(
            "in training, neighbours are always dropped together, or never are: dropout must "
            "decide for every number separately"
        ),
    ),
    "trainable": PropertyMessages(
        Stage.GRADIENTS,
        "Trained numbers",
        says("{got} numbers are trained"),
        says("{got} numbers are trained, expected {expected}"),
    ),
    "frozen": PropertyMessages(
        Stage.GRADIENTS,
        "Parameters that are not trained",
        says("{got} numbers in parameters with requires_grad=False"),
        says("{got} numbers are parameters with requires_grad=False, expected {expected}"),
    ),
    "buffers": PropertyMessages(
        Stage.GRADIENTS,
        "The module has a buffer",
        yes_no("it has one", "it has none"),
        lambda expected, _got, _seen: (
            "the module has no buffer: use register_buffer"
            if expected
            else "the module has a buffer, but a buffer is never trained"
        ),
    ),
    "buffer_named": PropertyMessages(
        Stage.GRADIENTS,
        "The buffer has the required name",
        yes_no("it does", "no buffer has this name"),
        says("no buffer has the name that the exercise asks for: register_buffer(name, table)"),
    ),
    "buffer_saved": PropertyMessages(
        Stage.GRADIENTS,
        "The buffer is saved with the module",
        yes_no("it is in state_dict()", "it is not in state_dict()"),
        says("state_dict() lacks the buffer: register it without persistent=False"),
    ),
    "buffer_read": PropertyMessages(
        Stage.GRADIENTS,
        "The module reads the buffer",
        yes_no("changing its numbers changes the result", "the result does not depend on it"),
        says("the result does not depend on the buffer: read the buffer in forward"),
    ),
    "moves": PropertyMessages(
        Stage.GRADIENTS,
        "Every tensor moves with the module",
        seen("tensors that stay behind on .to(device): {}", count),
        seen("tensors that stay behind on .to(device): {}; make them buffers or parameters", count),
    ),
    "reaches_input": PropertyMessages(
        Stage.GRADIENTS,
        "The gradient reaches the input",
        yes_no("it does", "it does not"),
        says("no gradient reaches the input: do you use detach(), no_grad() or NumPy?"),
    ),
    "reached": PropertyMessages(
        Stage.GRADIENTS,
        "The gradient reaches every row that is used",
        says("{got} numbers have a gradient"),
        says("the gradient reaches {got} of the trained numbers, expected {expected}"),
    ),
    "norm_kept": PropertyMessages(
        Stage.PROPERTIES,
        "Lengths are kept",
        seen("the largest change of a length is {}"),
        seen("a length changes by {}: a rotation keeps every length, so this is not a rotation"),
    ),
    "offset_only": PropertyMessages(
        Stage.PROPERTIES,
        "Scores depend on the distance alone",
        seen("scores at the same distance differ by {}"),
        lambda _expected, _got, share: (
            f"scores of two vectors at the same distance differ by {percent(share)} from place to "
            f"place: {_LOST if share is not None and share < ROUNDING else _MIXED}"
        ),
    ),
    "bias_by_distance": PropertyMessages(
        Stage.PROPERTIES,
        "The bias depends on the distance alone",
        seen("numbers at the same distance differ by {}"),
        seen("what is added to scores at the same distance differs by {} from place to place"),
    ),
    "distance_matters": PropertyMessages(
        Stage.PROPERTIES,
        "Scores change with the distance",
        seen("their range is {} of the largest score"),
        says("scores are the same at every distance: the position has no effect"),
    ),
    "rows_unique": PropertyMessages(
        Stage.PROPERTIES,
        "No two rows are the same",
        lambda _expected, _got, apart: (
            "not measured" if apart is None else f"the closest pair is {apart:.3g} apart"
        ),
        says("two positions have the same row"),
    ),
    "causal": PropertyMessages(
        Stage.PROPERTIES,
        "A later token changes no earlier result",
        seen("changing later tokens changes earlier results by {}", two_digits),
        seen(
            "later tokens change earlier results by up to {}: a token must not see the future",
            two_digits,
        ),
    ),
}


def not_measured(title: str, got: Mapping[str, Leaf]) -> str:
    """Say that a property cannot be measured on what was returned."""
    return f"“{title}” cannot be checked: your code returned {describe_leaves(got)}"


def other_numbers(expected: Array, got: Array, difference: Difference) -> str:
    """Say that a property holds, with other numbers than those of a right solution."""
    return f"{OTHER_NUMBERS}: {describe_difference('out', expected, got, difference)}"


def gradient_title(name: str) -> str:
    """Name the property that the gradient of an argument, or of `parameters`, is right."""
    return f"The gradient of {TRAINED if name == 'parameters' else name} is right"


def raises_title(label: str) -> str:
    """Name the property that a case raises."""
    return f"Raises an error: {label}"


def measured_raising(got: Observation) -> str:
    """Say what became of a call that has to raise."""
    return "it raised an error" if got.failure else f"it returned {describe_result(got)}"


def measured_count(measured: str, expected: int) -> str:
    """Add the number that is expected to a count in words."""
    return f"{measured}, expected {expected}"


def measured_shape(expected: Leaf, got: Leaf) -> str:
    """Say that a gradient has another shape."""
    return f"its shape is {got.shape}, expected {expected.shape}"


def measured_error(max_error: float, difference: Difference | None = None) -> str:
    """Say how large the largest error is and, given a difference, how many are wrong."""
    share = f", in {difference.failing} of {difference.total} numbers" if difference else ""
    return f"the largest error is {max_error:.2g}{share}"


def measured_dtypes(became: Mapping[str, str]) -> str:
    """Say which dtype came back for each that was given."""
    return "; ".join(f"given {wanted}, it returns {given}" for wanted, given in became.items())


def measured_arguments(changed: int, calls: int) -> str:
    """Say in how many calls arguments were changed."""
    return f"changed in {changed} of {calls} calls" if changed else f"unchanged after {calls} calls"
