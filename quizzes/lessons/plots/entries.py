"""A drawn plot under a name in addresses, as an encoding of the catalogue is under its slug.

The name is made of the plot's program, so its answers never change. Numbers come from stored
frames: nothing of an author runs while a page is made.
"""

import re
from dataclasses import dataclass
from functools import lru_cache, partial
from typing import Any

from django.http import Http404
from posenc.encoding import Encoding
from posenc.errors import ParameterError
from posenc.registry import Entry
from posenc.views import ViewData

from quizzes.lessons.models import PlotDrawing, PlotFrame
from quizzes.lessons.plots.drawings import PREFIX
from quizzes.lessons.plots.frames import unpacked, view_of
from quizzes.lessons.plots.plot_files import header_of
from quizzes.lessons.plots.plot_header import PlotHeader

NAME = re.compile(rf"{PREFIX}[0-9a-f]{{32}}", re.ASCII)
KEPT_ENTRIES = 64  # headers and scales, in each web process
KEPT_FRAMES = 32  # of at most 320 KB of numbers each
SOURCE = "a plot of this course"


@dataclass(frozen=True)
class PlotOfCourse(Encoding):
    """An encoding of which there are pictures only: its sliders are those of the view."""


def is_plot_name(slug: str) -> bool:
    """Return whether a name in an address is that of a plot."""
    return NAME.fullmatch(slug) is not None


@lru_cache(maxsize=KEPT_ENTRIES)
def plot_entry(name: str) -> Entry:
    """Return a drawn plot as an entry with one view, named as the plot. Raises Http404."""
    rows = PlotDrawing.objects.filter(state=PlotDrawing.State.DRAWN)
    drawing = rows.filter(key=name.removeprefix(PREFIX)).first()
    if drawing is None:
        raise Http404(f"no plot {name!r}")
    header = header_of(drawing.text)
    entry = Entry(slug=name, title=header.title, source=SOURCE, encoding=PlotOfCourse)
    sliders = {slider.name: slider.field for slider in header.sliders}
    facts: dict[str, Any] = {"kind": drawing.shape[0], "scale": "magnitude", "params": sliders}
    declare = entry.view(drawing.slug, title=header.title, **facts)
    declare(partial(_picture, drawing.key, header, tuple(drawing.scales)))
    return entry


def _picture(
    key: str, header: PlotHeader, scales: tuple[Any, ...], _encoding: Encoding, /, **values: Any
) -> ViewData:
    """Return the picture of a place of the sliders. Raises ParameterError for one in between."""
    try:
        number = header.number_of(values)
    except KeyError as error:
        name = error.args[0]
        slider = next(known for known in header.sliders if known.name == name)
        raise ParameterError(name, values[name], f"must be {slider.words}") from error
    return view_of(_frame(key, number), scales)


@lru_cache(maxsize=KEPT_FRAMES)
def _frame(key: str, number: int) -> Any:
    row = PlotFrame.objects.filter(drawing__key=key, number=number).values_list("data").first()
    if row is None:
        raise Http404("the frames of this plot were drawn again")
    return unpacked(bytes(row[0]))
