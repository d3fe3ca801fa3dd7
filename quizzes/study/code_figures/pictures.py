"""The three pictures of each place: the frame of a lesson's view with other numbers in it.

What a page draws by itself and what the server draws follow from the same facts: `Pictures.dress`
is what differs from the view, and the page puts it around the same numbers.

A view is computed where its frame is looked at and nowhere else: a still picture of one place needs
that place, and the axis of curves needs all. A row may be an hour old and the engine newer, so each
of these may turn out not to fit: ValueError.
"""

import base64
from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields, is_dataclass, replace
from functools import cached_property
from typing import Any, Literal

import numpy as np
import numpy.typing as npt
from posenc.catalog.alibi.views import missing_head
from posenc.errors import ParameterError, QueryError
from posenc.figures.describe import signed_digits
from posenc.figures.live import LivePicture, draw_live
from posenc.figures.palettes import Scheme
from posenc.query import Selection
from posenc.views import Axis, ViewData, log_axis, number_axis

from quizzes.exercises.models import CodeRun
from quizzes.exercises.runs.code_figure import selection_at, texts_of
from quizzes.exercises.runs.samples import places_of, shapes_of
from quizzes.exercises.runs.views import OTHER_LIBRARY
from quizzes.grader.definitions import ExerciseDefinition, FigureCall
from quizzes.grader.programs import Place, Sample
from quizzes.lessons.own_numbers.table import round_up

Layer = Literal["yours", "reference", "difference"]
LAYERS: dict[Layer, str] = {
    "yours": "Yours",
    "reference": "Reference",
    "difference": "Difference, yours − reference",
}
GREY = "no number: NaN or infinite"
WITHHELD = (
    "The reference is not shown now: work of your class still counts the exercise, or it is being"
    " verified."
)
FIRST_TRY = "The reference appears here once a Check or Submit of yours was graded."
AGAIN = "Run it again to see the reference."
STARTS = "The reference is being started."
FAILED = "The reference did not run everywhere. This was our fault, not yours. Run it again."
# Outside of these, four digits after the point say too little or are far too many.
SMALL, LARGE = 5e-4, 1e6
MOST = float(np.finfo(np.float32).max)  # the page reads numbers as float32
WIDTH_PX = 360
PALE = 0.02  # of a scale of differences: what is less looks like none
Numbers = npt.NDArray[np.float64]
Dress = dict[str, Any]


@dataclass(frozen=True, eq=False)
class PlacePicture:
    """One place: its numbers, as they were stored, and the frame of the view around them.

    `shape`: rows and columns that are drawn. `yours`, `reference`: None where there is none to be
    shown, for a problem or of a reference that is withheld.
    """

    place: Place
    definition: ExerciseDefinition
    shape: tuple[int, int]
    yours: Numbers | None
    reference: Numbers | None
    problem: str

    @cached_property
    def selection(self) -> Selection:
        """The view at this place. Raises ValueError where the engine no longer has it."""
        try:
            return selection_at(_figure_of(self.definition), self.place)
        except (KeyError, QueryError) as error:
            raise ValueError(f"a place of another version: {error}") from error

    @cached_property
    def frame(self) -> ViewData:
        """The view with its own numbers. Raises ValueError where it has another shape now."""
        try:
            frame = self.selection.compute()
        except ParameterError as error:
            raise ValueError(f"a place of another version: {error}") from error
        if frame.values.shape != self.shape:
            raise ValueError(f"the view has the shape {frame.values.shape}, not {self.shape}")
        return frame

    @cached_property
    def numbers(self) -> dict[Layer, Numbers]:
        """The numbers of each layer that is shown here."""
        return _numbers(self.yours, self.reference, self.definition)

    @cached_property
    def words(self) -> str:
        """What is to be said of them. Raises ValueError where the engine no longer has the view."""
        if self.problem:
            return self.problem
        if "difference" in self.numbers:
            return _difference_in_words(self)
        return _range(self.yours, "Your numbers") if self.yours is not None else ""


@dataclass(frozen=True, eq=False)
class Pictures:
    """All places of a batch, in the order of the slider.

    `hand`: the place at which the slider stood. `problem`: why the run as a whole did not come to
    its end, "" where it did. `note`: that arrays are of the other library, or that the reference is
    not shown.
    """

    slider: str
    hand: int
    layers: tuple[Layer, ...]
    places: tuple[PlacePicture, ...]
    problem: str
    note: str
    line: int | None

    def draw(self, place: int, layer: Layer, *, scheme: Scheme) -> LivePicture:
        """Return a layer of a place as the server draws it.

        Raises LookupError without one, ValueError where the engine no longer has the view.
        """
        return draw_live(self.picture(place, layer), scheme=scheme, width_px=WIDTH_PX)

    def picture(self, place: int, layer: Layer) -> ViewData:
        """Return a layer of a place as data to be drawn. Raises as `draw` does."""
        picture = self.places[place]
        values = drawable(picture.numbers[layer])
        return replace(picture.frame, values=values, **BARE, **self.dress(layer))

    def words(self, place: PlacePicture) -> str:
        """Return what is to be said of a place among all others. Raises ValueError as `draw` does.

        A difference may be small next to those that the scale of all places has room for.
        """
        values = place.selection.values()
        if {"head", "n_heads"} <= values.keys():
            return missing_head(values["n_heads"], values["head"]) + self._in_scale(place)
        return self._in_scale(place)

    def _in_scale(self, place: PlacePicture) -> str:
        largest = _largest((place,))
        if not 0 < largest < PALE * self._most:
            return place.words
        scale = f"the scale of all places ends at {self._most:g}."
        return f"{place.words} The picture hardly shows it: {scale}"

    @cached_property
    def _most(self) -> float:
        return round_up(_largest(self.places))

    def dress(self, layer: Layer) -> Dress:
        """Return what a layer has of its own. Raises ValueError as `draw` does."""
        return _dress(self.places, layer)

    def as_json(self) -> dict[str, Any]:
        """Return what the page draws: numbers as float32, as those of every figure's reading.

        Raises ValueError as `draw` does.
        """
        return {
            "slider": self.slider,
            "layers": {layer: LAYERS[layer] for layer in self.layers},
            "dress": {layer: _plain(self.dress(layer)) for layer in self.layers},
            "problem": self.problem,
            "note": self.note,
            "line": self.line,
            "places": [
                {
                    "texts": texts_of(place.selection),
                    "words": self.words(place),
                    "is_problem": bool(place.problem),
                    "numbers": {name: _packed(array) for name, array in place.numbers.items()},
                }
                for place in self.places
            ],
        }


# Marks of the view that are true of its own numbers alone.
BARE: Dress = {"between": None, "band": None, "cursor": None, "edges": ()}


def pictures_of(
    definition: ExerciseDefinition,
    run: CodeRun,
    sample: Sample,
    *,
    with_reference: bool,
    why_not: str = WITHHELD,
) -> Pictures:
    """Return the pictures of a batch. Raises ValueError for one that does not fit the figure.

    `why_not`: the sentence for a batch without a reference.
    """
    if definition.figure is None or not isinstance(run.sample, dict):
        raise ValueError("a batch of another version")
    places, shapes = places_of(run), shapes_of(run)
    try:
        slider = str(run.sample["slider"])
        order = sorted(range(len(places)), key=lambda at: places[at][slider])
    except (KeyError, TypeError) as error:
        raise ValueError(f"a batch without numbers of its slider: {error}") from error
    for at, array in [*enumerate(sample.arrays), *enumerate(sample.references or ())]:
        if array is not None and array.shape != shapes[at]:
            raise ValueError(f"place {at} has the shape {array.shape}, not {shapes[at]}")
    if with_reference and sample.references is None:
        with_reference, why_not = False, FAILED if run.submission.graded_at else STARTS
    references: Sequence[Numbers | None] = (None,) * len(places)
    if with_reference and sample.references is not None:
        references = sample.references
    layers = tuple(layer for layer in LAYERS if with_reference or layer == "yours")
    is_partial = with_reference and any(array is None for array in references)
    about_reference = FAILED if is_partial else "" if with_reference else why_not
    pictures = tuple(
        PlacePicture(
            places[at],
            definition,
            shapes[at],
            sample.arrays[at],
            references[at],
            sample.problems[at],
        )
        for at in order
    )
    note = " ".join(filter(None, (_note_of(sample, definition), about_reference)))
    return Pictures(slider, order.index(0), layers, pictures, sample.problem, note, sample.line)


def picture_alone(selection: Selection, values: Numbers) -> ViewData:
    """Return a learner's numbers in the frame of a view, alone: no slider, no reference.

    Its words are for everybody who has their link, so they do not say "your".
    Raises ValueError for numbers of another shape.
    """
    frame = selection.compute()
    if frame.values.shape != values.shape:
        raise ValueError(f"the view has the shape {frame.values.shape}, not {values.shape}")
    if frame.kind == "heatmap":
        own: Dress = {"masked": _masked(frame, has_own_holes=_adds_holes(values, lambda: frame))}
    else:
        axis = _value_axis([frame.y], values[np.abs(values) <= MOST])
        own = {"y": axis, "limits": axis.limits}
    facts: Dress = {
        "finding": _range(values, "The numbers"),
        "summary": {},
        "values": drawable(values),
    }
    return replace(frame, **BARE, **own, **facts)


def _figure_of(definition: ExerciseDefinition) -> FigureCall:
    if definition.figure is None:
        raise ValueError(f"{definition.name} has no figure")
    return definition.figure


def _note_of(sample: Sample, definition: ExerciseDefinition) -> str:
    """Say that the arrays are of the other library, which graded cases take too; else ""."""
    return OTHER_LIBRARY.get((sample.kind, definition.library), "")


def drawable(values: Numbers) -> Numbers:
    """Return the numbers with NaN for what float32 cannot hold: neither has a colour or a place."""
    return np.where(np.abs(values) <= MOST, values, np.nan)


def _numbers(
    own: Numbers | None, reference: Numbers | None, definition: ExerciseDefinition
) -> dict[Layer, Numbers]:
    numbers: dict[Layer, Numbers] = {}
    if own is not None:
        numbers["yours"] = own
    if reference is not None:
        numbers["reference"] = reference
    if own is not None and reference is not None:
        numbers["difference"] = _difference(own, reference, definition)
    return numbers


def _difference(own: Numbers, reference: Numbers, definition: ExerciseDefinition) -> Numbers:
    """Return yours minus the reference, 0 within the tolerance and for equal infinities.

    NaN where only one of them is a finite number.
    """
    same = (own == reference) | (np.isnan(own) & np.isnan(reference))
    with np.errstate(invalid="ignore", over="ignore"):
        apart = own - reference
        close = np.abs(apart) <= _allowed(reference, definition)
    both = np.isfinite(own) & np.isfinite(reference)
    return np.where(same | (close & both), 0.0, np.where(both, apart, np.nan))


def _allowed(reference: Numbers, definition: ExerciseDefinition) -> Numbers:
    """Return the exercise's tolerance; where the call makes more of rounding, the figure's."""
    atol = definition.figure.atol if definition.figure else 0.0
    return np.maximum(definition.tolerance.allowed_error(reference), atol)


def _difference_in_words(place: PlacePicture) -> str:
    own, reference, difference = (place.numbers[layer] for layer in LAYERS)
    apart = np.isnan(difference)
    in_both = apart & ~np.isfinite(own) & ~np.isfinite(reference)
    unlike = int(in_both.sum())
    lost = int(apart.sum()) - unlike
    sizes = np.nan_to_num(np.abs(difference), nan=0.0)
    if not apart.any() and not sizes.any():
        return "No difference."
    said = []
    if sizes.any():
        frame = place.frame
        row, column = (int(at) for at in np.unravel_index(sizes.argmax(), sizes.shape))
        where = f"{frame.column_noun} {frame.column_names[column]}"
        if len(difference) > 1:
            where = f"{frame.row_noun} {frame.row_names[row]}, {where}"
        value = _signed(float(difference[row, column]))
        said.append(f"Largest difference {value}, at {where}.")
    if lost:
        said.append(f"{_numbers_are(lost)} finite in only one of the two.")
    if unlike:
        said.append(f"{_numbers_are(unlike)} finite in neither, but not the same.")
    return " ".join(said)


def _numbers_are(count: int) -> str:
    return "1 number is" if count == 1 else f"{count} numbers are"


def _signed(value: float) -> str:
    """Write a difference with four digits after the point; a power of ten where these mislead."""
    if SMALL <= abs(value) < LARGE:
        return signed_digits(value)
    return f"{value:+.{2 if abs(value) < SMALL else 4}g}".replace("-", "−")


def _range(values: Numbers, name: str) -> str:
    finite = values[np.isfinite(values)]
    if not finite.size:
        return "No number is finite."
    low, high = (f"{end:.4g}".replace("-", "−") for end in (finite.min(), finite.max()))
    return f"{name} lie between {low} and {high}."


def _dress(places: Sequence[PlacePicture], layer: Layer) -> Dress:
    """Return what the pictures of a layer have of their own: scales that stay as a slider moves."""
    frame = places[0].frame
    is_heatmap = frame.kind == "heatmap"
    if layer != "difference" and is_heatmap:
        has_own_holes = layer == "yours" and any(map(_has_own_holes, places))
        return {"masked": _masked(frame, has_own_holes=has_own_holes)}
    if layer != "difference":
        axes = [place.frame.y for place in places]
        axis = _value_axis(axes, _all(places, ("yours", "reference")))
        return {"y": axis, "limits": axis.limits}
    largest = round_up(_largest(places))
    own: Dress = {"scale": "signed_unit", "limits": (-largest, largest), "unit": "difference"}
    if is_heatmap:
        return own | {"bend": 0.0, "bar_ticks": (), "masked": GREY}
    axis = number_axis("yours − reference", -largest, largest)
    return own | {"y": axis, "limits": axis.limits}


def _has_own_holes(place: PlacePicture) -> bool:
    """Say whether a learner's numbers have a hole where the view has a number."""
    return place.yours is not None and _adds_holes(place.yours, lambda: place.frame)


def _adds_holes(values: Numbers, frame: Callable[[], ViewData]) -> bool:
    holes = np.isnan(drawable(values))
    return bool(holes.any() and (holes & ~np.isnan(frame().values)).any())


def _masked(frame: ViewData, *, has_own_holes: bool) -> str:
    return frame.masked if frame.masked and not has_own_holes else GREY


def _largest(places: Sequence[PlacePicture]) -> float:
    return float(np.abs(_all(places, ("difference",))).max(initial=0.0))


def _all(places: Sequence[PlacePicture], layers: Sequence[Layer]) -> Numbers:
    arrays = [
        place.numbers[layer].ravel()
        for place in places
        for layer in layers
        if layer in place.numbers
    ]
    values = np.concatenate(arrays) if arrays else np.zeros(0)
    return values[np.abs(values) <= MOST]


def _value_axis(axes: Sequence[Axis], values: Numbers) -> Axis:
    """Return one axis for the curves of all places: the view's own limits and every number."""
    low, high = min(axis.limits[0] for axis in axes), max(axis.limits[1] for axis in axes)
    if axes[0].scale == "log":
        values = values[values > 0]
        return log_axis(
            axes[0].label,
            max(float(values.min(initial=low)), low * 1e-6),
            min(float(values.max(initial=high)), high * 1e6),
        )
    return number_axis(
        axes[0].label,
        max(float(values.min(initial=low)), -1e300),
        min(float(values.max(initial=high)), 1e300),
    )


def _packed(numbers: Numbers) -> str:
    return base64.b64encode(drawable(numbers).astype("<f4").tobytes()).decode("ascii")


def _plain(value: Any) -> Any:
    if is_dataclass(value):
        return {field.name: _plain(getattr(value, field.name)) for field in fields(value)}
    if isinstance(value, dict):
        return {name: _plain(part) for name, part in value.items()}
    return [_plain(part) for part in value] if isinstance(value, tuple) else value
