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
from typing import Annotated, Any, ClassVar

from pydantic import AfterValidator, Field, WithJsonSchema

from quizzes.content_files.declaration import Declaration, Expected
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


def _text(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _ends(value: object) -> SliderRange | Choices:
    ends = _choices_of(value) or _range_of(value)
    if ends is None:
        raise ValueError(f"{value!r}: must be [least, most], with a step, or choices")
    return ends


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


def _expression(text: str) -> str:
    try:
        ast.parse(text, mode="eval")
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        raise ValueError(text) from error
    return text


Name = Annotated[str, Field(min_length=1, max_length=60)]
Ends = Annotated[Any, AfterValidator(_ends), WithJsonSchema({"type": "array", "minItems": 2})]


class FigureFields(Declaration):
    """The figure of a lesson on which a learner's own numbers are drawn."""

    prefix: ClassVar[str] = "figure"
    is_section: ClassVar[bool] = True
    encoding: Name
    view: Name
    set: dict[str, Any] = Field({}, description="The values that differ from the view's defaults.")
    sliders: dict[str, Ends] = Field(description="Least, most and step of each, or its choices.")
    call: Annotated[
        str,
        Field(min_length=1, max_length=MAX_CALL),
        AfterValidator(_expression),
        Expected("a Python expression"),
    ] = Field(description="In the names of the view's parameters.")
    atol: Annotated[float, Field(ge=0, le=1)] = 0.0

    def figure_call(self) -> FigureCall:
        """Return the figure with its values as an address has them."""
        return FigureCall(
            encoding=self.encoding,
            view=self.view,
            values={name: _text(value) for name, value in self.set.items()},
            sliders=self.sliders,
            call=self.call,
            atol=self.atol,
            nodes={
                name: self.node.at(name) for name in ("encoding", "view", "set", "sliders", "call")
            },
        )
