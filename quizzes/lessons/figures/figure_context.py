"""A figure as HTML: first pictures for every screen, sliders, card, table, files.

In a lesson it is a `figure` block:

    ```figure
    id: codes                     # begins its parameters in the page's address: codes.d_model=64
    encoding: sinusoidal
    view: heatmap
    set: {d_model: 50}            # where it differs from the engine's defaults
    sliders: [d_model, positions, base]
    ```
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.http import Http404
from django.template.loader import render_to_string
from django.utils.safestring import SafeString
from posenc import __version__
from posenc.errors import QueryError
from posenc.figures.describe import describe
from posenc.query import Selection, all_parameters

from quizzes.content_files.fields import Fields
from quizzes.content_files.problems import ContentProblem
from quizzes.lessons.figures.address import WIDTHS, compute, files_of, texts_of
from quizzes.lessons.figures.controls import CURSOR, controls
from quizzes.lessons.figures.figure_params import (
    FigureParams,
    fields_to_keep,
    initial_of,
    requested_params,
)
from quizzes.lessons.figures.live import (
    card_html,
    cursor_text,
    first_pictures,
)
from quizzes.lessons.figures.values import table_html
from quizzes.pages.blocks import Block, PageContext


@dataclass(frozen=True, eq=False)
class FigureContext:
    """A figure of a page: its request, its sliders, and the fields that its form must keep."""

    id: str
    asked: FigureParams
    sliders: tuple[str, ...]
    kept: tuple[tuple[str, str], ...] = ()
    compact: bool = False  # beside others: drawn for a phone's width on every screen
    helped: bool = False  # parameters in words, each with a line of help

    def html(self) -> SafeString:
        """Return the whole figure."""
        return render_to_string("lessons/figure.html", self._context())

    def _context(self) -> dict[str, Any]:
        selection = self.asked.selection
        cursor = CURSOR if set(CURSOR) <= set(selection.arguments) else ()
        named, errors = {*self.sliders, *cursor}, self.asked.errors
        ours: dict[str, Any] = {"prefix": self.id, "errors": errors}
        drawn = picture_context(selection)
        if self.compact:
            drawn["wide"] = drawn["narrow"]
            for by_width in (drawn["geometry"], drawn["notes"]):
                by_width["wide"] = by_width["narrow"]
        return {
            **drawn,
            "compact": self.compact,
            "helped": self.helped,
            "id": self.id,
            "sliders": controls(selection, names=self.sliders, **ours),
            "cursor": controls(selection, names=cursor, **ours),
            "other_errors": [text for name, text in errors.items() if name not in named],
            "others": self.kept,
            "card": card_html(selection),
            "files": list(files_of(selection).items()),
            "encoding": selection.entry.slug,
            "view": selection.view.slug,
            "version": __version__,
            "initial": texts_of(self.asked.initial),
            "shown": texts_of(selection),
        }


def picture_context(selection: Selection) -> dict[str, Any]:
    """Return the context for a template that shows one picture and describes it."""
    data = compute(selection)
    slugs = (selection.entry.slug, selection.view.slug)
    pictures = {
        (one.width_name, one.scheme): one for one in first_pictures(*slugs, selection.canonical())
    }
    return {
        "data": data,
        "alt": describe(data),
        "notes": {name: pictures[name, "light"].note for name in WIDTHS},
        "geometry": {name: pictures[name, "light"].geometry for name in WIDTHS},
        "wide": (pictures["wide", "dark"], pictures["wide", "light"]),
        "narrow": (pictures["narrow", "dark"], pictures["narrow", "light"]),
        "cursor_text": cursor_text(data),
        "table": table_html(data),
    }


class FigureBlock:
    """The block kind; see the module."""

    name = "figure"

    def check(self, block: Block) -> Iterator[ContentProblem]:
        problems: list[ContentProblem] = []
        fields = Fields(block.node, problems)
        fields.slug("id")
        fields.take("set", required=False)
        sliders = fields.texts("sliders", required=False)
        initial = checked_picture(block, fields, problems)
        fields.done()
        yield from problems
        known = {parameter.name for parameter in all_parameters(initial)} if initial else set()
        for name in sliders if initial else ():
            if name not in known:
                yield block.problem(f"sliders: {name!r}: must be one of {sorted(known)}")

    def prepare(self, blocks: Sequence[Block], context: PageContext) -> dict[str, FigureParams]:
        query = context.request.GET
        return {
            block.key: requested_params(initial_of(block.options), block.options["id"], query)
            for block in blocks
        }

    def render(
        self, block: Block, prepared: Mapping[str, FigureParams], context: PageContext
    ) -> SafeString:
        own_id, sliders = block.options["id"], tuple(block.options.get("sliders") or ())
        kept = tuple(fields_to_keep(context.request.GET, [own_id]))
        return FigureContext(own_id, prepared[block.key], sliders, kept).html()


def checked_picture(
    block: Block, fields: Fields, problems: list[ContentProblem], *changes: str
) -> Selection | None:
    """Return the picture that a block describes, or add a fault and return None."""
    fields.text("encoding", max_length=60)  # find_view knows all slugs; t5_bias is none of them
    fields.text("view", max_length=60)
    if problems:
        return None
    try:
        return initial_of(block.options, *changes)
    except Http404 as error:
        where = fields.take("view" if "view" in str(error) else "encoding")
        problems.append(where.problem(str(error)))
    except QueryError as error:
        for name, message in error.by_argument().items():
            field = next((one for one in changes if name in (block.options.get(one) or {})), "set")
            problems.append(block.node.at(field).at(name).problem(f"{field}: {message}"))
    return None
