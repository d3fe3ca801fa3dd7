"""The listings of a lesson in its form: run them, show what they print, fill it in."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.contrib import messages
from django.http import HttpRequest

from quizzes.classes.publishing.lesson_drafts import EditableLesson
from quizzes.exercises.services import grading_state
from quizzes.lessons.listing_block import listing_of
from quizzes.lessons.listing_output import OutputLine, compared_lines
from quizzes.lessons.listing_runs import (
    FillError,
    ListingState,
    ManyListingsError,
    filled_in,
    listings_in,
    request_runs,
    runs_of,
    states_of,
)
from quizzes.lessons.models import ListingRun

RUN, FILL = "run", "fill"
NOTHING_TO_RUN = "There is no listing without a fault of its own to run."
NOTHING_TO_FILL = (
    "Nothing was filled in: no listing was run with this program and printed something else."
)
STATES = {
    "": "not run yet",
    "waiting": "waits to be run",
    "printed": "prints what the page says",
    "differs": "prints something else",
    "stopped": "fails",
    "left_out": "not run: torch is not installed here",
    "failed": "could not be run, which was our fault",
}


@dataclass(frozen=True)
class ListingRow:
    """A listing in the form, with the lines of its output next to the page's where they differ."""

    of: ListingState
    step: str  # its number and title
    lines: Sequence[OutputLine]
    is_published: bool  # as it is

    @property
    def words(self) -> str:
        """Return what its run is, or does."""
        if self.is_published and self.of.run is None:
            return "is published as it is"
        is_running = self.of.run is not None and self.of.run.leased_until is not None
        return "is running" if is_running else STATES[self.of.state]

    @property
    def fill(self) -> str:
        """Return the button that fills in its output, "" where there is nothing to fill in."""
        run = self.of.run
        return f"{FILL}:{self.of.step}:{run.digest}" if run and self.of.state == "differs" else ""


def listings_context(thing: EditableLesson, content: Mapping[str, Any]) -> dict[str, Any]:
    """Return what the form shows of the listings. Two queries, none without listings."""
    steps = content["steps"]
    states = states_of(thing.row.course_id, [step["text"] for step in steps])
    rows = [_row(thing, state, steps[state.step - 1]["title"]) for state in states]
    waiting = [row for row in rows if row.of.state == ListingRun.State.WAITING]
    return {
        "rows": rows,
        "waiting": len(waiting),
        "differing": sum(bool(row.fill) for row in rows),
        "grading": grading_state() if waiting else None,
    }


def _row(thing: EditableLesson, state: ListingState, title: str) -> ListingRow:
    listing, run = listing_of(state.listing), state.run
    differs = run is not None and state.state == "differs"
    lines = compared_lines(listing.output, run.printed) if run and differs else []
    name = f"Step {state.step}, {title}" if title else f"Step {state.step}"
    return ListingRow(state, name, lines, listing in thing.published_listings)


def run_again(request: HttpRequest, thing: EditableLesson, content: Mapping[str, Any]) -> None:
    """Have all listings of a content run, and say so."""
    _request(request, thing, _codes(content))


def run_missing(request: HttpRequest, thing: EditableLesson, content: Mapping[str, Any]) -> None:
    """Have those new listings of a content run that have no result; say it where they cannot be."""
    states = states_of(thing.row.course_id, [step["text"] for step in content["steps"]])
    lacking = [listing_of(row.listing) for row in states if row.state in {"", "failed"}]
    codes = [listing.code for listing in lacking if listing not in thing.published_listings]
    if codes:
        _request(request, thing, codes, is_said=False)


def _codes(content: Mapping[str, Any]) -> list[str]:
    return [
        listing_of(block).code
        for step in content["steps"]
        for block in listings_in(step["text"], "text")
    ]


def _request(
    request: HttpRequest, thing: EditableLesson, codes: Sequence[str], *, is_said: bool = True
) -> None:
    if not codes:
        messages.info(request, NOTHING_TO_RUN)
        return
    try:
        count = request_runs(thing.row.course_id, codes)
    except ManyListingsError as error:
        messages.error(request, f"Not run: {error}.")
        return
    if is_said:
        words = "1 listing is" if count == 1 else f"{count} listings are"
        messages.success(request, f"{words} being run. You can leave this page.")


def fill_in(
    request: HttpRequest, thing: EditableLesson, content: dict[str, Any], button: str
) -> dict[str, Any]:
    """Return a content with what its listings printed: "fill", or "fill:2:DIGEST" in one step."""
    act, _, named = button.partition(":")
    if act != FILL:
        return content
    number, _, digest = named.partition(":")
    steps = [dict(step) for step in content["steps"]]
    placed = {str(place): step for place, step in enumerate(steps, start=1)}
    chosen = {place: step for place, step in placed.items() if number in {"", place}}
    listings = [
        listing for step in chosen.values() for listing in listings_in(step["text"], "text")
    ]
    runs = runs_of(thing.row.course_id, listings)
    changed = []
    for place, step in chosen.items():
        try:
            text = filled_in(step["text"], runs, digest)
        except FillError as error:
            messages.error(request, str(error))
            continue
        if text != step["text"]:
            step["text"] = text
            changed.append(place)
    if changed:
        where = f"step{'s' * (len(changed) > 1)} {' and '.join(changed)}"
        messages.success(request, f"Filled in what the program prints, in {where}: look at it.")
    else:
        messages.info(request, NOTHING_TO_FILL)
    return {**content, "steps": steps}
