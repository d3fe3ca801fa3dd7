"""The `figure` block of a lesson: a picture, its sliders, the value card and the values.

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

from django.http import Http404, QueryDict
from django.template.loader import render_to_string
from django.utils.safestring import SafeString
from posenc import __version__
from posenc.errors import QueryError
from posenc.figures.live import draw_live
from posenc.query import Selection, all_parameters

from quizzes.lessons.figures.address import (
    MAX_TEXT,
    WIDTHS,
    compute,
    file_address,
    find_view,
    select,
    single_values,
    texts_of,
)
from quizzes.lessons.figures.controls import CURSOR, LOG_SUFFIX, controls, value_of_log
from quizzes.lessons.figures.live import (
    FILES,
    card_html,
    cursor_text,
    first_pictures,
    table_html,
)
from quizzes.pages.blocks import Block, Page, PageContext
from quizzes.pages.fields import Fields
from quizzes.pages.source import Fault


@dataclass(frozen=True, eq=False)
class Asked:
    """What a page's address asks of one figure, and what is wrong with it."""

    initial: Selection
    selection: Selection
    errors: Mapping[str, str]


class FigureBlock:
    """The block kind; see the module."""

    name = "figure"

    def check(self, block: Block) -> Iterator[Fault]:
        faults: list[Fault] = []
        fields = Fields(block.node, faults)
        fields.slug("id")
        fields.text("encoding")
        fields.slug("view")
        settings = fields.take("set", required=False)
        sliders = fields.texts("sliders", required=False)
        fields.done()
        yield from faults
        if faults:
            return
        try:
            initial = _initial(block)
        except Http404 as error:
            yield fields.take("view" if "view" in str(error) else "encoding").fault(str(error))
        except QueryError as error:
            for name, message in error.by_argument().items():
                yield settings.at(name).fault(f"set: {message}")
        else:
            known = {parameter.name for parameter in all_parameters(initial)}
            for name in sliders:
                if name not in known:
                    yield block.fault(f"sliders: {name!r}: must be one of {sorted(known)}")

    def prepare(self, blocks: Sequence[Block], context: PageContext) -> dict[str, Asked]:
        return {block.key: _asked(block, context.request.GET) for block in blocks}

    def render(
        self, block: Block, prepared: Mapping[str, Asked], context: PageContext
    ) -> SafeString:
        asked = prepared[block.key]
        others = _other_fields(context.request.GET, block.options["id"])
        return render_to_string("lessons/figure.html", _context(block, asked, others))


def figure_errors(page: Page, query: QueryDict) -> dict[str, str]:
    """Return what is wrong with the figure parameters in a page's address, by field."""
    return {
        f"{block.options['id']}.{name}": message
        for block in page.blocks
        if block.kind == FigureBlock.name
        for name, message in _asked(block, query).errors.items()
    }


def _initial(block: Block) -> Selection:
    """Return the picture the author chose. Raises Http404 or QueryError."""
    entry, view = find_view(str(block.options.get("encoding")), str(block.options.get("view")))
    settings = block.options.get("set") or {}
    return select(entry, view, {name: _text(value) for name, value in settings.items()})


def _text(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _asked(block: Block, query: QueryDict) -> Asked:
    initial = _initial(block)
    prefix = f"{block.options['id']}."
    own = QueryDict(mutable=True)
    for key, values in query.lists():
        if key.startswith(prefix):
            own.setlist(key.removeprefix(prefix), values)
    try:
        texts = _plain(single_values(own), initial)
        selection = select(initial.entry, initial.view, {**texts_of(initial), **texts})
        compute(selection)
    except QueryError as error:
        return Asked(initial, initial, error.by_argument())
    return Asked(initial, selection, {})


def _plain(texts: Mapping[str, str], initial: Selection) -> dict[str, str]:
    """Return parameters with those of logarithmic sliders turned into what they stand for."""
    logarithmic = {
        parameter.name + LOG_SUFFIX: parameter
        for parameter in all_parameters(initial)
        if parameter.scale == "log"
    }
    plain = {name: text for name, text in texts.items() if name not in logarithmic}
    for name, parameter in logarithmic.items():
        if name in texts:
            plain.setdefault(parameter.name, value_of_log(parameter, texts[name]))
    return plain


def _other_fields(query: QueryDict, own_id: str) -> list[tuple[str, str]]:
    """Return the other figures' parameters, so that a redraw without a script keeps them."""
    return [
        (key, values[-1])
        for key, values in query.lists()
        if "." in key and not key.startswith(f"{own_id}.") and len(values[-1]) <= MAX_TEXT
    ]


def _context(block: Block, asked: Asked, others: list[tuple[str, str]]) -> dict[str, Any]:
    selection, prefix = asked.selection, str(block.options["id"])
    data = compute(selection)
    picture = draw_live(data, width_px=WIDTHS["wide"])
    sliders = tuple(block.options.get("sliders") or ())
    cursor = CURSOR if set(CURSOR) <= set(selection.arguments) else ()
    slugs = (selection.entry.slug, selection.view.slug)
    pictures = {
        (one.width_name, one.scheme): one for one in first_pictures(*slugs, selection.canonical())
    }
    named = set(sliders) | set(cursor)
    return {
        "id": prefix,
        "data": data,
        "picture": picture,
        "geometry": {name: pictures[name, "light"].geometry for name in WIDTHS},
        "wide": (pictures["wide", "dark"], pictures["wide", "light"]),
        "narrow": (pictures["narrow", "dark"], pictures["narrow", "light"]),
        "sliders": controls(selection, names=sliders, prefix=prefix, errors=asked.errors),
        "cursor": controls(selection, names=cursor, prefix=prefix, errors=asked.errors),
        "cursor_text": cursor_text(data),
        "other_errors": [text for name, text in asked.errors.items() if name not in named],
        "others": others,
        "card": card_html(selection),
        "table": table_html(data),
        "files": [(file, file_address(selection, file)) for file in FILES],
        "encoding": slugs[0],
        "view": slugs[1],
        "version": __version__,
        "initial": texts_of(asked.initial),
        "shown": texts_of(selection),
    }
