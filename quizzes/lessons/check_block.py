"""The `check` block of a lesson: a claim in words, and the number that supports it.

```check
claim: The products do not depend on where the two positions stand.
value: dot_product_spread(d_model=128) :.0e
below: 1e-10
```

One of `is` (equal as written), `below` and `above` gives the condition. A claim that does not hold
is a fault, so a course with a false claim is not loaded.
"""

from collections.abc import Iterator, Sequence

from django.utils.html import format_html
from django.utils.safestring import SafeString

from quizzes.content_files.fields import Fields
from quizzes.content_files.problems import ContentProblem
from quizzes.pages.blocks import Block, PageContext
from quizzes.pages.markdown import markdown_problems, render_inline
from quizzes.pages.values import ValueTextError, evaluate, format_value, split, value_text

WORDS = ("is", "below", "above")


class CheckBlock:
    """The block kind; see the module."""

    name = "check"

    def check(self, block: Block) -> Iterator[ContentProblem]:
        problems: list[ContentProblem] = []
        fields = Fields(block.node, problems)
        claim = fields.text("claim", max_length=400)
        expression = fields.text("value")
        asked = [word for word in WORDS if fields.take(word, required=False).exists]
        fields.done()
        line = block.node.at("claim").line
        problems += markdown_problems(claim, path=block.path, first_line=line, in_one_line=True)
        if len(asked) != 1:
            problems.append(block.problem(f"needs exactly one of {', '.join(WORDS)}"))
        yield from problems
        if not problems:
            yield from _untrue(block, expression, asked[0])

    def prepare(self, blocks: Sequence[Block], context: PageContext) -> None:
        """Prepare nothing: a check has all its data in its block."""

    def render(self, block: Block, prepared: None, context: PageContext) -> SafeString:
        del prepared, context
        claim = render_inline(str(block.options.get("claim", "")))
        try:
            computed = _computed(block)
        except ValueTextError as error:
            computed = str(error)
        return format_html(
            '<p class="check"><span class="check__mark" aria-hidden="true">✓</span>'
            '<span class="check__claim">{}</span> <span class="check__value">{}</span></p>',
            claim,
            computed,
        )


def _untrue(block: Block, expression: str, word: str) -> Iterator[ContentProblem]:
    """Yield a fault if the number does not support the claim, or there is no number."""
    bound = block.node.at(word)
    try:
        computed, _ = split(expression)
        found, said = evaluate(computed), value_text(expression)
    except ValueTextError as error:
        yield block.node.at("value").problem(f"value: {error}")
        return
    if word == "is":
        if str(bound.value) != said:
            yield bound.problem(f"is: {bound.value}: the value is {said}")
    elif isinstance(found, str) or not isinstance(bound.value, (int, float)):
        yield bound.problem(f"{word}: {bound.value!r}: both sides must be numbers")
    elif not (found < bound.value if word == "below" else found > bound.value):
        yield bound.problem(f"{word}: {bound.value}: the value is {found:.6g}")


def _computed(block: Block) -> str:
    said = value_text(str(block.options.get("value", "")))
    if "is" in block.options:
        return f"Computed for this page: {said}."
    word = next(word for word in ("below", "above") if word in block.options)
    bound = block.options[word]
    shown = format_value(bound, "" if float(bound).is_integer() else _shortest(bound))
    return f"Computed for this page: {said}, {word} {shown}."


def _shortest(bound: float) -> str:
    """Return the format that writes a bound as its author meant it: 0.25, or 1e-10 as a power."""
    return ".3g" if 1e-3 <= abs(bound) < 1e5 else ".0e"
