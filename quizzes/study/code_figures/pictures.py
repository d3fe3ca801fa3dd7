"""The three pictures of each place: the frame of a lesson's view with other numbers in it.

What a page draws by itself and what the server draws follow from the same facts: `Pictures.dress`
is what differs from the view, and the page puts it around the same numbers.
"""

import base64
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, fields, is_dataclass, replace
from typing import Any, Literal

import numpy as np
import numpy.typing as npt
from posenc.errors import ParameterError, QueryError
from posenc.figures.describe import signed_digits
from posenc.figures.live import LivePicture, draw_live
from posenc.figures.palettes import Scheme
from posenc.views import Axis, ViewData, log_axis, number_axis

from quizzes.exercises.models import CodeRun
from quizzes.exercises.runs.code_figure import selection_at, texts_of
from quizzes.exercises.runs.samples import places_of
from quizzes.exercises.runs.views import OTHER_LIBRARY
from quizzes.grader.definitions import ExerciseDefinition
from quizzes.grader.programs import Sample
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
Numbers = npt.NDArray[np.float64]
Dress = dict[str, Any]


@dataclass(frozen=True, eq=False)
class PlacePicture:
    """One place: the frame, the numbers of each layer, and what is to be said of them.

    `numbers` has no layer that is not shown: of a problem, or of a reference that is withheld.
    """

    texts: dict[str, str]
    frame: ViewData
    numbers: dict[Layer, Numbers]
    words: str
    is_problem: bool


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
    dress: dict[Layer, Dress]
    problem: str
    note: str
    line: int | None

    def draw(self, place: int, layer: Layer, *, scheme: Scheme) -> LivePicture:
        """Return a layer of a place as the server draws it. Raises LookupError without one."""
        return draw_live(self.picture(place, layer), scheme=scheme, width_px=WIDTH_PX)

    def picture(self, place: int, layer: Layer) -> ViewData:
        """Return a layer of a place as data to be drawn. Raises LookupError without one."""
        picture = self.places[place]
        values = drawable(picture.numbers[layer])
        return replace(picture.frame, values=values, **BARE, **self.dress[layer])

    def as_json(self) -> dict[str, Any]:
        """Return what the page draws: numbers as float32, as those of every figure's reading."""
        return {
            "slider": self.slider,
            "layers": {layer: LAYERS[layer] for layer in self.layers},
            "dress": {layer: _plain(self.dress[layer]) for layer in self.layers},
            "problem": self.problem,
            "note": self.note,
            "line": self.line,
            "places": [
                {
                    "texts": place.texts,
                    "words": place.words,
                    "is_problem": place.is_problem,
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
    figure = definition.figure
    if figure is None or not isinstance(run.sample, dict):
        raise ValueError("a batch of another version")
    try:
        slider = str(run.sample["slider"])
        selections = [selection_at(figure, place) for place in places_of(run)]
        frames = [selection.compute() for selection in selections]
        order = sorted(range(len(frames)), key=lambda at: selections[at].values()[slider])
    except (KeyError, QueryError, ParameterError) as error:
        raise ValueError(f"a batch of another version: {error}") from error
    references: Sequence[Numbers | None] = sample.references or (None,) * len(frames)
    if with_reference and sample.references is None:
        with_reference, why_not = False, FAILED if run.submission.graded_at else STARTS
    places = []
    for at in order:
        own = _fitting(sample.arrays[at], frames[at])
        reference = _fitting(references[at], frames[at]) if with_reference else None
        problem = sample.problems[at] or _shape_problem(sample.arrays[at], frames[at], own)
        numbers = _numbers(own, reference, definition)
        words = problem or _words(numbers, frames[at])
        texts = texts_of(selections[at])
        places.append(PlacePicture(texts, frames[at], numbers, words, bool(problem)))
    layers = tuple(layer for layer in LAYERS if with_reference or layer == "yours")
    dress = dict(_dress(places, layers))
    is_partial = with_reference and any(array is None for array in references)
    about_reference = FAILED if is_partial else "" if with_reference else why_not
    note = " ".join(filter(None, (_note_of(sample, definition), about_reference)))
    return Pictures(
        slider, order.index(0), layers, tuple(places), dress, sample.problem, note, sample.line
    )


def _note_of(sample: Sample, definition: ExerciseDefinition) -> str:
    """Say that the arrays are of the other library, which graded cases take too; else ""."""
    return OTHER_LIBRARY.get((sample.kind, definition.library), "")


def drawable(values: Numbers) -> Numbers:
    """Return the numbers with NaN for what float32 cannot hold: neither has a colour or a place."""
    return np.where(np.abs(values) <= MOST, values, np.nan)


def _fitting(values: Numbers | None, frame: ViewData) -> Numbers | None:
    """Return numbers in the shape of the view's, None where they do not fit."""
    if values is None:
        return None
    if values.ndim == 1 and frame.values.shape == (1, len(values)):
        return values[None, :]
    return values if values.shape == frame.values.shape else None


def _shape_problem(values: Numbers | None, frame: ViewData, fitting: Numbers | None) -> str:
    if values is None or fitting is not None:
        return ""
    drawn = frame.values.shape if frame.values.shape[0] > 1 else frame.values.shape[1:]
    return f"Your numbers have the shape {values.shape}; the figure draws {drawn}."


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


def _words(numbers: dict[Layer, Numbers], frame: ViewData) -> str:
    if "difference" in numbers:
        return _difference_in_words(numbers["difference"], frame)
    return _range(numbers["yours"]) if "yours" in numbers else ""


def _difference_in_words(difference: Numbers, frame: ViewData) -> str:
    lost = int(np.isnan(difference).sum())
    sizes = np.nan_to_num(np.abs(difference), nan=0.0)
    if not lost and not sizes.any():
        return "No difference."
    said = []
    if sizes.any():
        row, column = (int(at) for at in np.unravel_index(sizes.argmax(), sizes.shape))
        where = f"{frame.column_noun} {frame.column_names[column]}"
        if len(difference) > 1:
            where = f"{frame.row_noun} {frame.row_names[row]}, {where}"
        value = _signed(float(difference[row, column]))
        said.append(f"Largest difference {value}, at {where}.")
    if lost:
        number = "number is" if lost == 1 else "numbers are"
        said.append(f"{lost} {number} finite in only one of the two.")
    return " ".join(said)


def _signed(value: float) -> str:
    """Write a difference with four digits after the point; a power of ten where these mislead."""
    if SMALL <= abs(value) < LARGE:
        return signed_digits(value)
    return f"{value:+.{2 if abs(value) < SMALL else 4}g}".replace("-", "−")


def _range(values: Numbers) -> str:
    finite = values[np.isfinite(values)]
    if not finite.size:
        return "No number is finite."
    low, high = (f"{end:.4g}".replace("-", "−") for end in (finite.min(), finite.max()))
    return f"Your numbers lie between {low} and {high}."


def _dress(
    places: Sequence[PlacePicture], layers: Sequence[Layer]
) -> Iterator[tuple[Layer, Dress]]:
    """Yield what the pictures of a layer have of their own: scales that stay as a slider moves."""
    frame = places[0].frame
    shown = _all(places, ("yours", "reference"))
    largest = round_up(float(np.abs(_all(places, ("difference",))).max(initial=0.0)))
    for layer in layers:
        if layer != "difference" and frame.kind == "heatmap":
            yield layer, {"masked": frame.masked or GREY}
        elif layer != "difference":
            axis = _value_axis([place.frame.y for place in places], shown)
            yield layer, {"y": axis, "limits": axis.limits}
        else:
            own: Dress = {
                "scale": "signed_unit",
                "limits": (-largest, largest),
                "unit": "difference",
            }
            if frame.kind == "heatmap":
                yield layer, own | {"bend": 0.0, "bar_ticks": (), "masked": GREY}
            else:
                axis = number_axis("yours − reference", -largest, largest)
                yield layer, own | {"y": axis, "limits": axis.limits}


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
