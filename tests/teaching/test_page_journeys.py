"""Every page of /teach/ in a real browser: accessible, fits a phone; a failure is graded again."""

import pytest
from playwright.sync_api import Page, expect

from quizzes.teaching.people import urls as people_urls
from quizzes.teaching.results import urls as result_urls
from quizzes.teaching.week import urls as week_urls
from quizzes.teaching.work import urls as work_urls
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

pytestmark = pytest.mark.slow
RIGHT = (POSITIONAL / "exercises/sinusoidal-table/reference.py").read_text()
OUR_FAULT = """
from quizzes.exercises.models import Submission
from quizzes.grader.judge.report import Report, Verdict
rows = Submission.objects.filter(pk={number})
rows.update(verdict="not_graded", report=Report(Verdict.NOT_GRADED).as_json(),
            our_failure="the disk was full", known_mistake="")
"""
DEMO_CLASS = """
from django.core.management import call_command
call_command("demo_class", people=3, name={name!r})
"""
PAGES = [
    "",
    "copy/",
    "class/",
    "questions/",
    "quizzes/",
    "quizzes/test-your-understanding/",
    "quizzes/test-your-understanding/preview/",
    "questions/which-paper/",
    "questions/which-paper/versions/1/",
    "questions/which-paper/regrade/?version=1&rule=drop",
    "exercises/",
    "exercises/sinusoidal-table/",
    "exercises/sinusoidal-table/regrade/",
]


# Of a class: those that differ most in form. The night looks at every page that is no file.
CLASS_PAGES = ["", "results/", "marks/", "assignments/new/?quiz=test-your-understanding"]


OF_A_CLASS = [
    *people_urls.IN_A_CLASS,
    *work_urls.IN_A_CLASS,
    *week_urls.IN_A_CLASS,
    *result_urls.IN_A_CLASS,
]
FILES, DEEDS = (".csv", ".json", ".zip"), ("/do/", "/apply/", "/deeds/", "/right/")


def class_pages(site, page: Page, *, every: bool) -> list[str]:
    """Make a class with work in it and return its pages, with one of a person and one attempt."""
    name = new_slug("class")
    site.run(DEMO_CLASS.format(name=name))
    start = f"/teach/classes/{name}/"
    found = [f"{start}{one}" for one in CLASS_PAGES]
    lists = ["attempts/"]
    if every:
        lists += ["people/", "assignments/", "marks/"]
        routes = [str(one.pattern) for one in OF_A_CLASS]
        plain = [one for one in routes if "<" not in one and not one.endswith(FILES)]
        found += [f"{start}{one}" for one in plain if not one.endswith(DEEDS)]
        page.goto(f"{site.url}{start}")
        right = page.get_by_role("link", name="They are right").first
        found.append(right.get_attribute("href") or "")
        page.goto(f"{site.url}{start}results/")
        answers = page.locator("main a[href*='/answers/']").first.get_attribute("href")
        found.append(answers or "")
        asked = page.request.get(f"{site.url}{start}results.json").json()["items"][0]["question"]
        found.append(teach(f"questions/{asked}/regrade/?version=1&rule=drop&class={name}"))
        found.append(teach(f"exercises/sinusoidal-table/regrade/?class={name}"))
    for one in lists:  # the first thing of each list
        page.goto(f"{site.url}{start}{one}")
        first = page.locator(f"main table a[href^='{start}{one}']").first
        found.append(first.get_attribute("href") or "")
    return found


@pytest.mark.sandbox
@pytest.mark.parametrize("every_look", [False, pytest.param(True, marks=pytest.mark.soak)])
def test_every_page_is_accessible_and_fits_a_phone(site, new_page, every_look):
    page = sign_in(site, new_page(color_scheme="light", reduced_motion="reduce"))
    wrong = {}
    of_a_class = class_pages(site, page, every=every_look)
    for path in ["/teach/", *(teach(one) for one in PAGES), *of_a_class]:
        page.goto(site.url + path)
        wrong[path] = wrong_with(page, every_look=every_look)
    page.goto(site.url + teach("questions/which-paper/"))
    page.get_by_label("Question", exact=True).fill(r"Broken $\frac{1$")
    page.get_by_role("button", name="Publish").click()
    expect(page.get_by_text("Saved, not published")).to_be_visible()
    wrong["not ready"] = wrong_with(page, every_look=every_look)
    page.get_by_role("button", name="Discard the draft").click()
    assert [f"{path}: {one}" for path, found in wrong.items() for one in found] == []


@pytest.mark.sandbox
def test_a_failure_of_ours_is_found_and_graded_again(site, new_page):
    number = submitted(site, new_page(), "sinusoidal-table", RIGHT)
    site.run(OUR_FAULT.format(number=number))
    page = sign_in(site, new_page())
    page.goto(site.url)
    page.get_by_text("instructor").first.click()
    page.get_by_role("link", name="Teach").click()
    expect(page.get_by_text("Sandbox verified at")).to_be_visible()
    row = page.get_by_role("row").filter(has_text="the disk was full")
    row.get_by_role("button", name=f"Grade again (submission {number})").click()
    expect(page.get_by_text(f"Submission {number} waits to be graded again.")).to_be_visible()
    page.goto(f"{site.url}/teach/")
    expect(page.get_by_text("Failures that are ours").first).to_be_visible()
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
    expect(page.get_by_text("Published: version 1. No quiz asks it yet")).to_be_visible()
    expect(page.locator(".messages")).to_be_focused()


def test_a_learner_does_not_see_these_pages(site, new_page, page_errors):
    page_errors.allow("status of 40[34]")
    page = sign_in(site, new_page(), role="learner")
    for path, heading in (
        ("/teach/", "This page is not open to you"),
        (teach("quizzes/"), "There is no page at this address"),
        ("/teach/exercises/", "There is no page at this address"),
    ):
        page.goto(site.url + path)
        expect(page.get_by_role("heading", level=1)).to_have_text(heading)
        assert findings(page) == []
