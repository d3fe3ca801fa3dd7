"""Listings of a lesson that is being written: run by a worker, compared, and filled in.

A result belongs to the program, not to its place: a listing that moves, or whose text changes, is
not run again. `listing_faults` says the same of a page as `check_content`.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from django.db import transaction
from django.utils import timezone

from quizzes.content_files.problems import ContentProblem
from quizzes.content_files.stored_hashes import hash_of
from quizzes.lessons.listing_block import ListingBlock, first_lines, listing_of
from quizzes.lessons.listing_output import first_difference
from quizzes.lessons.models import ListingRun
from quizzes.pages.blocks import Block, parse_page

MOST_WAITING = 60  # programs of a course
FAILED = "could not be run, which was our fault. Run the listings again."
State = ListingRun.State
_FENCE = re.compile(r" {0,3}(`{3,}|~{3,})")


class FillError(Exception):
    """The output of a listing cannot stand in its block; the message says why."""


class ManyListingsError(Exception):
    """More programs of a course would wait than may."""


def digest_of(code: str) -> str:
    """Return what names a program."""
    return hash_of([code])


def listings_in(text: str, path: str) -> list[Block]:
    """Return the listings of a step's text that can be run: those without a fault of their own."""
    blocks = parse_page(text, path=path).blocks
    return [
        block
        for block in blocks
        if block.kind == ListingBlock.name and not list(ListingBlock().check(block))
    ]


def runs_of(course: int, listings: Iterable[Block]) -> dict[str, ListingRun]:
    """Return the runs of these programs, by digest. One query, none without listings."""
    digests = {digest_of(listing_of(block).code) for block in listings}
    if not digests:
        return {}
    rows = ListingRun.objects.filter(course=course, digest__in=digests)
    return {run.digest: run for run in rows}


def request_runs(course: int, codes: Iterable[str]) -> int:
    """Have programs run, again those that were; return their number. Raises ManyListingsError."""
    by_digest = {digest_of(code): code for code in codes}
    with transaction.atomic():
        waiting = ListingRun.objects.filter(course=course, state=State.WAITING)
        others = waiting.exclude(digest__in=by_digest).count()
        if others + len(by_digest) > MOST_WAITING:
            raise ManyListingsError(
                f"{len(by_digest)} listings to run and {others} of this course that wait: "
                f"expected at most {MOST_WAITING} in all"
            )
        for digest, code in by_digest.items():
            fresh = {"state": State.WAITING, "asked_at": timezone.now(), "tries_used": 0}
            run, is_new = ListingRun.objects.get_or_create(
                course_id=course, digest=digest, defaults={"code": code, **fresh}
            )
            if not is_new and run.state != State.WAITING:
                ListingRun.objects.filter(pk=run.pk).exclude(state=State.WAITING).update(
                    **fresh, leased_until=None
                )
    return len(by_digest)


def run_faults(listing: Block, run: ListingRun | None) -> Iterator[ContentProblem]:
    """Yield what a run says against its listing; that nothing did run is a fault as well."""
    title, (code_line, _) = listing_of(listing).title, first_lines(listing)
    if run is None or run.state == State.WAITING:
        words = f"the listing {title!r} has not been run yet"
        yield ContentProblem(listing.path, code_line, words, since_published=True, code="not_run")
    elif run.state == State.FAILED:
        words = f"the listing {title!r} {FAILED}"
        yield ContentProblem(listing.path, code_line, words, since_published=True, code="not_run")
    elif run.state == State.STOPPED:
        yield failure(listing, run.line, run.fault)
    elif run.state == State.PRINTED:
        yield from output_faults(listing, run.printed)


def failure(listing: Block, line: int, message: str) -> ContentProblem:
    """Return the fault of a program that fails in a line of its own, from 1."""
    words = f"the listing {listing_of(listing).title!r} fails: {message}"
    at = first_lines(listing)[0] + line - 1
    return ContentProblem(listing.path, at, words, since_published=True)


def output_faults(listing: Block, printed: str) -> Iterator[ContentProblem]:
    """Yield the first line of the output that is not the page's."""
    title, output = listing_of(listing).title, listing_of(listing).output
    difference = first_difference(output, printed)
    if difference is not None:
        line, said, other = difference
        prints = "ends" if other is None else f"prints {other!r}"
        says = "the page shows no more" if said is None else f"the page says {said!r}"
        words = f"the listing {title!r} {prints} here; {says}"
        at = first_lines(listing)[1] + line
        yield ContentProblem(listing.path, at, words, since_published=True)


def filled_in(text: str, runs: Mapping[str, ListingRun], chosen: str = "") -> str:
    """Return a step's text with what its programs printed, where the page says something else.

    `chosen`: the digest of the only program to fill in. Raises FillError.
    """
    number = 0
    while number < len(listings := listings_in(text, "text")):
        place, listing = number, listings[number]
        number += 1
        shown = listing_of(listing)
        run = runs.get(digest_of(shown.code))
        if run is None or run.state != State.PRINTED or chosen not in {"", run.digest}:
            continue
        if first_difference(shown.output, run.printed) is None:
            continue
        text = _with_output(text, listing, run.printed)
        after = listings_in(text, "text")
        same = len(after) == len(listings) and listing_of(after[place]).code == shown.code
        if not same or first_difference(listing_of(after[place]).output, run.printed) is not None:
            words = "expected an output without a line that ends the block, such as ```"
            raise FillError(f"The listing {shown.title!r} was not filled in: {words}.")
    return text


def _with_output(text: str, listing: Block, printed: str) -> str:
    lines = text.split("\n")
    begin = listing.line - 1
    opening = _FENCE.match(lines[begin])
    assert opening is not None, f"line {listing.line} begins no block"
    mark, indent = opening[1], len(opening[0]) - len(opening[1])
    divider = re.compile(rf" {{0,{indent}}}---$")
    ends = re.compile(rf" {{0,3}}{re.escape(mark[0])}{{{len(mark)},}}\s*$")
    inside = range(begin + 1, len(lines))
    end = next((at for at in inside if ends.match(lines[at])), len(lines))
    dividers = [at for at in range(begin + 1, end) if divider.match(lines[at])]
    kept = lines[: dividers[1] if len(dividers) > 1 else end]
    output = [line.rstrip() for line in printed.strip("\n").split("\n")]
    shown = ["---", *output] if printed.strip() else []
    return "\n".join([*kept, *shown, *lines[end:]])


@dataclass(frozen=True)
class ListingState:
    """A listing of a step, counted from 1, with its run and what that says against it."""

    step: int
    listing: Block
    run: ListingRun | None
    faults: Sequence[ContentProblem]

    @property
    def title(self) -> str:
        return listing_of(self.listing).title

    @property
    def line(self) -> int:
        return self.listing.line

    @property
    def state(self) -> str:
        """Return the state of its run, `differs` for another output, "" for a program not run."""
        if self.run is None:
            return ""
        return "differs" if self.run.state == State.PRINTED and self.faults else self.run.state


def states_of(course: int, texts: Sequence[str]) -> list[ListingState]:
    """Return every listing of these steps' texts. One query, none without a listing."""
    placed = [
        (step, listing)
        for step, text in enumerate(texts, start=1)
        for listing in listings_in(text, f"step {step}")
    ]
    runs = runs_of(course, [listing for _, listing in placed])
    states = []
    for step, listing in placed:
        run = runs.get(digest_of(listing_of(listing).code))
        states.append(ListingState(step, listing, run, list(run_faults(listing, run))))
    return states
