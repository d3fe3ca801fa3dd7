"""The figure of a lesson on which a learner's own numbers are drawn: `figure:` in exercise.yaml.

    figure:
      encoding: sinusoidal
      view: heatmap
      set: {d_model: 24, positions: 24}     # as in a figure of a lesson
      sliders:                              # least, most and step of each, or its choices
        positions: [2, 32]
        d_model: [2, 64, 2]
        layout: [interleaved, concatenated]
      call: sinusoidal_table(positions, d_model, base)

`call` is an expression in the names of the view's parameters. Its value stands in place of the
numbers of the view, in their shape. What encoding and view there are is not known here.
"""

from __future__ import annotations

import ast
import math
from collections.abc import Mapping
from dataclasses import dataclass, field

from quizzes.content_files.fields import Fields
from quizzes.content_files.yaml_nodes import Node

MOST_PLACES = 64  # of a slider, and calls of one run
MAX_CALL = 400  # characters
MOST, LEAST_STEP = 1e12, 1e-12  # of a slider, so that its places can be counted


@dataclass(frozen=True)
class SliderRange:
    """Where a slider of a figure stands: least, most and step; of a logarithm, no step counts."""

    low: float
    high: float
    step: float = 1.0

    @property
    def count(self) -> int:
        """How many places it has."""
        return math.floor((self.high - self.low) / self.step + 1e-9) + 1


@dataclass(frozen=True)
class Choices:
    """What a choice of a figure may be, as an address has it."""

    texts: tuple[str, ...]


@dataclass(frozen=True)
class FigureCall:
    """A view of an encoding, the values that differ from its defaults, its sliders, and the call.

    `atol`: how far the result may be from the reference's, where the call makes more of rounding
    than the exercise's tolerance allows. `nodes`: where they stand in the file, for what is wrong
    later.
    """

    encoding: str
    view: str
    values: Mapping[str, str]
    sliders: Mapping[str, SliderRange | Choices]
    call: str
    atol: float = 0.0
    nodes: Mapping[str, Node] = field(default_factory=dict, compare=False, repr=False)


def read_figure(fields: Fields) -> FigureCall | None:
    """Return the figure of an exercise, None for one without."""
    section = fields.section("figure")
    if not section.node.exists:
        return None
    nodes = {name: section.node.at(name) for name in ("encoding", "view", "set", "sliders", "call")}
    figure = FigureCall(
        encoding=section.text("encoding", max_length=60),
        view=section.text("view", max_length=60),
        values=_read_values(section),
        sliders=_read_sliders(section),
        call=section.text("call", max_length=MAX_CALL),
        atol=section.number("atol", ge=0, le=1, default=0),
        nodes=nodes,
    )
    section.done()
    if figure.call and not _is_expression(figure.call):
        section.note("call", f"{figure.call!r}: must be a Python expression")
    return figure


def _is_expression(text: str) -> bool:
    try:
        ast.parse(text, mode="eval")
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False
    return True


def _read_values(section: Fields) -> dict[str, str]:
    """Return values of YAML as an address has them."""
    node = section.take("set", required=False)
    if node.value is None:
        return {}
    if not isinstance(node.value, dict):
        section.note("set", "must be a mapping (`name: value`)")
        return {}
    return {str(name): _text(value) for name, value in node.value.items()}


def _text(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _read_sliders(section: Fields) -> dict[str, SliderRange | Choices]:
    node = section.take("sliders")
    if not isinstance(node.value, dict):
        if node.value is not None:
            section.note("sliders", "must be a mapping (`name: [least, most]`)")
        return {}
    sliders: dict[str, SliderRange | Choices] = {}
    for name, item in node.children.items():
        ends = _choices_of(item.value) or _range_of(item.value)
        if ends is None:
            words = f"{name}: {item.value!r}: must be [least, most], with a step, or choices"
            section.note("sliders", words, at=item)
        else:
            sliders[str(name)] = ends
    return sliders


def _choices_of(value: object) -> Choices | None:
    if not isinstance(value, list) or not 2 <= len(value) <= MOST_PLACES:
        return None
    if not all(isinstance(choice, bool | str) for choice in value):
        return None
    return Choices(tuple(map(_text, value)))


def _range_of(value: object) -> SliderRange | None:
    if not isinstance(value, list) or len(value) not in (2, 3):
        return None
    try:
        numbers = [float(number) for number in value if type(number) in (int, float)]
    except OverflowError:
        return None
    if len(numbers) != len(value) or not all(abs(number) <= MOST for number in numbers):
        return None
    low, high, step = (*numbers, 1.0)[:3]
    rises = low < high and (len(numbers) == 2 or LEAST_STEP <= step <= high - low)
    return SliderRange(low, high, step) if rises else None
