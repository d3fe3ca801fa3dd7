"""The `listing` block of a lesson: a program that runs as it stands, and its output.

    ```listing
    title: Two rows of the table
    ---
    print(1 + 1)
    ---
    2
    ```

Before a course is published its listings run, and their output is compared (worker/check_course).
Where a listing is all that a screen has to do, its output is covered by a button; `guess: Are the
two sums equal?` says what to guess.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from django.conf import settings
from django.utils.html import format_html
from django.utils.safestring import SafeString

from quizzes.content_files.fields import Fields
from quizzes.content_files.problems import ContentProblem
from quizzes.content_files.python_source import find_syntax_error
from quizzes.courses.addresses import listing_address
from quizzes.pages.blocks import Block, PageContext
from quizzes.pages.form_placeholders import fields_of
from quizzes.pages.lesson_exercises import exercise_address_of
from quizzes.pages.markdown import highlight_code, plain_text_problems

GUESS = "Guess what it prints, then look"


@dataclass(frozen=True)
class Listing:
    """One program and its output ("" if there is no output to show)."""

    title: str
    code: str
    output: str


def listing_of(block: Block) -> Listing:
    """Return the listing in a block."""
    code, _, output = block.body.partition("\n---\n")
    title = str(block.options.get("title", ""))
    return Listing(title, code.strip("\n") + "\n", output.strip("\n"))


@dataclass(frozen=True)
class Surroundings:
    """What the listings of a page share: the address of the lesson's exercise, and a form's fields.

    Both are "" on a page that is in no course, where no listing is run.
    """

    exercise: str = ""
    fields: str = ""


class ListingBlock:
    """The block kind; see the module."""

    name = "listing"
    fills_margin = True  # with its output

    def check(self, block: Block) -> Iterator[ContentProblem]:
        problems: list[ContentProblem] = []
        fields = Fields(block.node, problems)
        fields.text("title", max_length=120)
        fields.text("guess", max_length=80, required=False)
        fields.done()
        yield from problems
        yield from plain_text_problems(block.node.at("title"), block.node.at("guess"))
        listing = listing_of(block)
        if not listing.code.strip():
            yield block.problem("a listing needs a program below a line ---")
            return
        broken = find_syntax_error(listing.code)
        if broken is not None:
            line, words = broken
            yield ContentProblem(block.path, first_lines(block)[0] + line - 1, words)

    def prepare(self, blocks: Sequence[Block], context: PageContext) -> Surroundings:
        """Return the lesson's exercise, whose editor can take a listing, and what a form needs."""
        if not blocks or context.course is None:
            return Surroundings()
        exercise = exercise_address_of(context.course.pk, context.lesson)
        return Surroundings(exercise, fields_of(context.request))

    def render(self, block: Block, prepared: Surroundings, context: PageContext) -> SafeString:
        listing = listing_of(block)
        code = _kept_code(listing.code, "python")
        output = (
            format_html(
                '<div class="listing__output">'
                '<p class="listing__label" id="{key}-output">Prints</p>'
                '<pre class="code code--output" tabindex="0" aria-labelledby="{key}-output">'
                "<samp>{output}</samp></pre></div>",
                key=block.key,
                output=listing.output,
            )
            if listing.output
            else ""
        )
        return format_html(
            '<figure class="listing" aria-labelledby="{}-title" data-guess="{}"'
            ' data-csrf-cookie="{}">'
            '<div class="listing__code">'
            '<p class="listing__title" id="{}-title">{}</p>{}{}</div>{}</figure>',
            *(block.key, block.options.get("guess") or GUESS, settings.CSRF_COOKIE_NAME),
            *(block.key, listing.title, code, _tools(block, prepared, context), output),
        )


# 2 ms for a listing of twenty lines. Not where learners' code is shown: that is theirs.
_kept_code = lru_cache(maxsize=512)(highlight_code)


def _tools(block: Block, page: Surroundings, context: PageContext) -> SafeString:
    """Return the buttons of a listing: Run is a form's, the others wait for a script."""
    opens = SafeString()
    described = format_html('aria-describedby="{}-title"', block.key)
    if page.exercise:
        opens = format_html(
            '<button type="button" class="button button--plain" data-do="open" data-address="{}"'
            " {} hidden>Try it in the exercise</button>",
            *(page.exercise, described),
        )
    others = format_html(
        '<button type="button" class="button button--plain" data-do="copy" {} hidden>Copy</button>'
        '{}<span class="listing__told meta" role="status"></span>',
        *(described, opens),
    )
    if not page.fields:
        return format_html('<div class="listing__tools cluster">{}</div>', others)
    path = f"{context.lesson}/{context.step}"
    return format_html(
        '<form class="listing__tools cluster" method="post" action="{}">'
        '{}<button type="submit" class="button button--quiet listing__run" data-do="run"'
        " {}>Run</button>"
        '<button type="button" class="button button--plain" data-do="edit" {} hidden>Edit</button>'
        "{}</form>",
        *(listing_address(context.course.slug, path, block.key), page.fields),
        *(described, described, others),
    )


def first_lines(block: Block) -> tuple[int, int]:
    """Return the first lines of the program and of its output in the file.

    An output that is missing begins in the last line of the program.
    """
    code, divider, output = block.body.partition("\n---\n")
    # The fence's own line, the options with a line each, and the divider.
    begin = block.line + len(block.options) + 2
    if not divider:
        last = begin + len(code.rstrip("\n").split("\n")) - 1
        return begin + _empty_lines(code), last
    output_line = begin + code.count("\n") + 2
    return begin + _empty_lines(code), output_line + _empty_lines(output)


def _empty_lines(text: str) -> int:
    return len(text) - len(text.lstrip("\n"))
