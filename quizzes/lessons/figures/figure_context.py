"""A figure as HTML: first pictures for every screen, sliders, card, table, files.

In a lesson it is a `figure` block:

    ```figure
    id: codes                     # begins its parameters in the page's address: codes.d_model=64
    encoding: sinusoidal
    view: heatmap
    set: {d_model: 50}            # where it differs from the engine's defaults
    sliders: [d_model, positions, base]
    words: true                   # the reader's sentence stands on it from the beginning
    ```
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any
from urllib.parse import parse_qsl

from django.http import Http404
from django.template.loader import render_to_string
from django.utils.safestring import SafeString
from posenc import __version__
from posenc.errors import QueryError
from posenc.figures.describe import describe
from posenc.query import Selection, all_parameters
from posenc.views import ViewData

from quizzes.content_files.fields import Fields
from quizzes.content_files.problems import ContentProblem
from quizzes.content_files.typed_text import read_whole_number
from quizzes.lessons.figures.address import (
    WIDTHS,
    NoSuchViewError,
    compute,
    files_of,
    find_any_view,
    select,
    table_address,
    texts_of,
)
from quizzes.lessons.figures.controls import CURSOR, along_axis, controls, limits_of, slider_problem
from quizzes.lessons.figures.figure_params import (
    FigureParams,
    fields_to_keep,
    initial_of,
    picture_of,
    requested_params,
)
from quizzes.lessons.figures.live import (
    card_html,
    cursor_text,
    first_pictures,
)
from quizzes.pages.blocks import Block, PageContext
from quizzes.pages.chips import PLACES, Chip

# Figures that each web process keeps, at most 65 KB each: pictures in two widths and two schemes.
# Nearly all visitors see those of the lessons; moved sliders ask for other addresses.
KEPT = 128


@dataclass(frozen=True, eq=False)
class FigureContext:
    """A figure of a page: its request, its sliders, and the fields that its form must keep."""

    id: str
    params: FigureParams
    sliders: tuple[str, ...]
    kept: tuple[tuple[str, str], ...] = ()
    compact: bool = False  # beside others: drawn for a phone's width on every screen
    helped: bool = False  # parameters in words, each with a line of help
    worded: bool = False  # the reader's sentence stands on it from the beginning
    later: bool = False  # below another one: its picture is fetched when the reader comes near
    lift: int = 0  # px of a picture's 360 above it, so that its plot is level with the next one
    action: str = ""  # the page that redraws it without a script; "" for the one that it stands on

    def html(self) -> SafeString:
        """Return the whole figure: as it was kept, unless a parameter is refused."""
        if self.params.errors:
            return self.drawn()
        selection, initial = self.params.selection, self.params.initial
        names = (selection.entry.slug, selection.view.slug)
        texts = (initial.canonical(), selection.canonical())
        looks = (self.compact, self.helped, self.worded, self.later)
        form = (self.sliders, self.kept, *looks, self.lift, self.action)
        return _kept_figure(self.id, names, texts, form)

    def drawn(self) -> SafeString:
        """Return the whole figure, made now."""
        return render_to_string("lessons/figure.html", self._context())

    def _context(self) -> dict[str, Any]:
        selection, view = self.params.selection, self.params.selection.view
        cursor = CURSOR if set(CURSOR) <= set(selection.arguments) else ()
        named, errors = {*self.sliders, *cursor}, self.params.errors
        ours: dict[str, Any] = {"prefix": self.id, "errors": errors}
        drawn = picture_context(selection)
        if self.compact:
            drawn["wide"] = drawn["narrow"]
            for name in ("geometry", "notes"):
                drawn[name] = dict.fromkeys(WIDTHS, drawn[name]["narrow"])
        card = card_html(selection)
        named_here = (*(reversed(cursor) if card else ()), *self.sliders)
        every = controls(selection, names=tuple(dict.fromkeys(named_here)), **ours)
        along, others = along_axis(every, view.along_x)
        return {
            **drawn,
            "compact": self.compact,
            "later": self.later,
            "lift": self.lift,
            "helped": self.helped,
            "worded": self.worded and view.tokens_on != "none",
            "id": self.id,
            "cell": cursor,
            "along": along,
            "sliders": others,
            "other_errors": [text for name, text in errors.items() if name not in named],
            "others": self.kept,
            "action": self.action,
            "card": card,
            "files": list(files_of(selection).items()),
            "encoding": selection.entry.slug,
            "view": view.slug,
            "view_title": view.title,
            "tokens_on": view.tokens_on,
            "tokens_note": view.tokens_note,
            "limits": limits_of(selection) if view.in_page else {},
            "version": __version__,
            "in_page": f"figures/views/{view.in_page}" if view.in_page else "",
            "in_page_cells": view.in_page_cells,
            "initial": texts_of(self.params.initial),
            "shown": texts_of(selection),
        }


@lru_cache(maxsize=KEPT)
def _kept_figure(
    own_id: str,
    names: tuple[str, str],
    texts: tuple[str, str],
    form: tuple[tuple[str, ...], tuple[tuple[str, str], ...], bool, bool, bool, bool, int, str],
) -> SafeString:
    """Return a figure by all that its HTML depends on.

    `texts` are its initial and its shown picture, `form` its sliders, its kept fields, and
    whether it is compact, helped, worded and later, its lift, and the page that redraws it.

    Kept by each process in its own memory. A shared cache would cost a query or a socket, and the
    code of a newer engine begins with an empty one.
    """
    initial, shown = (select(*find_any_view(*names), dict(parse_qsl(text))) for text in texts)
    asked = FigureParams(initial, shown, {})
    return FigureContext(own_id, asked, *form).drawn()


def picture_context(selection: Selection) -> dict[str, Any]:
    """Return the context for a template that shows one picture and describes it."""
    names = (selection.entry.slug, selection.view.slug)
    return dict(_kept_picture(*names, selection.canonical()))


@lru_cache(maxsize=KEPT)
def _kept_picture(encoding: str, view: str, canonical: str) -> Mapping[str, Any]:
    """Return the part of a picture that its address decides, without its large arrays."""
    selection = select(*find_any_view(encoding, view), dict(parse_qsl(canonical)))
    data = compute(selection)
    pictures = {
        (picture.width_name, picture.scheme): picture
        for picture in first_pictures(encoding, view, canonical)
    }
    return {
        "data": {
            "kind": data.kind,
            "scale": data.scale,
            "title": data.title,
            "subtitle": data.subtitle,
            "finding": data.finding,
            "row_axis": data.y.label,
            "column_noun": data.column_noun,
        },
        "alt": describe(data),
        "notes": {name: pictures[name, "light"].note for name in WIDTHS},
        "geometry": {name: pictures[name, "light"].geometry for name in WIDTHS},
        "wide": (pictures["wide", "dark"], pictures["wide", "light"]),
        "narrow": (pictures["narrow", "dark"], pictures["narrow", "light"]),
        "cursor_text": cursor_text(data),
        "table_address": table_address(selection),
    }


DRAWN = frozenset({"figure", "predict", "plot"})  # the kinds of blocks that show a picture


def is_later(block: Block) -> bool:
    """Return whether another picture of its page stands above that of a block.

    The first one comes with the page. Four copies of each further one, for two widths and two
    schemes, are 30 KB of HTML: with all three of a step it has 144 KB and takes 10 ms to make, with
    one of them 81 KB and 8 ms.
    """
    return not DRAWN.isdisjoint(block.earlier)


class FigureBlock:
    """The block kind; see the module."""

    name = "figure"
    stands_beside_text = True

    def check(self, block: Block) -> Iterator[ContentProblem]:
        problems: list[ContentProblem] = []
        fields = Fields(block.node, problems)
        fields.slug("id")
        fields.take("set", required=False)
        sliders = fields.texts("sliders", required=False)
        worded = fields.flag("words", default=False)
        initial = checked_picture(block, fields, problems)
        fields.done()
        yield from problems
        known = {parameter.name for parameter in all_parameters(initial)} if initial else set()
        if worded and initial and initial.view.tokens_on == "none":
            yield block.problem("words: this view has no rows that are tokens")
        for name in sliders if initial else ():
            if name not in known:
                yield block.problem(f"sliders: {name!r}: must be one of {sorted(known)}")

    def prepare(self, blocks: Sequence[Block], context: PageContext) -> dict[str, FigureParams]:
        query = context.request.GET
        return {
            block.key: requested_params(picture_of(block), block.options["id"], query)
            for block in blocks
        }

    def render(
        self, block: Block, prepared: Mapping[str, FigureParams], context: PageContext
    ) -> SafeString:
        own_id, sliders = block.options["id"], tuple(block.options.get("sliders") or ())
        kept = tuple(fields_to_keep(context.request.GET, [own_id]))
        worded = bool(block.options.get("words"))
        asked, later = prepared[block.key], is_later(block)
        return FigureContext(own_id, asked, sliders, kept, worded=worded, later=later).html()

    def check_chip(self, block: Block, chip: Chip) -> Iterator[str]:
        """Yield what the figure does not take of a chip: a slider, a value, a row or a column."""
        initial = initial_of(block.options)
        values = dict(chip.values)
        if chip.verb == "set":
            yield from _unsettable(block, initial, values)
        else:
            yield from _unshowable(compute(initial), values)


def _unsettable(block: Block, initial: Selection, values: Mapping[str, str]) -> Iterator[str]:
    """Yield why sliders of a figure cannot be set so."""
    cursor = CURSOR if set(CURSOR) <= set(initial.arguments) else ()
    there = (*(block.options.get("sliders") or ()), *cursor)
    for name in values:
        if name not in there:
            has = ", ".join(there) if there else "none"
            words = f"the figure {block.options['id']} has no such slider; it has {has}"
            yield f"set {name}={values[name]}: {words}"
            return
    try:
        changed = select(initial.entry, initial.view, {**texts_of(initial), **values})
        compute(changed)
    except QueryError as error:
        yield from (f"set {message}" for message in error.by_argument().values())
        return
    for control in controls(changed, names=tuple(values), prefix="", errors={}):
        if words := slider_problem(control, values[control.name]):
            yield f"set {control.name}={values[control.name]}: {words}"


def _unshowable(data: ViewData, values: Mapping[str, str]) -> Iterator[str]:
    """Yield why places of a picture cannot be outlined."""
    if data.kind != "heatmap":
        yield f"show: only a heatmap has rows and columns to outline; this picture is {data.kind}"
        return
    for name, text in values.items():
        if name not in PLACES:
            yield f"show {name}={text}: must be one of {', '.join(PLACES)}"
            continue
        count = data.values.shape[PLACES.index(name)]
        if read_whole_number(text, most=count - 1) is None:
            yield f"show {name}={text}: must be a whole number between 0 and {count - 1}"


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
        where = fields.take("view" if isinstance(error, NoSuchViewError) else "encoding")
        problems.append(where.problem(str(error)))
    except QueryError as error:
        for name, message in error.by_argument().items():
            field = next(
                (change for change in changes if name in (block.options.get(change) or {})), "set"
            )
            problems.append(block.node.at(field).at(name).problem(f"{field}: {message}"))
    return None
