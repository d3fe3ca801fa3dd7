"""The sliders of an exercise's figure: those of the lessons, within the range of the exercise."""

import math
from dataclasses import replace

from posenc.query import Selection

from quizzes.exercises.runs.code_figure import LOG_PLACES
from quizzes.grader.definitions import Choices, FigureCall, SliderRange
from quizzes.lessons.figures.controls import LOG_SUFFIX, Control, controls, value_of_log

PREFIX = "figure"  # of its fields: figure.positions


def sliders_of(figure: FigureCall, selection: Selection) -> list[Control]:
    """Return the sliders, in the order of the exercise."""
    every = controls(selection, names=tuple(figure.sliders), prefix=PREFIX, errors={})
    return [_within(control, figure.sliders[control.name]) for control in every]


def texts_from(fields: dict[str, str], figure: FigureCall, selection: Selection) -> dict[str, str]:
    """Return the values that a form sends for the sliders, as texts of an address."""
    texts = {}
    known = {
        parameter.name: parameter
        for parameter in selection.entry.parameters + selection.view.parameters
    }
    for name in figure.sliders:
        field = f"{PREFIX}.{name}"
        if field in fields:
            texts[name] = fields[field]
        elif field + LOG_SUFFIX in fields:
            texts[name] = value_of_log(known[name], fields[field + LOG_SUFFIX])
    return texts


def _within(control: Control, ends: SliderRange | Choices) -> Control:
    if isinstance(ends, Choices):
        kept = tuple(choice for choice in control.choices if choice[0] in ends.texts)
        return replace(control, choices=kept)
    if control.kind != "log":
        low, high = f"{ends.low:g}", f"{ends.high:g}"
        return replace(control, low=low, high=high, step=f"{ends.step:g}")
    first, last = math.log10(ends.low), math.log10(ends.high)
    step = (last - first) / (LOG_PLACES - 1)
    return replace(control, low=f"{first:.6g}", high=f"{last:.6g}", step=f"{step:.6g}")
