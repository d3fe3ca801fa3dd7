"""Coming back to what was missed: by keyboard, in two tabs, with Back, without JavaScript."""

import re

import pytest
from playwright.sync_api import Page, expect

from tests.accessible import findings
from tests.browser import sideways_scroll
from tests.courses import at

pytestmark = pytest.mark.slow

STEP = at("/learn/sinusoidal-values/the-formula/") + "#2"  # its second screen
QUESTION = "#question-row-zero"
QUIZ = at("/quiz/fresh-numbers/")
NEVER_RIGHT = "-1500"  # whatever was drawn; a wavelength of 1490 positions once accepted 1500
A_DAY_EARLIER = """
from datetime import timedelta
from django.db.models import F
from quizzes.learners.models import ReviewCard
ReviewCard.objects.update(due_at=F("due_at") - timedelta(days=1))
"""


def miss_row_zero(site, page: Page) -> None:
    """Answer the question of the step wrong."""
    page.goto(site.url + STEP)
    card = page.locator(QUESTION)
    card.get_by_text("[1, 0, 1, 0]").click()
    card.get_by_role("button", name="Answer").click()
    expect(page.locator(QUESTION)).to_contain_text("Not right")


def let_a_day_pass(site) -> None:
    """What was missed is due the next day: have it missed a day earlier."""
    site.run(A_DAY_EARLIER)


def start_fresh_numbers(site, page: Page) -> None:
    """Begin the quiz of generated questions, whose numbers a settled site has drawn."""
    page.goto(site.url + QUIZ)
    page.get_by_role("button", name="Start").click()
    page.wait_for_url("**/attempt/**")


def numbers(page: Page):
    return page.get_by_label("Your number")


def test_a_missed_question_comes_back_and_is_answered_by_keyboard(site, page):
    miss_row_zero(site, page)
    let_a_day_pass(site)
    page.goto(site.url + at("/progress/"))
    page.get_by_role("link", name=re.compile(r"Review 1")).focus()
    page.keyboard.press("Enter")
    page.wait_for_url("**/review/")
    expect(page.get_by_role("heading", level=1)).to_have_text("Review")
    page.get_by_label("[0, 1, 0, 1]").focus()
    page.keyboard.press("Space")
    page.keyboard.press("Enter")
    page.wait_for_url("**/review/answers/**")
    expect(page.get_by_role("heading", level=1)).to_have_text("Right")
    expect(page.get_by_role("link", name=re.compile("Review 1"))).to_have_count(0)


@pytest.mark.soak
def test_the_back_button_after_a_review_counts_nothing_twice(site, page):
    miss_row_zero(site, page)
    let_a_day_pass(site)
    page.goto(site.url + "/review/")
    page.get_by_label("[0, 1, 0, 1]").check()
    page.get_by_role("button", name="Answer").click()
    page.wait_for_url("**/review/answers/**")
    page.go_back()
    if page.get_by_role("button", name="Answer").count():  # the browser kept the old page
        page.get_by_label("[0, 1, 0, 1]").check()
        page.get_by_role("button", name="Answer").click()
        expect(page.get_by_text("You have already answered that one")).to_be_visible()
    expect(page.get_by_text("Nothing is due right now")).to_be_visible()


@pytest.mark.soak
def test_a_number_typed_in_one_tab_shows_in_the_other(site, page, page_errors):
    start_fresh_numbers(site, page)
    other = page.context.new_page()
    page_errors.watch(other)
    other.goto(page.url)
    numbers(page).first.fill("2*pi")
    expect(numbers(other).first).to_have_value("2*pi")
    expect(other.locator("#answered")).to_have_text(re.compile("^1 of"))
    other.reload()
    expect(numbers(other).first).to_have_value("2*pi")


def test_a_comma_that_can_mean_two_things_is_said_kept_and_mended(site, page):
    start_fresh_numbers(site, page)
    numbers(page).first.fill("1,500")
    expect(page.get_by_text("“1,500” can mean two numbers")).to_be_visible()
    expect(page.locator("#answered")).to_have_text(re.compile("^0 of"))
    page.reload()
    expect(numbers(page).first).to_have_value("1,500")
    numbers(page).first.fill("1,5")
    expect(page.get_by_text("Read as 1.5.")).to_be_visible()
    expect(page.locator("#answered")).to_have_text(re.compile("^1 of"))
    expect(page.get_by_text("can mean two numbers")).to_have_count(0)
    page.reload()
    expect(page.get_by_text("Read as 1.5.")).to_be_visible()


@pytest.mark.soak
def test_why_a_number_is_not_read_is_in_sight_above_the_bar(site, page):
    page.set_viewport_size({"width": 1280, "height": 560})
    start_fresh_numbers(site, page)
    field = numbers(page).first
    # As low as Tab leaves it: just above the bar.
    field.evaluate("(one) => scrollBy(0, one.getBoundingClientRect().bottom - innerHeight + 75)")
    field.focus()
    field.evaluate("(one) => scrollBy(0, one.getBoundingClientRect().bottom - innerHeight + 75)")
    page.keyboard.type("1,500")
    says = page.locator(".number-answer__says").first
    expect(says).to_contain_text("can mean two numbers")
    page.wait_for_timeout(200)
    text, bar = says.bounding_box(), page.locator(".attempt__end").bounding_box()
    assert text is not None
    assert bar is not None
    assert text["y"] + text["height"] <= bar["y"]


@pytest.mark.soak
def test_without_javascript_a_number_is_answered_reviewed_and_asked_again(site, new_page):
    page = new_page(java_script_enabled=False)
    start_fresh_numbers(site, page)
    numbers(page).first.fill("1,500")
    page.get_by_role("button", name="Submit", exact=True).click()
    expect(page.get_by_text("what you typed could not be read as a number")).to_be_visible()
    expect(numbers(page).first).to_have_value("1,500")
    numbers(page).first.fill(NEVER_RIGHT)  # read, and wrong: what was not read was not missed
    page.get_by_role("button", name="Submit anyway").click()
    expect(page.get_by_text("Accepted:").first).to_be_visible()
    let_a_day_pass(site)
    page.get_by_role("link", name=re.compile("^Review")).click()
    page.wait_for_url("**/review/")
    expect(page.get_by_role("button", name="Answer")).to_be_visible()


@pytest.mark.soak
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_pages_are_accessible_and_fit_a_phone(site, new_page, scheme):
    page = new_page(color_scheme=scheme)
    start_fresh_numbers(site, page)
    attempt = page.url
    page.goto(site.url + at("/practice/which-heatmap/"))
    page.get_by_role("radio").first.check()
    page.get_by_role("button", name="Answer").click()
    page.wait_for_url("**/review/answers/**")
    answered = page.url
    miss_row_zero(site, page)
    here = (
        "/review/",
        at("/practice/which-heatmap/"),
        at("/practice/ntk-base/"),
        at("/progress/"),
        "/me/data/",
    )
    wrong = []
    for address in (attempt, answered, *(site.url + path for path in here)):
        page.set_viewport_size({"width": 1280, "height": 800})
        page.goto(address)
        wrong += [f"{address}: {found}" for found in findings(page)]
        page.set_viewport_size({"width": 390, "height": 844})
        if over := sideways_scroll(page):
            wrong.append(f"{address}: {over} px too wide")
    assert wrong == []


@pytest.mark.soak
def test_my_data_is_downloaded_and_then_deleted(site, page):
    miss_row_zero(site, page)
    page.goto(site.url + "/me/data/")
    with page.expect_download() as download:
        page.get_by_role("link", name="Download everything (JSON)").click()
    assert "row-zero" in download.value.path().read_text()
    page.get_by_label("Type “delete” to confirm").fill("delete")
    page.get_by_role("button", name="Delete what is stored about me").click()
    expect(page.get_by_text("The data that identifies you has been deleted.")).to_be_visible()
    page.goto(site.url + "/me/data/")
    expect(page.get_by_text("Nothing is stored about you yet")).to_be_visible()
