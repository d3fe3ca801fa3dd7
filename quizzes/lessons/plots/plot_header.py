"""The header of a plot: the docstring of plots/<name>.py, in plain lines.

    How often a coin shows heads

    Slider n: 1 to 40
    Slider p: 0.1 to 0.9 step 0.2
    Slider shown: counts, shares

The first line is the title. A slider has a range or a list of values; all other lines are prose.
"""

import ast
import keyword
import math
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise, product
from typing import Any

from posenc.parameters import NUMBER, Parameter, from_field, param

from quizzes.content_files.problems import ContentProblem

MOST_SLIDERS = 3
MOST_FRAMES = 400
MAX_TITLE = 200
FEWEST_VALUES = 2
MAX_WORD = 30  # characters of a value, and of a slider's name
SAME = 1e-9  # of a step: what decimal fractions leave

# What addresses and pages of figures name already.
TAKEN = frozenset(
    {
        *("position", "dimension", "row", "column", "predicted"),
        *("scheme", "width", "table", "values", "picture", "at", "panel", "reading", "v"),
        *("self", "encoding"),  # arguments of every view
    }
)
_SLIDER = re.compile(r"\ASlider\s+(?P<name>[^:]*?)\s*:\s*(?P<values>.*)\Z")
_NAME = re.compile(r"[a-z][a-z0-9_]*")
_RANGE = re.compile(r"(?P<low>\S+)\s+to\s+(?P<high>\S+)(?:\s+step\s+(?P<step>\S+))?")
_WORD = re.compile(r"[A-Za-z0-9.+-][A-Za-z0-9 .+-]*")

Value = int | float | str


@dataclass(frozen=True)
class Slider:
    """A slider with its values, in their order. `step`: between all of them, 0 for a choice."""

    name: str
    values: tuple[Value, ...]
    step: float = 0.0

    @property
    def field(self) -> Any:
        """Return the parameter of a figure that the slider moves, as views declare theirs."""
        first, last = self.values[0], self.values[-1]
        if self.step and not isinstance(first, str) and not isinstance(last, str):
            return param(first, ge=first, le=last, slider=(first, last, self.step))
        return param(self.texts[0], choices=self.texts)

    @cached_property
    def parameter(self) -> Parameter:
        """Return the same as a parameter, which reads a text."""
        return from_field(self.name, self.field)

    @property
    def texts(self) -> tuple[str, ...]:
        """Return the values as addresses have them."""
        return tuple(text_of(value) for value in self.values)

    def place_of(self, value: object) -> int | None:
        """Return the place of a value, as `parameter` reads it; None for one in between."""
        if not self.step:
            return self.texts.index(str(value)) if str(value) in self.texts else None
        first = self.values[0]
        if not isinstance(value, int | float) or isinstance(first, str):
            return None
        steps = (value - first) / self.step
        place = round(steps)
        is_there = abs(steps - place) <= SAME * len(self.values) and place in range(
            len(self.values)
        )
        return place if is_there else None

    @property
    def words(self) -> str:
        """Return its values in words."""
        if not self.step:
            return f"one of {', '.join(self.texts)}"
        by = f" in steps of {self.step:g}" if self.step != 1 else ""
        return f"{self.texts[0]} to {self.texts[-1]}{by}"


def text_of(value: Value) -> str:
    """Return a value as addresses have it."""
    return f"{value:.12g}" if isinstance(value, float) else str(value)


@dataclass(frozen=True)
class PlotHeader:
    """What a header says. `frames` counts all combinations of its sliders' values."""

    title: str
    sliders: tuple[Slider, ...]

    @property
    def frames(self) -> int:
        return math.prod(len(slider.values) for slider in self.sliders)

    def places(self) -> list[dict[str, Value]]:
        """Return the values of the sliders for each frame, the last slider moving fastest."""
        names = [slider.name for slider in self.sliders]
        rows = product(*(slider.values for slider in self.sliders))
        return [dict(zip(names, row, strict=True)) for row in rows]

    def number_of(self, values: Mapping[str, object]) -> int:
        """Return the number of a frame, from 0. Raises KeyError with a slider's name."""
        number = 0
        for slider in self.sliders:
            place = slider.place_of(values[slider.name])
            if place is None:
                raise KeyError(slider.name)
            number = number * len(slider.values) + place
        return number


def read_header(
    source: str, *, path: str, problems: list[ContentProblem]
) -> tuple[PlotHeader, ast.Module | None]:
    """Return the header of a program that compiles, as far as it can be read; note what is wrong.

    With it comes the program's tree.
    """
    tree = ast.parse(source)
    text = ast.get_docstring(tree, clean=False)
    if text is None:
        words = 'must begin with a """docstring""" whose first line is the title of the plot'
        problems.append(ContentProblem(path, 1, words))
        return PlotHeader("", ()), tree
    first = tree.body[0].lineno
    lines = list(enumerate(text.splitlines(), start=first))
    title = next(((at, line.strip()) for at, line in lines if line.strip()), (first, ""))
    if not title[1] or _SLIDER.match(title[1]):
        problems.append(ContentProblem(path, title[0], "the first line must be the plot's title"))
    elif len(title[1]) > MAX_TITLE:
        words = f"the title has {len(title[1])} characters, at most {MAX_TITLE} are allowed"
        problems.append(ContentProblem(path, title[0], words))
    sliders = tuple(_sliders(lines, path, problems))
    header = PlotHeader(title[1], sliders)
    if len(sliders) > MOST_SLIDERS:
        words = f"{len(sliders)} sliders, at most {MOST_SLIDERS} are allowed"
        problems.append(ContentProblem(path, first, words))
    if header.frames > MOST_FRAMES:
        counts = " × ".join(str(len(slider.values)) for slider in sliders)
        words = f"the sliders have {counts} = {header.frames} frames, at most {MOST_FRAMES}"
        problems.append(ContentProblem(path, first, f"{words} are allowed"))
    return header, tree


def _sliders(
    lines: Sequence[tuple[int, str]], path: str, problems: list[ContentProblem]
) -> Iterator[Slider]:
    names: set[str] = set()
    for at, line in lines:
        match = _SLIDER.match(line.strip())
        if match is None:
            continue
        name = match["name"]
        try:
            _check_name(name, names)
            values, step = _values(match["values"])
        except ValueError as error:
            problems.append(ContentProblem(path, at, f"Slider {name}: {error}"))
            continue
        names.add(name)
        yield Slider(name, values, step)


def _check_name(name: str, names: set[str]) -> None:
    if not _NAME.fullmatch(name) or keyword.iskeyword(name) or len(name) > MAX_WORD:
        raise ValueError("its name must be a name in Python, in small letters")
    if name in TAKEN:
        raise ValueError("this name is taken by the page; use another one")
    if name in names:
        raise ValueError("is there twice")


def _values(text: str) -> tuple[tuple[Value, ...], float]:
    """Return the values of a slider and the step between them. Raises ValueError."""
    match = _RANGE.fullmatch(text.strip())
    if match is not None:
        return _range(*(match[name] for name in ("low", "high", "step")))
    items = [item.strip() for item in text.split(",")]
    is_list = all(_WORD.fullmatch(item) and len(item) <= MAX_WORD for item in items)
    if not is_list or len(items) < FEWEST_VALUES:
        expected = "expected a range such as 1 to 40, or values such as 0.1, 0.5, 0.9"
        raise ValueError(f"{text!r}: {expected}")
    values: list[Value] = list(items)
    if all(NUMBER.fullmatch(item) for item in items):
        values = [_number(item) for item in items]
    if len(set(map(text_of, values))) != len(values):
        raise ValueError("has a value twice")
    return tuple(values), _even_step(values)


def _range(low: str, high: str, step: str | None) -> tuple[tuple[Value, ...], float]:
    for item in (low, high, step or "1"):
        if not NUMBER.fullmatch(item):
            raise ValueError(f"{item!r}: must be a number")
    first, last, by = _number(low), _number(high), _number(step or "1")
    if not first < last:
        raise ValueError(f"{low} to {high}: the second number must be larger")
    if not by > 0:
        raise ValueError(f"step {step}: must be more than 0")
    steps = (last - first) / by
    if steps > MOST_FRAMES:
        raise ValueError(f"has more than {MOST_FRAMES} values")
    if abs(steps - round(steps)) > 1e-6:
        raise ValueError(f"{low} to {high} is no whole number of steps of {by:g}")
    count = round(steps) + 1
    if all(isinstance(number, int) for number in (first, by)):
        return tuple(first + at * by for at in range(count)), float(by)
    return tuple(round(float(first + at * by), 12) for at in range(count)), float(by)


def _number(text: str) -> int | float:
    number = float(text)
    if not math.isfinite(number) or (number and not 1e-9 <= abs(number) <= 1e9):
        raise ValueError(f"{text}: must be 0, or between 1e-9 and 1e9 in size")
    return int(number) if number.is_integer() and re.fullmatch(r"[+-]?\d+", text) else number


def _even_step(values: Sequence[Value]) -> float:
    """Return the one step from each number to the next, 0 where there is none."""
    numbers = [value for value in values if not isinstance(value, str)]
    if len(numbers) != len(values) or len({type(number) for number in numbers}) > 1:
        return 0.0
    steps = [after - before for before, after in pairwise(numbers)]
    is_even = bool(steps) and all(abs(step - steps[0]) <= 1e-9 * abs(steps[0]) for step in steps)
    return float(round(steps[0], 12)) if is_even and steps[0] > 0 else 0.0
