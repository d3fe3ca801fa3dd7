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

from django.http import Http404
from django.utils.safestring import SafeString
from posenc.errors import QueryError
from posenc.query import Selection, all_parameters

from quizzes.lessons.figures.asked import Asked, asked_of, fields_to_keep, initial_of
from quizzes.lessons.figures.showing import FigureShown
from quizzes.pages.blocks import Block, PageContext
from quizzes.pages.fields import Fields
from quizzes.pages.source import Fault


class FigureBlock:
    """The block kind; see the module."""

    name = "figure"

    def check(self, block: Block) -> Iterator[Fault]:
        faults: list[Fault] = []
        fields = Fields(block.node, faults)
        fields.slug("id")
        fields.take("set", required=False)
        sliders = fields.texts("sliders", required=False)
        initial = checked_picture(block, fields, faults)
        fields.done()
        yield from faults
        known = {parameter.name for parameter in all_parameters(initial)} if initial else set()
        for name in sliders if initial else ():
            if name not in known:
                yield block.fault(f"sliders: {name!r}: must be one of {sorted(known)}")

    def prepare(self, blocks: Sequence[Block], context: PageContext) -> dict[str, Asked]:
        query = context.request.GET
        return {
            block.key: asked_of(initial_of(block.options), block.options["id"], query)
            for block in blocks
        }

    def render(
        self, block: Block, prepared: Mapping[str, Asked], context: PageContext
    ) -> SafeString:
        own_id, sliders = block.options["id"], tuple(block.options.get("sliders") or ())
        kept = tuple(fields_to_keep(context.request.GET, [own_id]))
        return FigureShown(own_id, prepared[block.key], sliders, kept).html()


def checked_picture(
    block: Block, fields: Fields, faults: list[Fault], *changes: str
) -> Selection | None:
    """Return the picture a block describes, or None and a fault more."""
    fields.text("encoding", max_length=60)  # t5_bias is no slug of ours; find_view knows them all
    fields.text("view", max_length=60)
    if faults:
        return None
    try:
        return initial_of(block.options, *changes)
    except Http404 as error:
        where = fields.take("view" if "view" in str(error) else "encoding")
        faults.append(where.fault(str(error)))
    except QueryError as error:
        for name, message in error.by_argument().items():
            field = next((one for one in changes if name in (block.options.get(one) or {})), "set")
            faults.append(block.node.at(field).at(name).fault(f"{field}: {message}"))
    return None
