"""Every listing of the shipped courses runs as it stands and prints what its page says."""

import pytest

from quizzes.lessons.listing_block import listing_of
from quizzes.pages.blocks import Block
from quizzes.worker import check_course
from tests.content.lesson_text import lessons
from tests.course_folders import COURSES
from tests.shared_sandboxes import open_shared

ALL = {
    f"{course.name}/{block.path}:{block.line}": block
    for course in COURSES
    for block in check_course.listings_of(lessons(course))
}


def test_there_are_listings() -> None:
    assert len(ALL) >= 8


@pytest.mark.covering(most=1)
@pytest.mark.slow  # running them all takes seconds
@pytest.mark.sandbox
@pytest.mark.torch  # one is a module
@pytest.mark.parametrize("course", COURSES, ids=lambda course: course.name)
def test_listings_print_what_the_page_says(course, monkeypatch: pytest.MonkeyPatch) -> None:
    """A course with any other is not published; see `load_content`."""
    monkeypatch.setattr(check_course, "open_sandbox", open_shared)
    assert all(map(check_course.can_run, check_course.listings_of(lessons(course))))
    assert list(check_course.check_listings(lessons(course))) == []


@pytest.mark.parametrize("block", ALL.values(), ids=ALL)
def test_listing_fits_its_column(block: Block) -> None:
    """Longer lines would have to be scrolled on a desktop too."""
    listing = listing_of(block)
    lines = [*listing.code.splitlines(), *listing.output.splitlines()]
    assert max(map(len, lines)) <= 76
    assert listing.title
