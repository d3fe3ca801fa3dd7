"""A question and its answers: side by side in a wide window, one below the other on a phone."""

import pytest
from playwright.sync_api import Page

from tests.browser import sideways_scroll
from tests.courses import at

pytestmark = pytest.mark.slow
QUESTION = ".question-sides"


def stands_at_right(page: Page) -> bool:
    """Say whether the first answers begin at the right of what is asked."""
    left, right = (
        page.locator(f"{QUESTION} > .{name}").first.bounding_box()
        for name in ("question__prompt", "question__answer")
    )
    assert left is not None
    assert right is not None
    assert right["width"] > 0
    return right["x"] >= left["x"] + left["width"]


@pytest.mark.parametrize(("width", "is_wide"), [(1280, True), (390, False)])
def test_answers_stand_next_to_their_question(site, new_page, width: int, is_wide: bool) -> None:
    page = new_page(viewport={"width": width, "height": 844})
    page.goto(site.url + at("/quiz/why-order-quiz/"))
    page.locator("main form button").first.click()
    page.wait_for_url("**/attempt/**")
    assert stands_at_right(page) == is_wide
    assert sideways_scroll(page) == 0
    page.locator("button[name=do][value=submit]").click()
    page.locator("button[value=submit-blank]").click()
    page.wait_for_url("**/review/")
    assert stands_at_right(page) == is_wide
    assert sideways_scroll(page) == 0
