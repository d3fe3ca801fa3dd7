"""Sliders and choices of a figure, made from the engine's own declaration of its parameters."""

import math
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from posenc.number_format import grouped
from posenc.parameters import FALSE, TRUE, Parameter
from posenc.query import Selection, all_parameters

LOG_STEPS = 200  # from one end of a logarithmic slider to the other
LOG_DIGITS = 3  # significant digits of the value of a logarithmic slider
LOG_SUFFIX = ".log10"  # of a field whose slider moves the logarithm
CURSOR = ("position", "dimension")


@dataclass(frozen=True)
class Control:
    """One field of a figure's form. A logarithmic slider sends log10 under a name of its own."""

    name: str
    label: str  # the name in words
    field: str
    kind: str  # "range", "log" or "choice"
    text: str  # the parameter's value as an address has it
    shown: str  # the value as people read it
    low: str = ""
    high: str = ""
    step: str = ""
    at: str = ""  # the position of the slider
    choices: tuple[tuple[str, str], ...] = ()  # each as an address has it, and in words
    hint: str = ""
    error: str = ""


def along_axis(
    every: Sequence[Control], names: Collection[str]
) -> tuple[list[Control], list[Control]]:
    """Return the sliders of these parameters, which change the x axis, and all other controls."""
    along = [control for control in every if control.name in names and control.kind != "choice"]
    return along, [control for control in every if control not in along]


def controls(
    selection: Selection, *, names: tuple[str, ...], prefix: str, errors: Mapping[str, str]
) -> list[Control]:
    """Return the controls of the named parameters, in that order, with the faults of each."""
    known = {parameter.name: parameter for parameter in all_parameters(selection)}
    return [
        _control(known[name], selection, prefix=prefix, error=errors.get(name, ""))
        for name in names
    ]


def joined(same: Sequence[Control]) -> Control | None:
    """Return one control for the same parameter of several pictures, None if they differ.

    It goes as far as all of them go. Pictures of different values each keep a control of their own.
    """
    first = same[0]
    facts = {(control.kind, control.text, control.choices) for control in same}
    if len(facts) > 1 or any(control.error for control in same):
        return None
    if first.kind == "choice":
        return first
    low = max((control.low for control in same), key=float)
    high = min((control.high for control in same), key=float)
    step = max((control.step for control in same), key=float)
    if not float(low) <= float(first.at) <= float(high):
        return None
    return replace(first, low=low, high=high, step=step)


def slider_problem(control: Control, text: str) -> str:
    """Return why a control cannot stand at a valid value of its parameter, "" if it can."""
    if control.kind != "range":
        return ""  # a logarithmic slider keeps the exact value that it is set to
    low, step = float(control.low), float(control.step)
    steps = (float(text) - low) / step
    if abs(steps - round(steps)) > 1e-6:
        return f"the slider goes from {control.low} in steps of {control.step}"
    return ""


def limits_of(selection: Selection) -> dict[str, Any]:
    """Return the values that a page may send for each parameter, as the engine checks them.

    Of a number the least, the most and what it is a multiple of (0: any fraction); else the texts.
    """
    return {one.name: _limits(one) for one in all_parameters(selection)}


def _limits(parameter: Parameter) -> list[Any]:
    if parameter.kind is bool:
        return [*TRUE, *FALSE]
    if parameter.kind is str:
        return list(parameter.choices or ())
    whole = parameter.kind is int
    return [*parameter.web_limits, parameter.multiple_of or int(whole)]


# Names that people write as the code does stay; the others are in words on pages.
AS_IN_CODE = frozenset({"d_model", "head_dim", "base", "a", "c", "p"})
NAMES = {
    "n_heads": "heads",
    "mlp_width": "hidden width",
    "log_buckets": "log buckets",
    "p2c_row": "position row",
    "max_len": "rows of the table",
    "max_pos": "largest position",
    "num_buckets": "buckets",
    "on_the_values": "values too",
    "dtype": "number format",
    "causal": "causal mask",
    "bidirectional": "both directions",
    "grid": "frequencies",
    "group": "sorted columns",
    "rule": "slopes",
    "form": "penalty",
    "only": "encodings",
    "terms": "scores added",
    "every": "tokens a sentence",
    "seed": "random start",
    "text": "text length",
    "offsets": "largest offset",
    "distances": "largest distance",
    "factor": "stretch factor",
}
CHOICES = {
    "true": "yes",
    "false": "no",
    "none": "none",
    "paper": "as in the paper",
    "code": "as in the code",
    "tensor2tensor": "as in tensor2tensor",
    "authors": "as in the authors' code",
    "geometric": "one sequence",
    "symmetric": "on both sides",
    "causal": "earlier keys only",
    "sine-cosine": "sines, then cosines",
    "interleaved": "sine and cosine in turn",
    "concatenated": "all sines, then cosines",
    "adjacent": "neighbours",
    "half-split": "i and i + half",
    "ntk": "NTK-aware",
    "dynamic-ntk": "dynamic NTK",
    "yarn": "YaRN",
    "llama3": "Llama 3",
    "linear": "position interpolation",
    "c2p": "content to position",
    "p2c": "position to content",
    "classic": "the classic ones",
    "result": "the code",
}


def name_in_words(name: str) -> str:
    """Return the name of a parameter as pages write it: "n_heads" as "heads"."""
    return name if name in AS_IN_CODE else NAMES.get(name, name.replace("_", " "))


def choice_in_words(choice: str) -> str:
    """Return a choice of a parameter as pages write it; a name of a format stays as it is."""
    return CHOICES.get(choice, choice)


def value_of_log(parameter: Parameter, text: str) -> str:
    """Return the value of a logarithmic slider at `text`, as an address has it.

    Text that is no number is returned unchanged, for the engine to refuse.
    """
    low, high = parameter.web_limits
    try:
        value = float(f"{10 ** float(text):.{LOG_DIGITS}g}")
    except (ValueError, OverflowError):
        return text
    if not math.isfinite(value):
        return text
    if low is not None and high is not None:
        value = min(max(value, low), high)
    return parameter.format(parameter.kind(value))


def _control(parameter: Parameter, selection: Selection, *, prefix: str, error: str) -> Control:
    value = selection.values()[parameter.name]
    text = parameter.format(value)
    field, label = f"{prefix}.{parameter.name}", name_in_words(parameter.name)
    choices = ("true", "false") if parameter.kind is bool else parameter.choices
    if choices:
        hint = parameter.doc
        own = Control(parameter.name, label, field, "choice", text, text, hint=hint, error=error)
        return replace(own, choices=tuple((one, choice_in_words(one)) for one in choices))
    low, high, step = parameter.slider or (parameter.ge or 0, parameter.le or 100, 1)
    high = _inside(parameter.name, selection, high)
    if parameter.scale == "log":
        field, low, high = field + LOG_SUFFIX, math.log10(low), math.log10(high)
        step, at = (high - low) / LOG_STEPS, math.log10(value)
    else:
        at = value
    return Control(
        name=parameter.name,
        label=label,
        field=field,
        kind="log" if parameter.scale == "log" else "range",
        text=text,
        shown=grouped(value),
        low=f"{low:.6g}",
        high=f"{high:.6g}",
        step=f"{step:.6g}",
        at=f"{at:.6g}",
        hint=parameter.doc,
        error=error,
    )


def _inside(name: str, selection: Selection, high: float) -> float:
    """Return the last row or column for the cursor's sliders: they end where the picture ends."""
    counts = {
        "position": selection.arguments.get("positions"),
        "dimension": getattr(selection.encoding, "d_model", None),
    }
    count = counts.get(name)
    return high if count is None else min(high, count - 1)
