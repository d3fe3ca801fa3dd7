"""Own numbers as addresses name them: those of a learner's newest Runs, and shared ones.

A name is asked for at each step of a slider, and then says only whose numbers they are: arrays are
read once for each process, when its entry is made.
"""

from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np
from django.db.models import QuerySet
from django.http import Http404
from posenc.errors import ParameterError, QueryError
from posenc.query import Selection, read_query
from posenc.registry import REGISTRY, Entry

from quizzes.content_files.typed_text import isolate
from quizzes.exercises.models import SharedNumbers, Submission
from quizzes.exercises.queue.batch_pictures import MOST_OF_LAB, MOST_OF_ONE
from quizzes.exercises.runs.code_figure import selection_at, texts_of, usable_figure
from quizzes.exercises.runs.samples import places_of, sample_of
from quizzes.grader.definitions import FigureCall
from quizzes.grader.programs import Place
from quizzes.lessons.own_numbers.entries import YOURS, OwnNumbers
from quizzes.lessons.own_numbers.table import (
    Numbers,
    Tables,
    picture_entry,
    table_entry,
    usable,
)
from quizzes.study.code_figures.pictures import picture_alone, pictures_of

RUN, SHARED = "run-", "shared-"
RETURNS = "What your code returns."
THEIRS = "What a learner’s code returns."
TABLE = ("sinusoidal", "heatmap")  # the view of a lesson whose numbers are a vector a position


def run_slug(row: Submission, place: int = 0) -> str:
    """Return the name of what a Run gave at one of its places; of one in the lab, at all."""
    return f"{RUN}{row.pk}-{place}"


def shared_slug(row: SharedNumbers) -> str:
    """Return the name of numbers that are shared."""
    return f"{SHARED}{row.token}"


def numbers_at(slug: str) -> OwnNumbers | None:
    """Return the numbers of a name; None where they are gone, or never were. One query."""
    if slug.startswith(SHARED):
        token = slug.removeprefix(SHARED)
        row = SharedNumbers.objects.filter(token=token).defer("numbers").first()
        return _of_shared(row, slug) if row is not None else None
    pk, _, place = slug.removeprefix(RUN).partition("-")
    run = _runs().filter(pk=int(pk)).defer("code", "run__picture").first()
    return _of_run(run, slug, int(place)) if run is not None else None


def tables_of(row: Submission) -> Tables | None:
    """Return the tables that a Run of the lab gave, None where it has none for its n and d."""
    sample, places = sample_of(row), places_of(row.run)
    first = sample.arrays[0] if sample is not None else None
    if sample is None or first is None or first.ndim != 2:
        return None
    along = "d" if (row.run.sample or {}).get("slider") == "d" else "n"
    is_usable = usable(first)
    by_size = {
        int(place[along]): array
        for place, array in zip(places, sample.arrays, strict=True)
        if array is not None and array.ndim == first.ndim and usable(array) == is_usable
    }
    return Tables(by_size, int(places[0][along]), 1 if along == "d" else 0)


def read_shared(row: SharedNumbers) -> Numbers | None:
    """Return the numbers of a row; None for one that is damaged."""
    numbers = np.frombuffer(bytes(row.numbers), dtype="<f8")
    if numbers.size != row.n * row.d or (row.figure is None and not np.isfinite(numbers).all()):
        return None
    return numbers.reshape(row.n, row.d)


def shared_selection(row: SharedNumbers) -> Selection | None:
    """Return the picture of the engine whose frame shared numbers have; None for a table.

    Raises ValueError where the engine no longer has it.
    """
    figure: Any = row.figure
    if figure is None:
        return None
    try:
        entry = REGISTRY[figure["encoding"]]
        return read_query(entry, entry.views[figure["view"]], figure["values"])
    except (KeyError, TypeError, QueryError) as error:
        raise ValueError(f"a figure of another version: {error}") from error


def shared_figure(figure: FigureCall, place: Place) -> dict[str, Any] | None:
    """Return what a row stores of the figure whose numbers it has; None for a table's.

    Raises ValueError where the engine no longer has it.
    """
    if (figure.encoding, figure.view) == TABLE:
        return None
    try:
        values = texts_of(selection_at(figure, place))
    except (KeyError, QueryError) as error:
        raise ValueError(f"a place of another version: {error}") from error
    return {"encoding": figure.encoding, "view": figure.view, "values": values}


def _runs() -> QuerySet[Submission]:
    runs = Submission.objects.filter(kind=Submission.Kind.RUN, graded_at__isnull=False)
    runs = runs.filter(run__sample__isnull=False, run__picture__isnull=False)
    return runs.select_related("run__against__exercise")


def _of_shared(row: SharedNumbers, slug: str) -> OwnNumbers:
    size = sizes_of_figure(row.figure) if row.figure else f"n = {row.n}, d = {row.d}"
    return OwnNumbers(row.name, size, row.made_at, None, partial(_shared_entry, row.pk, slug))


def sizes_of_figure(figure: Any) -> str:
    """Return in words where the sliders stood for a figure as a row stores it; "" for none."""
    values = figure.get("values") if isinstance(figure, dict) else None
    return _in_words(values) if isinstance(values, dict) else ""


def _in_words(values: dict[str, Any]) -> str:
    return ", ".join(f"{name} = {value}" for name, value in values.items())


def _shared_entry(pk: int, slug: str) -> Entry:
    """Return the views of shared numbers. Raises Http404 where they are gone or damaged."""
    row = SharedNumbers.objects.filter(pk=pk).first()
    numbers = read_shared(row) if row is not None else None
    if row is None or numbers is None:
        raise Http404(f"no numbers {slug!r}")
    title = isolate(row.name)
    try:
        selection = shared_selection(row)
        if selection is None:
            return table_entry(slug, title, Tables.of(numbers))
        picture = picture_alone(selection, numbers)
    except (ValueError, ParameterError) as error:
        raise Http404(f"no numbers {slug!r}") from error
    own = replace(picture, title=selection.view.title, subtitle=THEIRS)
    return picture_entry(slug, title, selection.view, own)


def _of_run(row: Submission, slug: str, place: int) -> OwnNumbers | None:
    """Return what a learner's code gave: in the lab, or at a place of an exercise's figure.

    Places of a figure are counted in the order of the slider, as its pictures are.
    """
    assert row.graded_at is not None  # as looked up
    sizes = _sizes_of_lab(row) if row.run.against is None else _sizes_at(row, place)
    if sizes is None or (row.run.against is None and place):
        return None
    most = MOST_OF_LAB if row.run.against is None else MOST_OF_ONE
    build = partial(_run_entry, row.pk, slug, place, sizes)
    return OwnNumbers(YOURS, sizes, row.graded_at, row.learner_id, build, most)


def _sizes_of_lab(row: Submission) -> str:
    hand = places_of(row.run)[0]
    return f"n = {hand['n']}, d = {hand['d']}"


def _sizes_at(row: Submission, place: int) -> str | None:
    """Return where the sliders of an exercise's figure stand; None for no such place."""
    run = row.run
    figure = run.against.definition.figure if run.against else None
    if figure is None:
        return None
    try:
        at = _order(row)[place]
        return _in_words({name: places_of(run)[at][name] for name in figure.sliders})
    except (ValueError, KeyError, IndexError):
        return None


def _order(row: Submission) -> list[int]:
    """Return the stored places in the order of the slider. Raises ValueError, KeyError."""
    slider, places = str((row.run.sample or {})["slider"]), places_of(row.run)
    return sorted(range(len(places)), key=lambda at: places[at][slider])


def _run_entry(pk: int, slug: str, place: int, sizes: str) -> Entry:
    """Return the views of what a Run gave. Raises Http404 where it is gone or gave no numbers."""
    row, title = _runs().filter(pk=pk).first(), f"{YOURS} ({sizes})"
    if row is None:
        raise Http404(f"no numbers {slug!r}")
    if row.run.against is not None:
        return figure_entry(row, slug, place, title)
    tables = tables_of(row)
    if tables is None:
        raise Http404(f"no numbers {slug!r}")
    return table_entry(slug, title, tables)


def figure_entry(row: Submission, slug: str, place: int, title: str) -> Entry:
    """Return the views of such numbers: all of a table, or the figure's own. Raises Http404."""
    run, sample = row.run, sample_of(row)
    try:
        if run.against is None or sample is None or usable_figure(run.against.definition) is None:
            raise ValueError("no figure")
        pictures = pictures_of(run.against.definition, run, sample, with_reference=False)
        picture, values = pictures.picture(place, "yours"), pictures.places[place].numbers["yours"]
        figure = run.against.definition.figure
        assert figure is not None
        if (figure.encoding, figure.view) == TABLE:
            return table_entry(slug, title, Tables.of(values))
        view = REGISTRY[figure.encoding].views[figure.view]
        said = pictures.places[place].words
        own = replace(picture, title=view.title, subtitle=RETURNS, finding=said, summary={})
        return picture_entry(slug, title, view, own)
    except (ValueError, LookupError) as error:
        raise Http404(f"no numbers {slug!r}") from error
