"""Every listing of the course runs as it stands and prints what the page says it prints."""

import subprocess
import sys
from pathlib import Path

import pytest

from quizzes.lessons.listing_block import Listing
from tests.content.lesson_text import listings

ALL = listings()


def test_there_are_listings() -> None:
    assert len(ALL) >= 8


@pytest.mark.parametrize(("place", "listing"), ALL, ids=[place for place, _ in ALL])
def test_listing_prints_what_the_page_says(place: str, listing: Listing, tmp_path: Path) -> None:
    """A reader pastes it into a file of its own, where nothing of this project is at hand."""
    assert "posenc" not in listing.code
    program = tmp_path / "listing.py"
    program.write_text(listing.code)
    run = subprocess.run(
        [sys.executable, "-I", "-W", "error", str(program)],
        capture_output=True,
        text=True,
        cwd=tmp_path,
        timeout=30,
        check=False,
    )
    assert run.returncode == 0, f"{place}\n{run.stderr}"
    assert run.stdout.rstrip("\n") == listing.output, place


@pytest.mark.parametrize(("place", "listing"), ALL, ids=[place for place, _ in ALL])
def test_listing_fits_its_column(place: str, listing: Listing) -> None:
    """Longer lines would have to be scrolled on a desktop too."""
    lines = [*listing.code.splitlines(), *listing.output.splitlines()]
    assert max(map(len, lines)) <= 76, place
    assert listing.title, place
