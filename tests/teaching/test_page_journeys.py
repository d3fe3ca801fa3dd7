"""Every page of /teach/ in a real browser: accessible, fits a phone; a failure is graded anew."""

import pytest
from playwright.sync_api import Page, expect

from quizzes.teaching.items import urls as item_urls
from quizzes.teaching.people import urls as people_urls
from quizzes.teaching.week import urls as week_urls
from quizzes.teaching.work import urls as work_urls
from tests.accessible import findings
from tests.browser import press_until_focused
from tests.courses import at
from tests.site.every_page import PHONE, WIDE, faults_of
from tests.site.test_in_browser import FOCUSED
from tests.teaching.browsing import add_question, begin, new_slug, published_question, sign_in
from tests.teaching.forms import teach

pytestmark = pytest.mark.slow

EXERCISE = at("/exercises/sinusoidal-table/")
RIGHT = """import numpy as np

def sinusoidal_table(n, d, base=10000.0):
    columns = np.arange(d)
    angles = np.arange(n)[:, None] / base ** ((columns - columns % 2) / d)
    return np.where(columns % 2, np.cos(angles), np.sin(angles))
"""
OUR_FAULT = """
from quizzes.exercises.models import Submission
from quizzes.grader.judge.report import Report, Verdict
rows = Submission.objects.filter(pk={number})
rows.update(verdict="not_graded", report=Report(Verdict.NOT_GRADED).as_json(),
            our_failure="the disk was full", known_mistake="")
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
CLASS_PAGES = ["", "items/", "marks/", "assignments/new/?quiz=test-your-understanding"]


OF_A_CLASS = [
    *people_urls.IN_A_CLASS,
    *work_urls.IN_A_CLASS,
    *week_urls.IN_A_CLASS,
    *item_urls.IN_A_CLASS,
]
FILES, DEEDS = (".csv", ".json", ".zip"), ("/do/", "/apply/", "/deeds/")


def class_pages(site, page: Page, *, every: bool) -> list[str]:
    """Make a class with work in it and return its pages, with one of a person and one attempt."""
    name = new_slug("class")
    site.manage("demo_class", "--people", "3", "--name", name)
    start = f"/teach/classes/{name}/"
    found = [f"{start}{one}" for one in CLASS_PAGES]
    lists = ["attempts/"]
    if every:
        lists += ["people/", "assignments/", "marks/"]
        routes = [str(one.pattern) for one in OF_A_CLASS]
        plain = [one for one in routes if "<" not in one and not one.endswith(FILES)]
        found += [f"{start}{one}" for one in plain if not one.endswith(DEEDS)]
        page.goto(f"{site.url}{start}items/")
        answers = page.locator("main a[href*='/answers/']").first.get_attribute("href")
        found.append(answers or "")
        asked = page.request.get(f"{site.url}{start}items.json").json()["items"][0]["question"]
        found.append(teach(f"questions/{asked}/regrade/?version=1&rule=drop&class={name}"))
        found.append(teach(f"exercises/sinusoidal-table/regrade/?class={name}"))
    for one in lists:  # the first thing of each list
        page.goto(f"{site.url}{start}{one}")
        first = page.locator(f"main table a[href^='{start}{one}']").first
        found.append(first.get_attribute("href") or "")
    return found


def submitted(site, page: Page, code: str) -> int:
    """Submit code as a visitor, wait for its verdict, and return the submission's number."""
    page.goto(site.url + EXERCISE)
    page.get_by_label("Plain text field").check()
    page.get_by_label("Your code").fill(code)
    page.get_by_role("button", name="Submit", exact=True).click()
    expect(page.locator("#verdict [data-verdict]")).to_be_visible()
    address = page.locator("#verdict .meta a").first.get_attribute("href")
    assert address is not None
    return int(address.rstrip("/").rpartition("/")[2])


def met_attempt(site, page: Page) -> None:
    """Take a quiz as a visitor, with the first option everywhere."""
    page.goto(site.url + at("/quiz/test-your-understanding/"))
    page.get_by_role("button", name="Start").click()
    expect(page.locator("fieldset.question")).to_have_count(8)
    for question in page.locator("fieldset.question").all():
        question.locator("input[type=radio]").first.check()
    page.get_by_role("button", name="Submit", exact=True).click()
    expect(page.get_by_role("heading", level=1)).to_contain_text("of 8 right")


def wrong_with(page: Page, *, every_look: bool) -> list[str]:
    """Return what is wrong with the page that is open, wide and on a phone; wide again after."""
    wrong = faults_of(page, (WIDE, PHONE), contrast=True, every_look=every_look)
    page.set_viewport_size(WIDE[1])
    page.emulate_media(color_scheme=WIDE[2])
    return wrong


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
def test_a_failure_of_ours_is_found_and_graded_anew(site, new_page):
    number = submitted(site, new_page(), RIGHT)
    site.manage("shell", "-c", OUR_FAULT.format(number=number))
    page = sign_in(site, new_page())
    page.get_by_text("instructor").first.click()
    page.get_by_role("link", name="Teach").click()
    expect(page.get_by_text("Sandbox verified at")).to_be_visible()
    row = page.get_by_role("row").filter(has_text="the disk was full")
    row.get_by_role("button", name=f"Grade anew (submission {number})").click()
    expect(page.get_by_text(f"Submission {number} waits to be graded anew.")).to_be_visible()
    page.goto(f"{site.url}/teach/")
    expect(page.get_by_text("Nothing to do")).to_be_visible()


def press_and_look_until_focused(page: Page, selector: str) -> None:
    """Press Tab until the element is focused; everything on the way shows its focus."""

    def look() -> None:
        here = page.evaluate(FOCUSED)
        assert here["seen"] or here["inBody"], f"{here['what']} has no visible focus"

    press_until_focused(page, selector, look=look)


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


def mark_anew(page: Page, note: str) -> None:
    """By keyboard: give the question that is open another key, and follow what its page offers."""
    press_and_look_until_focused(page, "[name=key]:checked")
    page.keyboard.press("ArrowDown")
    press_and_look_until_focused(page, "button[value=publish]")
    page.keyboard.press("Enter")
    expect(page.get_by_text("2 answers were marked by version 1")).to_be_visible()
    press_and_look_until_focused(page, "a[href*='/regrade/']")
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="Preview")).to_be_visible()
    rows = page.get_by_role("region", name="How answers change").locator("tbody tr")
    expect(rows).to_have_text(["1rightnot right", "1not rightright"])
    assert wrong_with(page, every_look=False) == []
    press_and_look_until_focused(page, "#note")
    page.keyboard.type(note)
    press_and_look_until_focused(page, "button[value=apply]")
    page.keyboard.press("Enter")
    expect(page.get_by_text("Done: 2 answers marked anew.")).to_be_visible()
    expect(page.locator(".messages")).to_be_focused()


def test_what_the_class_chose_stands_beside_the_question_and_a_wrong_key_is_put_right(
    site, new_page
):
    page = sign_in(site, new_page(color_scheme="light", reduced_motion="reduce"))
    slug = published_question(site, page, "Which wave is the longest?")
    begin(page, site.url + teach("quizzes/"), new_slug("class"))
    quiz = page.get_by_role("heading", level=1).inner_text()
    page.get_by_label("Title").fill("Of the class")
    page.get_by_label("Summary").fill("One question.")
    add_question(page, slug)
    page.get_by_role("button", name="Publish").click()
    expect(page.get_by_text("learners find it with 1 question")).to_be_visible()
    learners = []
    for right in (True, False):
        learner = new_page()
        learners.append(learner)
        learner.goto(site.url + at(f"/quiz/{quiz}/"))
        learner.get_by_role("button", name="Start").click()
        choices = learner.locator("label.choice")
        (choices.filter(has_text="π") if right else choices.filter(has_not_text="π")).click()
        learner.get_by_role("button", name="Submit", exact=True).click()
        expect(learner.get_by_role("heading", level=1)).to_contain_text("of 1 right")
    page.goto(site.url + teach(f"class/?quiz={quiz}"))
    row = page.get_by_role("row").filter(has_text=slug)
    expect(row).to_contain_text("50 %")
    expect(row).to_contain_text("1 of 2")
    page.goto(site.url + teach(f"questions/{slug}/"))
    expect(page.get_by_role("region", name="Table of answers")).to_contain_text("50 %")
    mark_anew(page, "The key was *wrong*.")
    for learner, told in zip(
        learners, ("does not count as right any more", "counts as right now"), strict=True
    ):
        learner.reload()
        expect(learner.get_by_text(f"your answer {told}")).to_be_visible()
        expect(learner.locator(".notice em")).to_have_text("wrong")
    assert wrong_with(learners[0], every_look=False) == []
    press_and_look_until_focused(page, "form[action*='/undo/'] button")
    page.keyboard.press("Enter")
    expect(page.get_by_text("Undone: 2 answers count as before.")).to_be_visible()
    learners[0].reload()
    expect(learners[0].get_by_text("1 of 1 right")).to_be_visible()
    expect(learners[0].get_by_text("Corrected on")).to_have_count(0)
