"""Store plots that were read or written, and return the stored hashes."""

from collections.abc import Mapping
from typing import Any

from quizzes.content_files.stored_hashes import Stored
from quizzes.courses.editions import add_edition
from quizzes.courses.models import Course
from quizzes.lessons.models import Plot
from quizzes.lessons.plots.drawings import PROGRAM, want_drawing
from quizzes.lessons.plots.plot_files import PlotSource, header_of, plot_hash
from quizzes.lessons.plots.plot_header import PlotHeader


def stored_plots(course: Course) -> Mapping[str, Stored]:
    """Return the hashes of a course's plots. One query."""
    return {plot.slug: stored_plot(plot) for plot in Plot.objects.filter(course=course)}


def stored_plot(plot: Plot) -> Stored:
    """Return the hashes of a plot; one that was never published has no content yet."""
    return Stored(plot.loaded_hash, stored_plot_hash(plot), plot.withdrawn_at is not None)


def stored_plot_hash(plot: Plot) -> str:
    """Return the content hash of what is published, "" for nothing."""
    return plot_hash(plot.text) if plot.text else ""


def save_plot(course: Course, source: PlotSource) -> str:
    """Store a plot that was read. Return "created", "updated" or "unchanged"."""
    plot = Plot.objects.filter(course=course, slug=source.slug).first()
    if plot is not None:
        stored = stored_plot(plot)
        same = stored.loaded_hash == stored.content_hash == source.content_hash
        if same and not stored.is_withdrawn:
            return "unchanged"
    done = "created" if plot is None else "updated"
    plot = plot or Plot(course=course, slug=source.slug)
    plot.loaded_hash = source.content_hash
    put_plot(plot, source, from_files=True)
    return done


def put_plot(plot: Plot, source: PlotSource, **facts: Any) -> None:
    """Publish a program, and have it drawn. `facts` are those of its edition."""
    if plot.text:
        add_plot_edition(plot)
    plot.title, plot.text, plot.withdrawn_at = source.header.title, source.text, None
    plot.save()
    add_plot_edition(plot, **facts)
    want_drawing(plot.course, plot.slug, plot.text)


def add_plot_edition(plot: Plot, **facts: Any) -> None:
    """Note a published program as its newest edition, if it was another one before."""
    add_edition(plot, {PROGRAM: plot.text}, stored_plot_hash(plot), **facts)


def headers_in(course: Course) -> dict[str, PlotHeader]:
    """Return the headers of the plots that learners get, by name. One query."""
    rows = Plot.objects.filter(course=course, withdrawn_at=None).exclude(text="")
    return {plot.slug: header_of(plot.text) for plot in rows}
