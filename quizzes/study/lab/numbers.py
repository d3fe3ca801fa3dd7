"""Own numbers as addresses name them: those of a Run, for an hour, and those that are shared."""

from dataclasses import replace
from functools import partial
from uuid import UUID

import numpy as np
from django.http import Http404
from posenc.registry import REGISTRY, Entry

from quizzes.exercises.models import SharedNumbers, Submission
from quizzes.exercises.runs.code_figure import usable_figure
from quizzes.exercises.runs.samples import places_of, sample_of
from quizzes.lessons.own_numbers.entries import YOURS, OwnNumbers
from quizzes.lessons.own_numbers.table import Numbers, picture_entry, table_entry
from quizzes.study.code_figures.pictures import pictures_of

RUN, SHARED = "run-", "shared-"
RETURNS = "What your code returns."
TABLE = ("sinusoidal", "heatmap")  # the view of a lesson whose numbers are a vector a position


def run_slug(row: Submission, place: int = 0) -> str:
    """Return the name of what a Run gave at one of its places."""
    return f"{RUN}{row.key.hex}-{place}"


def shared_slug(row: SharedNumbers) -> str:
    """Return the name of numbers that are shared."""
    return f"{SHARED}{row.token}"


def numbers_at(slug: str) -> OwnNumbers | None:
    """Return the numbers of a name; None where they are gone, or never were. One query."""
    if slug.startswith(SHARED):
        row = SharedNumbers.objects.filter(token=slug.removeprefix(SHARED)).first()
        return _of_shared(row, slug) if row is not None else None
    key, _, place = slug.removeprefix(RUN).partition("-")
    runs = Submission.objects.filter(kind=Submission.Kind.RUN, key=UUID(key))
    runs = runs.filter(run__sample__isnull=False, graded_at__isnull=False)
    run = runs.select_related("run__against__exercise").first()
    return _of_run(run, slug, int(place)) if run is not None else None


def table_of(row: Submission, place: int = 0) -> Numbers | None:
    """Return the table that a Run gave at a place, None where it has none."""
    sample = sample_of(row)
    arrays = sample.arrays if sample is not None else ()
    table = arrays[place] if place < len(arrays) else None
    return table if table is not None and table.ndim == 2 else None


def read_shared(row: SharedNumbers) -> Numbers | None:
    """Return the table of a row; None for one that is damaged."""
    table = np.frombuffer(bytes(row.numbers), dtype="<f8")
    if table.size != row.n * row.d or not np.isfinite(table).all():
        return None
    return table.reshape(row.n, row.d)


def _of_shared(row: SharedNumbers, slug: str) -> OwnNumbers | None:
    table = read_shared(row)
    if table is None:
        return None
    build = partial(table_entry, slug, row.name, table)
    return OwnNumbers(row.name, _size(table), row.made_at, None, build)


def _of_run(row: Submission, slug: str, place: int) -> OwnNumbers | None:
    assert row.graded_at is not None  # as looked up
    if row.run.against is not None:
        return _of_figure(row, slug, place)
    table = table_of(row, place)
    if table is None:
        return None
    build = partial(table_entry, slug, YOURS, table)
    return OwnNumbers(YOURS, _size(table), row.graded_at, row.learner_id, build)


def _of_figure(row: Submission, slug: str, place: int) -> OwnNumbers | None:
    """Return what a learner's code gave at a place of an exercise's figure; never the reference.

    Places are counted in the order of the slider, as its pictures are.
    """
    run, sample = row.run, sample_of(row)
    assert run.against is not None and row.graded_at is not None  # noqa: PT018
    figure = usable_figure(run.against.definition)
    if figure is None or sample is None:
        return None
    try:
        slider, places = str((run.sample or {})["slider"]), places_of(run)
        at = sorted(range(len(places)), key=lambda number: places[number][slider])[place]
        sliders = {name: places[at][name] for name in figure.sliders}
    except (ValueError, KeyError, IndexError):
        return None
    if sample.arrays[at] is None:
        return None
    size = ", ".join(f"{name} = {value}" for name, value in sliders.items())
    build = partial(figure_entry, row, slug, place)
    return OwnNumbers(YOURS, size, row.graded_at, row.learner_id, build)


def figure_entry(row: Submission, slug: str, place: int) -> Entry:
    """Return the views of such numbers: all of a table, or the figure's own. Raises Http404."""
    run, sample = row.run, sample_of(row)
    try:
        assert run.against is not None and sample is not None  # noqa: PT018
        pictures = pictures_of(run.against.definition, run, sample, with_reference=False)
        picture, values = pictures.picture(place, "yours"), pictures.places[place].numbers["yours"]
        figure = run.against.definition.figure
        assert figure is not None
        if (figure.encoding, figure.view) == TABLE:
            return table_entry(slug, YOURS, values)
        view = REGISTRY[figure.encoding].views[figure.view]
        said = pictures.places[place].words
        own = replace(picture, title=view.title, subtitle=RETURNS, finding=said, summary={})
        return picture_entry(slug, YOURS, view, own)
    except (ValueError, LookupError) as error:
        raise Http404(f"no numbers {slug!r}") from error


def _size(table: Numbers) -> str:
    n, d = table.shape
    return f"n = {n} positions, d = {d} numbers each"
