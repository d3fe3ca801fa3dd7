"""The `plot` block of a lesson: a plot of the course, drawn as the figures are.

```plot
id: coin                      # begins its parameters in the page's address: coin.n=20
slug: coin-flips              # plots/coin-flips.py
set: {n: 10}                  # where its sliders begin, if not at their first values
sliders: [n]                  # which of them a page shows; all without this line
```
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.http import Http404, HttpRequest
from django.template.loader import render_to_string
from django.utils.safestring import SafeString
from posenc.errors import QueryError

from quizzes.content_files.fields import Fields
from quizzes.content_files.problems import ContentProblem
from quizzes.courses.models import Course
from quizzes.lessons.figures.address import select
from quizzes.lessons.figures.figure_context import FigureContext, is_later
from quizzes.lessons.figures.figure_params import FigureParams, fields_to_keep, requested_params
from quizzes.lessons.models import Plot, PlotDrawing
from quizzes.lessons.plots.drawings import PREFIX, drawings_of
from quizzes.lessons.plots.entries import plot_entry
from quizzes.lessons.plots.plot_files import KIND
from quizzes.pages.blocks import Block, Page, PageContext
from quizzes.pages.chips import Chip


@dataclass(frozen=True, eq=False)
class PreparedPlot:
    """A plot of a page. `params`: its request, None while there is no picture, for `reason`."""

    title: str
    params: FigureParams | None
    reason: str = ""


class PlotBlock:
    """The block kind; see the module."""

    name = KIND
    stands_beside_text = True

    def check(self, block: Block) -> Iterator[ContentProblem]:
        """Yield its faults; those of sliders show beside the plot's header (`plot_files`)."""
        problems: list[ContentProblem] = []
        fields = Fields(block.node, problems)
        fields.slug("id")
        fields.slug("slug")
        values = fields.take("set", required=False)
        fields.texts("sliders", required=False)
        fields.done()
        if values.value is not None and not isinstance(values.value, dict):
            problems.append(values.problem("set: must be a mapping of sliders, as in {n: 10}"))
        if block.body.strip():
            problems.append(block.problem("a plot block has no body"))
        yield from problems

    def prepare(self, blocks: Sequence[Block], context: PageContext) -> dict[str, PreparedPlot]:
        return _prepared(blocks, context.course, context.request)

    def render(
        self, block: Block, prepared: Mapping[str, PreparedPlot], context: PageContext
    ) -> SafeString:
        ready, own_id = prepared[block.key], str(block.options["id"])
        if ready.params is None:
            facts = {"id": own_id, "title": ready.title, "reason": ready.reason}
            return SafeString(render_to_string("lessons/plot_missing.html", facts))
        known = [parameter.name for parameter in ready.params.selection.view.parameters]
        shown = block.options.get("sliders") or known
        sliders = tuple(name for name in shown if name in known)
        kept = tuple(fields_to_keep(context.request.GET, [own_id]))
        return FigureContext(own_id, ready.params, sliders, kept, later=is_later(block)).html()

    def check_chip(self, block: Block, chip: Chip) -> Iterator[str]:
        """Yield what no plot takes of a chip; its values are held to the plot's header."""
        del block
        if chip.verb == "show":
            yield "show: cells of a plot cannot be outlined; expected {set ...}"


def plot_errors(page: Page, course: Course, request: HttpRequest) -> dict[str, str]:
    """Return the faults of what an address says of a page's plots, by field."""
    moved = {name.partition(".")[0] for name in request.GET if "." in name}
    named = [block for block in page.blocks if block.kind == KIND and block.options["id"] in moved]
    if not named:
        return {}
    errors: dict[str, str] = {}
    for key, ready in _prepared(named, course, request).items():
        own_id = next(block.options["id"] for block in named if block.key == key)
        faults = ready.params.errors if ready.params else {}
        errors |= {f"{own_id}.{name}": message for name, message in faults.items()}
    return errors


def _prepared(
    blocks: Sequence[Block], course: Course, request: HttpRequest
) -> dict[str, PreparedPlot]:
    """Return the plots of blocks. Two queries, and two for each picture that is not kept."""
    slugs = {str(block.options["slug"]) for block in blocks}
    rows = Plot.objects.filter(course=course, slug__in=slugs).exclude(text="")
    plots = {plot.slug: plot for plot in rows}
    drawings = drawings_of(course, (plot.text for plot in plots.values()))
    return {block.key: _of_block(block, plots, drawings, request) for block in blocks}


def _of_block(
    block: Block,
    plots: Mapping[str, Plot],
    drawings: Mapping[str, PlotDrawing],
    request: HttpRequest,
) -> PreparedPlot:
    plot = plots.get(str(block.options["slug"]))
    if plot is None:
        return PreparedPlot("", None, "gone")
    drawing = drawings.get(plot.text)
    if drawing is None or drawing.state != PlotDrawing.State.DRAWN:
        is_waiting = drawing is None or drawing.state == PlotDrawing.State.WAITING
        return PreparedPlot(plot.title, None, "waiting" if is_waiting else "refused")
    try:
        params = _params(block, f"{PREFIX}{drawing.key}", request)
    except Http404:  # drawn again in this moment
        return PreparedPlot(plot.title, None, "waiting")
    return PreparedPlot(plot.title, params)


def _params(block: Block, name: str, request: HttpRequest) -> FigureParams:
    entry = plot_entry(name)
    view = next(iter(entry.views.values()))
    values = block.options.get("set") or {}
    try:
        initial = select(entry, view, {key: _text(value) for key, value in values.items()})
    except QueryError:  # the plot has other sliders than when the lesson was written
        initial = select(entry, view, {})
    return requested_params(initial, str(block.options["id"]), request.GET)


def _text(value: Any) -> str:
    """Return a value of YAML as addresses have it."""
    return f"{value:.12g}" if isinstance(value, float) else str(value)
