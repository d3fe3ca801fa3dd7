"""The figure of an exercise: which view of the engine it is, its places, and what its author wrote.

The view gives the frame: axes, names, scale. The numbers in it are those of a call: of a learner's
code, or of the reference. What a slider may be and where it stands follows from the engine's own
declaration and from the range in exercise.yaml.
"""

import ast
import builtins
import logging
import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import posenc.catalog  # noqa: F401 -- fills REGISTRY
from posenc.errors import ParameterError, QueryError
from posenc.limits import within
from posenc.parameters import Parameter
from posenc.query import Selection, all_parameters, read_query
from posenc.registry import REGISTRY
from posenc.views import ViewData

from quizzes.content_files.problems import ContentProblem
from quizzes.content_files.yaml_nodes import Node
from quizzes.grader.definitions import (
    MOST_PLACES,
    Choices,
    ExerciseDefinition,
    FigureCall,
    SliderRange,
)
from quizzes.grader.programs import MAX_BYTES, Place

logger = logging.getLogger(__name__)

LOG_PLACES = 33  # of a logarithmic slider, evenly between its ends
LOG_DIGITS = 3  # significant digits of these, as on every figure
DRAWN = ("heatmap", "curves")
KNOWN = ("np", "math", "torch")


def initial_selection(figure: FigureCall) -> Selection:
    """Return the picture that its author chose. Raises KeyError, QueryError."""
    entry = REGISTRY[figure.encoding]
    return read_query(entry, entry.views[figure.view], dict(figure.values))


def texts_of(selection: Selection) -> dict[str, str]:
    """Return every parameter as the text that an address has for it."""
    values = selection.values()
    return {
        parameter.name: parameter.format(values[parameter.name])
        for parameter in all_parameters(selection)
    }


def slider_parameters(selection: Selection) -> dict[str, Parameter]:
    """Return the parameters that a slider or a choice of a page may move, by name."""
    known = {
        parameter.name: parameter for parameter in all_parameters(selection) if not parameter.hidden
    }
    return {
        name: parameter
        for name, parameter in known.items()
        if parameter.slider or is_choice(parameter)
    }


def is_choice(parameter: Parameter) -> bool:
    """Say whether a parameter is one of a few words, and no number."""
    return parameter.kind in (bool, str)


def slider_values(parameter: Parameter, ends: SliderRange | Choices) -> list[Any]:
    """Return the values at which a slider stands, in order. Raises ParameterError."""
    if isinstance(ends, Choices):
        return [parameter.parse(text) for text in ends.texts]
    if parameter.scale == "log":
        low, high = math.log10(ends.low), math.log10(ends.high)
        steps = (low + (high - low) * at / (LOG_PLACES - 1) for at in range(LOG_PLACES))
        values = dict.fromkeys(float(f"{10**step:.{LOG_DIGITS}g}") for step in steps)
        return [parameter.kind(value) for value in values]
    return [parameter.kind(ends.low + at * ends.step) for at in range(ends.count)]


def moved(figure: FigureCall, texts: Mapping[str, str]) -> Selection:
    """Return the picture with its sliders where `texts` say, each within its range.

    What is no slider stays as its author chose. Raises QueryError.
    """
    start = initial_selection(figure)
    known, values = slider_parameters(start), texts_of(start)
    for name, ends in figure.sliders.items():
        if name not in texts:
            continue
        try:
            value = known[name].parse(texts[name])
            places = slider_values(known[name], ends)
        except ParameterError as error:
            raise QueryError([error]) from error
        if is_choice(known[name]):
            value = value if value in places else places[0]
        else:
            value = places[_nearest(places, value)]
        values[name] = known[name].format(value)
    return read_query(start.entry, start.view, values)


def batch(figure: FigureCall, selection: Selection, slider: str) -> list[Selection]:
    """Return the pictures at all places of a slider, those around the hand first."""
    return [picture for picture, _ in batch_frames(figure, selection, slider)]


def batch_frames(
    figure: FigureCall, selection: Selection, slider: str
) -> list[tuple[Selection, ViewData]]:
    """Return the pictures at all places of a slider, each with its view computed.

    What the engine refuses, such as a table that is too long, is left out.
    """
    parameter, hand = slider_parameters(selection)[slider], selection.values()[slider]
    values = slider_values(parameter, figure.sliders[slider])
    nearest = _nearest(values, hand)
    frames = []
    for at in sorted(range(len(values)), key=lambda at: abs(at - nearest)):
        texts = texts_of(selection) | {slider: parameter.format(values[at])}
        try:
            picture = read_query(selection.entry, selection.view, texts)
            frames.append((picture, picture.compute()))
        except (QueryError, ParameterError):
            continue
    return frames


def _nearest(values: Sequence[Any], hand: Any) -> int:
    if isinstance(hand, bool | str):
        return values.index(hand) if hand in values else 0
    return min(range(len(values)), key=lambda at: float(abs(values[at] - hand)))


def place_of(selection: Selection) -> Place:
    """Return the names and values in which the call is evaluated."""
    return {name: value for name, value in selection.values().items() if value is not None}


def selection_at(figure: FigureCall, place: Place) -> Selection:
    """Return the picture of a stored place. Raises QueryError, KeyError."""
    start = initial_selection(figure)
    known = {parameter.name: parameter for parameter in all_parameters(start)}
    texts = {name: known[name].format(value) for name, value in place.items()}
    return read_query(start.entry, start.view, texts)


def usable_figure(definition: ExerciseDefinition) -> FigureCall | None:
    """Return the figure of a stored version; None where the engine no longer has it.

    Checked when it was published, it may name a view or a limit that posenc has changed since.
    """
    figure = definition.figure
    if figure is None:
        return None
    try:
        start = initial_selection(figure)
        start.compute()
        moved(figure, texts_of(start))
    except (KeyError, QueryError, ParameterError):
        logger.exception("the figure of %s cannot be drawn any more", definition.name)
        return None
    return figure


# ---- what its author wrote


def figure_problems(definition: ExerciseDefinition, *, within: str) -> Iterator[ContentProblem]:
    """Yield what is wrong with the figure of an exercise, with file and line."""
    figure = definition.figure
    if figure is not None:
        for problem in _problems(figure, definition.name):
            yield problem.below(within)


def _problems(figure: FigureCall, name: str) -> Iterator[ContentProblem]:
    nodes = figure.nodes
    entry = REGISTRY.get(figure.encoding)
    if entry is None:
        yield nodes["encoding"].problem(f"figure.encoding: no encoding {figure.encoding!r}")
        return
    usable = [view.slug for view in entry.views.values() if view.in_page]
    if figure.view not in entry.views or not entry.views[figure.view].in_page:
        words = f"{figure.view!r}: must be a view that a page draws by itself: {usable}"
        yield nodes["view"].problem(f"figure.view: {words}")
        return
    try:
        start = initial_selection(figure)
        data = start.compute()
    except QueryError as error:
        for argument, message in error.by_argument().items():
            yield nodes["set"].at(argument).problem(f"figure.set: {message}")
        return
    except ParameterError as error:
        yield nodes["set"].problem(f"figure.set: {error}")
        return
    if data.kind not in DRAWN:
        yield nodes["view"].problem(f"figure.view: {data.kind} cannot be drawn from an array")
    faults = list(_slider_problems(figure, start))
    yield from faults
    yield from _name_problems(figure, start, name)
    if not faults:
        yield from _size_problems(figure)


def _slider_problems(figure: FigureCall, start: Selection) -> Iterator[ContentProblem]:
    known = slider_parameters(start)
    for name, ends in figure.sliders.items():
        node = figure.nodes["sliders"].at(name)
        if name not in known:
            yield node.problem(f"figure.sliders: {name!r}: must be one of {sorted(known)}")
        elif isinstance(ends, Choices) != is_choice(known[name]):
            yield node.problem(f"figure.sliders: {name}: must be {known[name].expectation}")
        elif isinstance(ends, Choices):
            try:
                slider_values(known[name], ends)
            except ParameterError as error:
                yield node.problem(f"figure.sliders: {error}")
        else:
            yield from _range_problems(known[name], ends, node)


def _range_problems(
    parameter: Parameter, ends: SliderRange, node: Node
) -> Iterator[ContentProblem]:
    low, high = parameter.web_limits
    first = ends.low if parameter.scale == "log" else ends.low + ends.step
    for end in (ends.low, ends.high, first):
        if not within(end, low, high) or parameter.kind(end) != end:
            words = f"{end:g}: must be {parameter.expectation}"
            yield node.problem(f"figure.sliders: {parameter.name}: {words}")
    if parameter.scale != "log" and ends.count > MOST_PLACES:
        words = f"has {ends.count} places, at most {MOST_PLACES} are allowed"
        yield node.problem(f"figure.sliders: {parameter.name}: {words}")


def _name_problems(figure: FigureCall, start: Selection, name: str) -> Iterator[ContentProblem]:
    """Yield names in the call that nothing stands for."""
    tree = ast.parse(figure.call, mode="eval")
    stored = {
        node.id
        for node in ast.walk(tree)
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)
    }
    known = {name, *KNOWN, *texts_of(start), *dir(builtins), *stored}
    used = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}
    for other in sorted(used - known):
        words = f"{other!r}: must be {name} or one of {', '.join(texts_of(start))}"
        yield figure.nodes["call"].problem(f"figure.call: {words}")
    if name not in used:
        yield figure.nodes["call"].problem(f"figure.call: must call {name}")
    for node in ast.walk(tree):
        # The cases name every argument, so code that takes them by name alone is right.
        if isinstance(node, ast.Call) and node.args and ast.unparse(node.func) == name:
            words = f"must name the arguments of {name}: {name}(n=...)"
            yield figure.nodes["call"].problem(f"figure.call: {words}")


def _size_problems(figure: FigureCall) -> Iterator[ContentProblem]:
    """Yield a slider whose places have more numbers together than one run may return."""
    known = slider_parameters(initial_selection(figure))
    last = {name: slider_values(known[name], ends)[-1] for name, ends in figure.sliders.items()}
    most = moved(figure, {name: known[name].format(value) for name, value in last.items()})
    for name in figure.sliders:
        cells = sum(_cells(frame) for _, frame in batch_frames(figure, most, name))
        if cells > MAX_BYTES // 8:
            words = f"{name}: all places have {cells} numbers, at most {MAX_BYTES // 8} are allowed"
            yield figure.nodes["sliders"].at(name).problem(f"figure.sliders: {words}")


def _cells(data: ViewData) -> int:
    return int(data.values.size)
