"""What is said of a fact that a probe found out: as a property with its measurement, as a fault.

The names are those of `inside/*_probes.py`; a test holds the two together.
"""

from __future__ import annotations

from collections.abc import Mapping

from quizzes.grader.fact_phrases import FactWords, count, dtype, percent, says, seen, short, yes_no
from quizzes.grader.verdict import Rung

ROUNDING = 0.01  # of the largest: below, digits are lost; above, something else is wrong
_MIXED = "often two conventions are mixed, or angles and pairs do not belong together"
_LOST = "often precision is lost: angles, cosines or sines in a short dtype"

WORDS: Mapping[str, FactWords] = {
    "eval_repeats": FactWords(
        Rung.PROPERTIES,
        "In eval mode the same input gives the same result",
        yes_no("two calls gave the same", "two calls gave different results"),
        says(
            "in eval mode two calls with the same input gave different results; dropout must stop "
            "there: use nn.Dropout, or F.dropout(..., training=self.training)"
        ),
    ),
    "modules_alike": FactWords(
        Rung.PROPERTIES,
        "The result depends on the arguments and the learned numbers alone",
        yes_no("two modules made alike gave the same", "two modules made alike differ"),
        says(
            "two modules made with the same arguments and the same learned numbers gave different "
            "results: something random is made in forward, or is not registered as a parameter"
        ),
    ),
    "dtype_kept": FactWords(
        Rung.DTYPE,
        "The dtype of the input is kept",
        yes_no("it is kept", "it is another one"),
        says("the result has another dtype than the input"),
    ),
    "half_dtype": FactWords(
        Rung.DTYPE,
        "After .half() the result is float16",
        lambda _expected, got, _seen: f"the result is {dtype(got)}",
        lambda expected, got, _seen: (
            f"after .half(), float16 input gives {dtype(got)}, expected {dtype(expected)}: does "
            "every tensor of the module move with it?"
        ),
    ),
    "dropout_share": FactWords(
        Rung.PROPERTIES,
        "In training, dropout acts on the result",
        seen("{} of the numbers are 0 with dropout=0.5"),
        seen("with dropout=0.5 in training, {} of the result is 0, expected about one half"),
    ),
    "calls_differ": FactWords(
        Rung.PROPERTIES,
        "In training, every call drops anew",
        yes_no("two calls gave different results", "two calls gave the same"),
        says("in training with dropout=0.5, two calls gave the same result"),
    ),
    "kept_scaled": FactWords(
        Rung.PROPERTIES,
        "What dropout keeps is scaled up",
        yes_no("by one factor, so that the mean stays", "not by one factor that keeps the mean"),
        says(
            "in training with dropout=0.5, what is kept is not twice what eval mode gives: dropout "
            "is for the whole sum, and divides what it keeps by 1 - p"
        ),
    ),
    "trainable": FactWords(
        Rung.GRADIENTS,
        "Trained numbers",
        says("{got} numbers are trained"),
        says("{got} numbers are trained, expected {expected}"),
    ),
    "frozen": FactWords(
        Rung.GRADIENTS,
        "Parameters that are not trained",
        says("{got} numbers in parameters with requires_grad=False"),
        says("{got} numbers are parameters with requires_grad=False, expected {expected}"),
    ),
    "buffers": FactWords(
        Rung.GRADIENTS,
        "The module has a buffer",
        yes_no("it has", "it has none"),
        lambda expected, _got, _seen: (
            "the module has no buffer: use register_buffer"
            if expected
            else "the module has a buffer; a buffer is never trained"
        ),
    ),
    "buffer_named": FactWords(
        Rung.GRADIENTS,
        "The buffer has the name that is asked for",
        yes_no("it has", "no buffer has it"),
        says("no buffer has the name that the exercise asks for: register_buffer(name, table)"),
    ),
    "moves": FactWords(
        Rung.GRADIENTS,
        "Every tensor moves with the module",
        seen("tensors that stay behind on .to(device): {}", count),
        seen("tensors that stay behind on .to(device): {}; make them buffers or parameters", count),
    ),
    "reaches_input": FactWords(
        Rung.GRADIENTS,
        "The gradient reaches the input",
        yes_no("it does", "it does not"),
        says("no gradient reaches the input: is there a detach(), a no_grad() or a NumPy detour?"),
    ),
    "reached": FactWords(
        Rung.GRADIENTS,
        "The gradient reaches every row that is used",
        says("{got} numbers have a gradient"),
        says("the gradient reaches {got} of the trained numbers, expected {expected}"),
    ),
    "norm_kept": FactWords(
        Rung.PROPERTIES,
        "Lengths are kept",
        seen("the largest change of a length is {}"),
        seen("a length changes by {}: a rotation keeps every length, so this is none"),
    ),
    "offset_only": FactWords(
        Rung.PROPERTIES,
        "Scores depend on the distance alone",
        seen("scores of one distance differ by {}"),
        lambda _expected, _got, share: (
            f"scores of two vectors at the same distance differ by {percent(share)} from place to "
            f"place: {_LOST if share is not None and share < ROUNDING else _MIXED}"
        ),
    ),
    "bias_by_distance": FactWords(
        Rung.PROPERTIES,
        "The bias depends on the distance alone",
        seen("numbers of one distance differ by {}"),
        seen("what is added to scores of the same distance differs by {} from place to place"),
    ),
    "distance_matters": FactWords(
        Rung.PROPERTIES,
        "Scores change with the distance",
        seen("they range over {} of the largest"),
        says("scores are the same at every distance: the position has no effect"),
    ),
    "rows_unique": FactWords(
        Rung.PROPERTIES,
        "No two rows are the same",
        lambda _expected, _got, apart: (
            "not measured" if apart is None else f"the closest pair is {apart:.3g} apart"
        ),
        says("two positions have the same row"),
    ),
    "causal": FactWords(
        Rung.PROPERTIES,
        "A later token changes no earlier result",
        seen("changing later ones changes earlier results by {}", short),
        seen("later tokens change earlier results by up to {}: the future must not be seen", short),
    ),
}
