"""The `predict` block of a lesson: the reader says what will happen, then the engine draws it.

```predict
id: base-100                  # as a figure's: base-100.predicted=2 in the page's address
encoding: sinusoidal
view: heatmap
set: {d_model: 50}            # what is drawn first
change: {base: 100}           # what is drawn after the prediction
question: What happens to the right half when base goes to 100?
options:                      # either these, one of them right ...
  - {text: It moves too, right: true, reason: "The slowest pair turns every 523 positions."}
  - {text: Nothing, reason: "Every wavelength but the first depends on the base."}
drag: {measure: pairs_that_turn, label: pairs turn, low: 0, high: 25}     # ... or a number
sliders: [base, d_model]      # of the revealed figure
```

The right answer to `drag` is computed: `measure` names a number of the view's summary.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.http import QueryDict
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.safestring import SafeString
from posenc.errors import QueryError
from posenc.query import Selection, all_parameters

from quizzes.lessons.figures.address import compute
from quizzes.lessons.figures.asked import Asked, asked_of, fields_to_keep, initial_of
from quizzes.lessons.figures.block import checked_picture
from quizzes.lessons.figures.prediction import Prediction, predictions, read_prediction
from quizzes.lessons.figures.showing import FigureShown, picture_context
from quizzes.pages.blocks import Block, PageContext
from quizzes.pages.fields import Fields
from quizzes.pages.markdown import render_inline
from quizzes.pages.source import Fault, Node

PREDICTED = "predicted"  # the one field of the block that is no parameter of its picture


@dataclass(frozen=True, eq=False)
class Prepared:
    """A block with what the reader has predicted, None before."""

    before: Selection
    asked: Asked  # of the figure that is revealed
    prediction: Prediction | None
    problem: str


class PredictBlock:
    """The block kind; see the module."""

    name = "predict"

    def check(self, block: Block) -> Iterator[Fault]:
        faults: list[Fault] = []
        fields = Fields(block.node, faults)
        fields.slug("id")
        fields.text("question", max_length=300)
        for name in ("set", "change"):
            fields.take(name, required=name == "change")
        sliders = fields.texts("sliders", required=False)
        options = list(fields.list("options", required=False))
        drag = fields.take("drag", required=False)
        _check_options(options, faults)
        if bool(options) == (drag.value is not None):
            faults.append(block.fault("a prediction has either options or drag"))
        after = checked_picture(block, fields, faults, "change")
        if after and drag.value is not None:
            _check_drag(drag, after, faults)
        fields.done()
        yield from faults
        known = {parameter.name for parameter in all_parameters(after)} if after else set()
        for name in sliders if after else ():
            if name not in known:
                yield block.fault(f"sliders: {name!r}: must be one of {sorted(known)}")

    def prepare(self, blocks: Sequence[Block], context: PageContext) -> dict[str, Prepared]:
        return {block.key: prepared_of(block, context.request.GET) for block in blocks}

    def render(
        self, block: Block, prepared: Mapping[str, Prepared], context: PageContext
    ) -> SafeString:
        ready, options = prepared[block.key], block.options
        own_id = str(options["id"])
        kept = fields_to_keep(context.request.GET, [own_id])
        facts: dict[str, Any] = {
            "id": own_id,
            "question": render_inline(str(options["question"])),
            "choices": predictions(options),
            "drag": options.get("drag"),
            "middle": _middle(options.get("drag")),
            "prediction": ready.prediction,
            "problem": ready.problem,
            "others": kept,
        }
        if ready.prediction is None:
            facts |= picture_context(ready.before)
            facts["address"] = reverse(
                "lessons:predict", args=[context.lesson, context.step, own_id]
            )
        else:
            kept.append((f"{own_id}.{PREDICTED}", ready.prediction.text))
            sliders = tuple(options.get("sliders") or options["change"])
            facts["figure"] = FigureShown(own_id, ready.asked, sliders, tuple(kept)).html()
            facts["before"] = picture_context(ready.before)
        return SafeString(render_to_string("lessons/predict.html", facts, context.request))


def prepared_of(block: Block, query: QueryDict) -> Prepared:
    """Return what a page's address asks of a block, and what was predicted."""
    own_id = str(block.options["id"])
    after = initial_of(block.options, "change")
    asked = asked_of(after, own_id, query, but=[PREDICTED])
    try:
        text = query.get(f"{own_id}.{PREDICTED}")
        found = None if text is None else read_prediction(block.options, after, text)
    except QueryError as error:
        return Prepared(initial_of(block.options), asked, None, str(error))
    return Prepared(initial_of(block.options), asked, found, "")


def _check_options(options: list[Node], faults: list[Fault]) -> None:
    right = 0
    for option in options:
        fields = Fields(option, faults)
        fields.text("text", max_length=200)
        fields.text("reason", max_length=600)
        right += fields.flag("right", default=False)
        fields.done()
    if options and (right != 1 or len(options) < 2):
        faults.append(options[0].fault(f"options: {right} are right; one of two or more must be"))


def _check_drag(drag: Node, after: Selection, faults: list[Fault]) -> None:
    fields = Fields(drag, faults)
    measure = fields.text("measure", max_length=60)
    fields.text("label", max_length=60)
    low = fields.integer("low", ge=0, le=10**6)
    high = fields.integer("high", ge=1, le=10**6)
    fields.integer("within_percent", ge=1, le=100, default=20)
    fields.done()
    summary = compute(after).summary
    value = summary.get(measure)
    if not isinstance(value, int | float):
        there = ", ".join(sorted(summary)) or "none"
        faults.append(drag.fault(f"measure: {measure!r}: the view computes: {there}"))
    elif not low <= value <= high:
        faults.append(drag.fault(f"{measure} is {value:g}, which is not between low and high"))


def _middle(drag: Mapping[str, int] | None) -> int:
    return (drag["low"] + drag["high"]) // 2 if drag else 0
