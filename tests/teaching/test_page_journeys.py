"""Pages of /teach/ in a real browser: by keyboard, with faults; a failure is graded again.

tests/site/test_page_kinds.py looks at all of them, wide and narrow.
"""

import pytest
from playwright.sync_api import expect

from tests.accessible import findings
from tests.course_folders import POSITIONAL
from tests.teaching.browsing import (
    begin,
    new_slug,
    press_and_look_until_focused,
    sign_in,
    submitted,
    wrong_with,
)
from tests.teaching.forms import teach

pytestmark = pytest.mark.soak  # by day the journeys look at the pages on which they are
RIGHT = (POSITIONAL / "exercises/sinusoidal-table/reference.py").read_text()
OUR_FAULT = """
from quizzes.exercises.models import Submission
from quizzes.grader.judge.report import Report, Verdict
rows = Submission.objects.filter(pk={number})
rows.update(verdict="not_graded", report=Report(Verdict.NOT_GRADED).as_json(),
            our_failure="the disk was full", known_mistake="")
"""


@pytest.mark.sandbox
def test_a_question_that_is_not_ready_is_accessible(site, new_page):
    page = sign_in(site, new_page(color_scheme="light", reduced_motion="reduce"))
    page.goto(site.url + teach("questions/which-paper/"))
    page.get_by_label("Question", exact=True).fill(r"Broken $\frac{1$")
    page.get_by_role("button", name="Publish").click()
    expect(page.get_by_text("Saved, not published")).to_be_visible()
    wrong = wrong_with(page, every_look=True)
    page.get_by_role("button", name="Discard the draft").click()
    assert wrong == []


@pytest.mark.sandbox
def test_a_failure_of_ours_is_found_and_graded_again(site, new_page):
    number = submitted(site, new_page(), "sinusoidal-table", RIGHT)
    site.run(OUR_FAULT.format(number=number))
    page = sign_in(site, new_page())
    page.goto(site.url)
    page.get_by_text("instructor").first.click()
    page.get_by_role("link", name="Teach").click()
    expect(page.get_by_text("Sandbox last verified on")).to_be_visible()
    row = page.get_by_role("row").filter(has_text="the disk was full")
    row.get_by_role("button", name=f"Grade again (submission {number})").click()
    expect(page.get_by_text(f"Submission {number} will be graded again.")).to_be_visible()
    page.goto(f"{site.url}/teach/")
    expect(page.get_by_text("Failures on our side").first).to_be_visible()
    expect(row).to_have_count(0)  # other tests of this site may have left failures of their own


def test_a_question_by_keyboard_alone(site, page):
    sign_in(site, page)
    slug = new_slug("keys")
    begin(page, site.url + teach("questions/"), slug)
    expect(page.locator(".messages")).to_be_focused()
    press_and_look_until_focused(page, "#prompt")
    page.keyboard.type("How long is $\\lambda$?")
    press_and_look_until_focused(page, "[name=key][value='1']")
    page.keyboard.press("Space")
    for name in ("text-1", "reason-1", "text-2", "reason-2"):
        press_and_look_until_focused(page, f"#{name}")
        page.keyboard.type(f"This is {name}.")
    press_and_look_until_focused(page, "#step")
    page.keyboard.type("Sinusoidal")
    press_and_look_until_focused(page, "button[value=publish]")
    page.keyboard.press("Enter")
    expect(page.get_by_text("Published: version 1. It is not in any quiz yet")).to_be_visible()
    expect(page.locator(".messages")).to_be_focused()


def test_a_learner_does_not_see_these_pages(site, new_page, page_errors):
    page_errors.allow("status of 40[34]")
    page = sign_in(site, new_page(), role="learner")
    for path, heading in (
        ("/teach/", "You do not have access to this page"),
        (teach("quizzes/"), "There is no page at this address"),
        ("/teach/exercises/", "There is no page at this address"),
    ):
        page.goto(site.url + path)
        expect(page.get_by_role("heading", level=1)).to_have_text(heading)
        assert findings(page) == []
