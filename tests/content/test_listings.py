"""Every listing of the courses runs as it stands and prints what the page says it prints."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from quizzes.lessons.listing_block import Listing
from tests.content.lesson_text import listings

ALL = listings()


def test_there_are_listings() -> None:
    assert len(ALL) >= 8


@pytest.fixture(scope="module")
def happened() -> dict[str, dict]:
    """Run all of them, each as a program of its own where nothing of this project is at hand."""
    run = subprocess.run(
        [sys.executable, "-I", "-W", "error", str(Path(__file__).with_name("run_listings.py"))],
        input=json.dumps({place: listing.code for place, listing in ALL}),
        capture_output=True,
        text=True,
        timeout=600,
        check=True,
    )
    return json.loads(run.stdout)


@pytest.mark.slow  # running them all takes seconds
@pytest.mark.parametrize(("place", "listing"), ALL, ids=[place for place, _ in ALL])
def test_listing_prints_what_the_page_says(place: str, listing: Listing, happened: dict) -> None:
    """A reader pastes it into a file of its own."""
    assert "posenc" not in listing.code
    assert happened[place]["code"] == 0, f"{place}\n{happened[place]['errors']}"
    assert happened[place]["out"].rstrip("\n") == listing.output, place


@pytest.mark.parametrize(("place", "listing"), ALL, ids=[place for place, _ in ALL])
def test_listing_fits_its_column(place: str, listing: Listing) -> None:
    """Longer lines would have to be scrolled on a desktop too."""
    lines = [*listing.code.splitlines(), *listing.output.splitlines()]
    assert max(map(len, lines)) <= 76, place
    assert listing.title, place
