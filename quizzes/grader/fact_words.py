"""What is said of a fact that a probe found out: as a property with its measurement, as a fault.

The names are those of `inside/*_probes.py`; a test holds the two together.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from quizzes.grader.verdict import Rung

HALF_DTYPES = ("float16", "bfloat16", "float32", "float64")  # as in inside/facts.py

ROUNDING = 0.01  # of the largest: below, digits are lost; above, something else is wrong
_MIXED = "often two conventions are mixed, or angles and pairs do not belong together"
_LOST = "often precision is lost: angles, cosines or sines in a short dtype"

Words = Callable[[int, int, float | None], str]  # expected, got, measured


@dataclass(frozen=True)
class FactWords:
    """`title`: the property when it holds. `measured`: what was seen. `fault`: why it does not."""

    rung: Rung
    title: str
    measured: Words
    fault: Words


def _percent(share: float | None) -> str:
    if share is None:
        return "not measured"
    return f"{100 * share:.1f} %" if share >= 0.001 else f"{100 * share:.1g} %"


def _count(number: float | None) -> str:
    return str(int(number or 0))


def _short(number: float | None) -> str:
    return f"{number or 0:.2g}"


def _dtype(code: int) -> str:
    return HALF_DTYPES[code] if 0 <= code < len(HALF_DTYPES) else "another dtype"


def _yes_no(yes: str, no: str) -> Words:
    return lambda _expected, got, _seen: yes if got else no


def _says(text: str) -> Words:
    """Words with `{expected}` and `{got}` in them, or without."""
    return lambda expected, got, _seen: text.format(expected=expected, got=got)


def _seen(text: str, write: Callable[[float | None], str] = _percent) -> Words:
    """Words with one `{}` for what was measured."""
    return lambda _expected, _got, seen: text.format(write(seen))


WORDS: Mapping[str, FactWords] = {
    "eval_repeats": FactWords(
        Rung.PROPERTIES,
        "In eval mode the same input gives the same result",
        _yes_no("two calls gave the same", "two calls gave different results"),
        _says(
            "in eval mode two calls with the same input gave different results; dropout must stop "
            "there: use nn.Dropout, or F.dropout(..., training=self.training)"
        ),
    ),
    "modules_alike": FactWords(
        Rung.PROPERTIES,
        "The result depends on the arguments and the learned numbers alone",
        _yes_no("two modules made alike gave the same", "two modules made alike differ"),
        _says(
            "two modules made with the same arguments and the same learned numbers gave different "
            "results: something random is made in forward, or is not registered as a parameter"
        ),
    ),
    "dtype_kept": FactWords(
        Rung.DTYPE,
        "The dtype of the input is kept",
        _yes_no("it is kept", "it is another one"),
        _says("the result has another dtype than the input"),
    ),
    "half_dtype": FactWords(
        Rung.DTYPE,
        "After .half() the result is float16",
        lambda _expected, got, _seen: f"the result is {_dtype(got)}",
        lambda expected, got, _seen: (
            f"after .half(), float16 input gives {_dtype(got)}, expected {_dtype(expected)}: does "
            "every tensor of the module move with it?"
        ),
    ),
    "dropout_share": FactWords(
        Rung.PROPERTIES,
        "In training, dropout acts on the result",
        _seen("{} of the numbers are 0 with dropout=0.5"),
        _seen("with dropout=0.5 in training, {} of the result is 0, expected about one half"),
    ),
    "calls_differ": FactWords(
        Rung.PROPERTIES,
        "In training, every call drops anew",
        _yes_no("two calls gave different results", "two calls gave the same"),
        _says("in training with dropout=0.5, two calls gave the same result"),
    ),
    "kept_scaled": FactWords(
        Rung.PROPERTIES,
        "What dropout keeps is scaled up",
        _yes_no("by one factor, so that the mean stays", "not by one factor that keeps the mean"),
        _says(
            "in training with dropout=0.5, what is kept is not twice what eval mode gives: dropout "
            "is for the whole sum, and divides what it keeps by 1 - p"
        ),
    ),
    "trainable": FactWords(
        Rung.GRADIENTS,
        "Trained numbers",
        _says("{got} numbers are trained"),
        _says("{got} numbers are trained, expected {expected}"),
    ),
    "frozen": FactWords(
        Rung.GRADIENTS,
        "Parameters that are not trained",
        _says("{got} numbers in parameters with requires_grad=False"),
        _says("{got} numbers are parameters with requires_grad=False, expected {expected}"),
    ),
    "buffers": FactWords(
        Rung.GRADIENTS,
        "The module has a buffer",
        _yes_no("it has", "it has none"),
        lambda expected, _got, _seen: (
            "the module has no buffer: use register_buffer"
            if expected
            else "the module has a buffer; a buffer is never trained"
        ),
    ),
    "buffer_named": FactWords(
        Rung.GRADIENTS,
        "The buffer has the name that is asked for",
        _yes_no("it has", "no buffer has it"),
        _says("no buffer has the name that the exercise asks for: register_buffer(name, table)"),
    ),
    "moves": FactWords(
        Rung.GRADIENTS,
        "Every tensor moves with the module",
        _seen("tensors that stay behind on .to(device): {}", _count),
        _seen(
            "tensors that stay behind on .to(device): {}; make them buffers or parameters", _count
        ),
    ),
    "reaches_input": FactWords(
        Rung.GRADIENTS,
        "The gradient reaches the input",
        _yes_no("it does", "it does not"),
        _says("no gradient reaches the input: is there a detach(), a no_grad() or a NumPy detour?"),
    ),
    "reached": FactWords(
        Rung.GRADIENTS,
        "The gradient reaches every row that is used",
        _says("{got} numbers have a gradient"),
        _says("the gradient reaches {got} of the trained numbers, expected {expected}"),
    ),
    "norm_kept": FactWords(
        Rung.PROPERTIES,
        "Lengths are kept",
        _seen("the largest change of a length is {}"),
        _seen("a length changes by {}: a rotation keeps every length, so this is none"),
    ),
    "offset_only": FactWords(
        Rung.PROPERTIES,
        "Scores depend on the distance alone",
        _seen("scores of one distance differ by {}"),
        lambda _expected, _got, seen: (
            f"scores of two vectors at the same distance differ by {_percent(seen)} from place to "
            f"place: {_LOST if seen is not None and seen < ROUNDING else _MIXED}"
        ),
    ),
    "bias_by_distance": FactWords(
        Rung.PROPERTIES,
        "The bias depends on the distance alone",
        _seen("numbers of one distance differ by {}"),
        _seen("what is added to scores of the same distance differs by {} from place to place"),
    ),
    "distance_matters": FactWords(
        Rung.PROPERTIES,
        "Scores change with the distance",
        _seen("they range over {} of the largest"),
        _says("scores are the same at every distance: the position has no effect"),
    ),
    "rows_unique": FactWords(
        Rung.PROPERTIES,
        "No two rows are the same",
        lambda _e, _g, seen: (
            "not measured" if seen is None else f"the closest pair is {seen:.3g} apart"
        ),
        _says("two positions have the same row"),
    ),
    "causal": FactWords(
        Rung.PROPERTIES,
        "A later token changes no earlier result",
        _seen("changing later ones changes earlier results by {}", _short),
        _seen(
            "later tokens change earlier results by up to {}: the future must not be seen", _short
        ),
    ),
}
