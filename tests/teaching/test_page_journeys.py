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

pytestmark = pytest.mark.soak  # by day the journeys look at the pages on which they are
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


CLASS_PAGES = ["", "results/", "marks/", "assignments/new/?quiz=test-your-understanding"]
OF_A_CLASS = [
    *people_urls.IN_A_CLASS,
    *work_urls.IN_A_CLASS,
    *week_urls.IN_A_CLASS,
    *result_urls.IN_A_CLASS,
]
FILES = (".csv", ".json", ".zip")
DEEDS = ("/do/", "/apply/", "/deeds/", "/right/", "separator/")  # a page of theirs is empty


def class_pages(site, page: Page) -> list[str]:
    """Make a class with work in it and return its pages, with one of a person and one attempt."""
    name = new_slug("class")
    site.run(DEMO_CLASS.format(name=name))
    start = f"/teach/classes/{name}/"
    addresses = [f"{start}{path}" for path in CLASS_PAGES]
    routes = [str(route.pattern) for route in OF_A_CLASS]
    plain = [route for route in routes if "<" not in route and not route.endswith(FILES)]
    addresses += [f"{start}{route}" for route in plain if not route.endswith(DEEDS)]
    page.goto(f"{site.url}{start}")
    right = page.get_by_role("link", name="They are right").first
    addresses.append(right.get_attribute("href") or "")
    page.goto(f"{site.url}{start}results/")
    page.locator(".teach-links a[href*='quiz=']").first.click()
    answers = page.locator("main a[href*='/answers/']").first.get_attribute("href")
    addresses += [page.url.removeprefix(site.url), answers or ""]
    items = page.request.get(page.url.replace("results/", "results.json")).json()["items"]
    question = items[0]["question"]
    addresses.append(teach(f"questions/{question}/regrade/?version=1&rule=drop&class={name}"))
    addresses.append(teach(f"exercises/sinusoidal-table/regrade/?class={name}"))
    for path in ("attempts/", "people/", "assignments/", "marks/"):  # the first thing of each list
        page.goto(f"{site.url}{start}{path}")
        first = page.locator(f"main table a[href^='{start}{path}']").first
        addresses.append(first.get_attribute("href") or "")
    return addresses


@pytest.mark.sandbox
def test_every_page_is_accessible_and_fits_a_phone(site, new_page):
    page = sign_in(site, new_page(color_scheme="light", reduced_motion="reduce"))
    wrong = {}
    for path in ["/teach/", *map(teach, PAGES), *class_pages(site, page)]:
        page.goto(site.url + path)
        wrong[path] = wrong_with(page, every_look=True)
    page.goto(site.url + teach("questions/which-paper/"))
    page.get_by_label("Question", exact=True).fill(r"Broken $\frac{1$")
    page.get_by_role("button", name="Publish").click()
    expect(page.get_by_text("Saved, not published")).to_be_visible()
    wrong["not ready"] = wrong_with(page, every_look=True)
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
