"""The `listing` block of a lesson: a program that runs as it stands, and what it prints.

    ```listing
    title: Two rows of the table
    ---
    print(1 + 1)
    ---
    2
    ```

Every listing is run by a test, which compares what it prints.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from django.utils.html import format_html
from django.utils.safestring import SafeString

from quizzes.pages.blocks import Block, PageContext
from quizzes.pages.fields import Fields
from quizzes.pages.markdown import highlighted
from quizzes.pages.source import Fault


@dataclass(frozen=True)
class Listing:
    """One program and what it prints ("" when it prints nothing worth showing)."""

    title: str
    code: str
    output: str


def listing_of(block: Block) -> Listing:
    """Return the listing in a block."""
    code, _, output = block.body.partition("\n---\n")
    title = str(block.options.get("title", ""))
    return Listing(title, code.strip("\n") + "\n", output.strip("\n"))


class ListingBlock:
    """The block kind; see the module."""

    name = "listing"

    def check(self, block: Block) -> Iterator[Fault]:
        faults: list[Fault] = []
        fields = Fields(block.node, faults)
        fields.text("title", max_length=120)
        fields.done()
        yield from faults
        listing = listing_of(block)
        if not listing.code.strip():
            yield block.fault("a listing needs a program below a line ---")
            return
        try:
            compile(listing.code, block.path, "exec")
        except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
            line = block.line + _lines_before_code(block) + (getattr(error, "lineno", 1) or 1)
            yield Fault(block.path, line, f"the program cannot be read: {error}")

    def prepare(self, blocks: Sequence[Block], context: PageContext) -> None:
        """Nothing is needed: a listing has everything in its block."""

    def render(self, block: Block, prepared: None, context: PageContext) -> SafeString:
        del prepared, context
        listing = listing_of(block)
        code = highlighted(listing.code, "python")
        output = (
            format_html(
                '<p class="listing__label" id="{key}-output">Prints</p>'
                '<pre class="code code--output" tabindex="0" aria-labelledby="{key}-output">'
                "<samp>{output}</samp></pre>",
                key=block.key,
                output=listing.output,
            )
            if listing.output
            else ""
        )
        return format_html(
            '<figure class="listing" aria-labelledby="{}-title">'
            '<figcaption class="listing__title" id="{}-title">{}</figcaption>{}{}</figure>',
            *(block.key, block.key, listing.title, code, output),
        )


def _lines_before_code(block: Block) -> int:
    """Return how many lines of the fence stand above the program: options and the divider."""
    return len(block.options) + 1
