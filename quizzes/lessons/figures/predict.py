"""The `predict` block of a lesson: the reader predicts a change, then the engine draws it.

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
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

from django.http import QueryDict
from django.template.loader import render_to_string
from django.utils.html import format_html
from django.utils.safestring import SafeString
from posenc.errors import ParameterError, QueryError
from posenc.number_format import grouped, rounded
from posenc.parameters import WHOLE_NUMBER
from posenc.query import Selection, all_parameters

from quizzes.content_files.fields import Fields
from quizzes.content_files.problems import ContentProblem
from quizzes.content_files.yaml_nodes import Node
from quizzes.courses.addresses import predict_address
from quizzes.lessons.figures.address import compute
from quizzes.lessons.figures.figure_context import (
    DRAWN,
    KEPT,
    FigureBlock,
    FigureContext,
    checked_picture,
    is_later,
    picture_context,
)
from quizzes.lessons.figures.figure_params import (
    FigureParams,
    fields_to_keep,
    picture_of,
    requested_params,
    stray_errors,
)
from quizzes.pages.blocks import Block, Page, PageContext
from quizzes.pages.form_placeholders import render_for_all, with_token
from quizzes.pages.markdown import markdown_problems, render_inline

WITHIN_PERCENT = 20  # of the computed number, when the author says nothing else


@dataclass(frozen=True)
class Prediction:
    """One prediction in words; `text` is how an address has it."""

    text: str
    words: SafeString
    right: bool
    reason: SafeString


def predictions(options: Mapping[str, Any]) -> list[Prediction]:
    """Return the options of a block; they are numbered from 1."""
    return [
        Prediction(
            str(number),
            render_inline(str(one["text"])),
            bool(one.get("right")),
            render_inline(str(one["reason"])),
        )
        for number, one in enumerate(options.get("options") or (), start=1)
    ]


def read_prediction(options: Mapping[str, Any], after: Selection, text: str) -> Prediction:
    """Return the prediction a page's address holds. Raises QueryError."""
    drag = options.get("drag")
    if drag:
        return _dragged(drag, after, text)
    choices = predictions(options)
    for one in choices:
        if one.text == text:
            return one
    raise _refused(text, f"must be one of {', '.join(one.text for one in choices)}")


def _dragged(drag: Mapping[str, Any], after: Selection, text: str) -> Prediction:
    low, high = int(drag["low"]), int(drag["high"])
    if not WHOLE_NUMBER.fullmatch(text) or not low <= int(text) <= high:
        raise _refused(text, f"must be a whole number between {low} and {high}")
    true = float(compute(after).summary[str(drag["measure"])])
    share = int(drag.get("within_percent") or WITHIN_PERCENT) / 100
    right = abs(int(text) - true) <= max(share * abs(true), 0.5)
    label = str(drag["label"])
    words = format_html("{} {}", grouped(int(text)), label)
    computed = rounded(true, 6) if true >= 0 else f"−{rounded(-true, 6)}"
    reason = format_html("Computed: {} {}.", computed, label)
    return Prediction(str(int(text)), words, right, reason)


def _refused(text: str, expected: str) -> QueryError:
    return QueryError([ParameterError("predicted", text[:40], expected)])


PREDICTED = "predicted"  # the one field of the block that is no parameter of its picture


@dataclass(frozen=True, eq=False)
class PreparedPrediction:
    """A block with the reader's prediction, None before."""

    before: Selection
    params: FigureParams  # of the figure that is revealed
    prediction: Prediction | None
    problem: str


class PredictBlock:
    """The block kind; see the module."""

    name = "predict"
    needs_width = True

    def check(self, block: Block) -> Iterator[ContentProblem]:
        problems: list[ContentProblem] = []
        fields = Fields(block.node, problems)
        fields.slug("id")
        fields.text("question", max_length=300)
        for name in ("set", "change"):
            fields.take(name, required=name == "change")
        sliders = fields.texts("sliders", required=False)
        options = list(fields.list("options", required=False))
        problems += _line_problems(block.node.at("question"))
        drag = fields.take("drag", required=False)
        _check_options(options, problems)
        if bool(options) == (drag.value is not None):
            problems.append(block.problem("a prediction has either options or drag"))
        after = checked_picture(block, fields, problems, "change")
        if after and drag.value is not None:
            _check_drag(drag, after, problems)
        fields.done()
        yield from problems
        known = {parameter.name for parameter in all_parameters(after)} if after else set()
        for name in sliders if after else ():
            if name not in known:
                yield block.problem(f"sliders: {name!r}: must be one of {sorted(known)}")

    def prepare(
        self, blocks: Sequence[Block], context: PageContext
    ) -> dict[str, PreparedPrediction]:
        return {block.key: prepared_of(block, context.request.GET) for block in blocks}

    def render(
        self, block: Block, prepared: Mapping[str, PreparedPrediction], context: PageContext
    ) -> SafeString:
        ready, options = prepared[block.key], block.options
        own_id = str(options["id"])
        kept = tuple(fields_to_keep(context.request.GET, [own_id]))
        if ready.prediction is None:
            path = f"{context.lesson}/{context.step}"
            address = predict_address(context.course.slug, path, own_id)
            return with_token(_form(block, address, ready.problem, kept), context.request)
        sliders = tuple(options.get("sliders") or options["change"])
        own = (f"{own_id}.{PREDICTED}", ready.prediction.text)
        figure = FigureContext(own_id, ready.params, sliders, (*kept, own), later=is_later(block))
        facts = {
            "id": own_id,
            "question": render_inline(str(options["question"])),
            "choices": predictions(options),
            "prediction": ready.prediction,
            "figure": figure.html(),
            "before": picture_context(ready.before),
        }
        return SafeString(render_to_string("lessons/predict.html", facts))


# A step's form for a prediction is the same for every reader: 1 ms of its 6.
@lru_cache(maxsize=KEPT)
def _form(
    block: Block, address: str, problem: str, others: tuple[tuple[str, str], ...]
) -> SafeString:
    """Return the picture before and the form for a prediction, as forms for all are kept."""
    options = block.options
    facts: dict[str, Any] = {
        "id": str(options["id"]),
        "question": render_inline(str(options["question"])),
        "choices": predictions(options),
        "drag": options.get("drag"),
        "middle": _middle(options.get("drag")),
        "prediction": None,
        "problem": problem,
        "others": others,
        "later": is_later(block),
        "address": address,
    }
    return render_for_all("lessons/predict.html", {**picture_context(picture_of(block)), **facts})


def prepared_of(block: Block, query: QueryDict) -> PreparedPrediction:
    """Return the request of a page's address for a block, and the prediction."""
    own_id = str(block.options["id"])
    after = picture_of(block, "change")
    asked = requested_params(after, own_id, query, but=[PREDICTED])
    try:
        text = query.get(f"{own_id}.{PREDICTED}")
        found = None if text is None else read_prediction(block.options, after, text)
    except QueryError as error:
        return PreparedPrediction(picture_of(block), asked, None, str(error))
    return PreparedPrediction(picture_of(block), asked, found, "")


def _line_problems(node: Node) -> Iterator[ContentProblem]:
    """Yield the faults of a text that is shown in one line; no course was held to them before."""
    text = node.value if isinstance(node.value, str) else ""
    for problem in markdown_problems(text, path=node.path, first_line=node.line, in_one_line=True):
        yield replace(problem, since_published=True)


def _check_options(options: list[Node], problems: list[ContentProblem]) -> None:
    right = 0
    for option in options:
        problems += [*_line_problems(option.at("text")), *_line_problems(option.at("reason"))]
        fields = Fields(option, problems)
        fields.text("text", max_length=200)
        fields.text("reason", max_length=600)
        right += fields.flag("right", default=False)
        fields.done()
    if options and (right != 1 or len(options) < 2):
        problems.append(
            options[0].problem(
                f"options: {right} are right; expected two or more options, one of them right"
            )
        )


def _check_drag(drag: Node, after: Selection, problems: list[ContentProblem]) -> None:
    fields = Fields(drag, problems)
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
        problems.append(drag.problem(f"measure: {measure!r}: the view computes: {there}"))
    elif not low <= value <= high:
        problems.append(drag.problem(f"{measure} is {value:g}, which is not between low and high"))


def _middle(drag: Mapping[str, int] | None) -> int:
    return (drag["low"] + drag["high"]) // 2 if drag else 0


def figure_errors(page: Page, query: QueryDict) -> dict[str, str]:
    """Return the faults by field: of the page's own figures, and of figures it does not have.

    A page with faults answers 400.
    """
    errors = stray_errors(query, _ids(page))
    for block in page.blocks:
        own_id = str(block.options.get("id"))
        if block.kind == FigureBlock.name:
            found = requested_params(picture_of(block), own_id, query).errors
        elif block.kind == PredictBlock.name:
            ready = prepared_of(block, query)
            found = {**ready.params.errors, **({PREDICTED: ready.problem} if ready.problem else {})}
        else:
            continue
        errors |= {f"{own_id}.{name}": message for name, message in found.items()}
    return errors


def stray_messages(page: Page, query: QueryDict) -> list[str]:
    """Return the faults that no figure of the page shows beside a slider of its own."""
    return list(stray_errors(query, _ids(page)).values())


def _ids(page: Page) -> list[str]:
    return [str(block.options["id"]) for block in page.blocks if block.kind in DRAWN]
