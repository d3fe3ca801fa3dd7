"""What a student does on a first evening, in a real browser against the real site and worker."""

import re

import pytest
from playwright.sync_api import Page, expect

from tests.accessible import serious_findings
from tests.browser import each, press_until_focused, sideways_scroll
from tests.courses import at

pytestmark = pytest.mark.slow
# What a page asks of the database is asked beside it, in the rooms' own tests, on both.
ANY_DATABASE = pytest.mark.both_databases(postgresql="soak")

STEP = at("/learn/sinusoidal-values/seeing-it/")
QUIZ = at("/quiz/test-your-understanding/")
EXERCISE = at("/exercises/sinusoidal-table/")

RIGHT = """import numpy as np

def sinusoidal_table(n, d, base=10000.0):
    columns = np.arange(d)
    angles = np.arange(n)[:, None] / base ** ((columns - columns % 2) / d)
    return np.where(columns % 2, np.cos(angles), np.sin(angles))
"""
SWAPPED = RIGHT.replace("np.cos(angles), np.sin(angles)", "np.sin(angles), np.cos(angles)")
CONCATENATED = """import numpy as np

def sinusoidal_table(n, d, base=10000.0):
    angles = np.arange(n)[:, None] / base ** (np.arange(0, d, 2) / d)
    return np.concatenate([np.sin(angles), np.cos(angles)[:, : d // 2]], axis=1)
"""


def answer_all(page: Page) -> int:
    """Choose the first option of every question; return how many there are."""
    questions = page.locator("fieldset.question")
    for question in each(questions):
        question.locator("input[type=radio]").first.check()
    return questions.count()


def verdict_of(page: Page, code: str, button: str) -> None:
    """Put code into the form, press the button and wait for the verdict."""
    code_tab = page.get_by_role("tab", name="Code")  # on a phone
    if code_tab.is_visible():
        code_tab.click()
    page.get_by_label("Plain text field").check()
    page.get_by_label("Your code").fill(code)
    page.get_by_role("button", name=button, exact=True).click()


def assert_usable_on_a_phone(page: Page) -> None:
    """Look at the page that is open on a phone, and go on with a wide screen."""
    page.set_viewport_size({"width": 390, "height": 844})
    assert (serious_findings(page), sideways_scroll(page)) == ([], 0)
    page.set_viewport_size({"width": 1280, "height": 800})


@pytest.mark.soak
def test_reading_and_dragging_a_slider_by_keyboard(site, page):
    page.goto(site.url + STEP)
    slider = page.get_by_role("slider", name="d_model", exact=True).first
    picture = page.locator("figure img, .figure img").first
    before, description = picture.get_attribute("src"), picture.get_attribute("alt")
    assert description
    slider.focus()
    for _ in range(5):
        page.keyboard.press("ArrowRight")
    value = slider.input_value()
    expect(page).to_have_url(re.compile(rf"d_model={value}\b"))
    expect(picture).not_to_have_attribute("src", before)
    page.reload()
    assert slider.input_value() == value


@pytest.mark.soak
def test_a_bad_parameter_is_shown_beside_its_slider(site, page, page_errors):
    page_errors.allow("status of 400")
    page.goto(site.url + STEP)
    address = page.url
    answer = page.request.get(f"{site.url}/figures/sinusoidal/heatmap.json?d_model=-3")
    assert answer.status == 400
    assert "d_model" in answer.json().get("errors", answer.json())
    key = page.locator("input[type=range]").first.get_attribute("name")
    page.goto(f"{address}?{key}=999999")
    expect(page.get_by_text(re.compile("=999999: must be between"))).to_be_visible()


@ANY_DATABASE
def test_quiz_survives_reload_is_submitted_once_and_kept_by_signup(site, page):
    page.goto(site.url + QUIZ)
    page.get_by_role("button", name="Start").click()
    expect(page.locator("fieldset.question")).to_have_count(8)
    page.locator("fieldset.question").nth(2).locator("input[type=radio]").nth(1).check()
    expect(page.locator("#saved-state")).to_have_text("saved")
    order = page.locator("fieldset.question").all_inner_texts()
    page.reload()
    assert page.locator("fieldset.question").all_inner_texts() == order
    assert page.locator("fieldset.question").nth(2).locator("input[type=radio]").nth(1).is_checked()
    page.get_by_role("button", name="Submit").click()
    expect(page.get_by_role("alert")).to_contain_text("7 questions are not answered")
    assert_usable_on_a_phone(page)
    answer_all(page)
    page.get_by_role("button", name="Submit", exact=True).dblclick()
    expect(page.get_by_role("heading", level=1)).to_contain_text("of 8 right")
    expect(page.locator(".reason")).to_have_count(32)
    assert_usable_on_a_phone(page)
    review = page.url
    page.go_back()
    page.goto(site.url + QUIZ)
    expect(page.get_by_text("Taken 1 time")).to_be_visible()
    page.goto(site.url + "/accounts/signup/")
    page.locator("input[name=username]").fill(f"ada-{review.split('/')[-3]}")
    page.locator("input[name=password1]").fill("difference engine 2")
    page.locator("main button[type=submit]").click()
    expect(page).not_to_have_url(re.compile("signup"))
    page.goto(review)
    expect(page.get_by_role("heading", level=1)).to_contain_text("of 8 right")


@ANY_DATABASE
def test_two_tabs_of_one_attempt(site, page, page_errors):
    page_errors.allow("status of 409")
    page.goto(site.url + QUIZ)
    page.get_by_role("button", name="Start").click()
    page.wait_for_url("**/attempt/**")
    stale = page.context.new_page()
    stale.goto(page.url)
    answer_all(page)
    page.get_by_role("button", name="Submit", exact=True).click()
    expect(page.get_by_role("heading", level=1)).to_contain_text("of 8 right")
    stale.locator("input[type=radio]").nth(1).check()
    expect(stale.get_by_text("has been submitted, perhaps in another tab")).to_be_visible()
    stale.get_by_role("link", name="See the review.").click()
    expect(stale.get_by_role("heading", level=1)).to_contain_text("of 8 right")


@pytest.mark.soak
def test_choices_made_offline_are_sent_when_the_connection_is_back(site, page, page_errors):
    page_errors.allow("ERR_INTERNET_DISCONNECTED")
    page.goto(site.url + QUIZ)
    page.get_by_role("button", name="Start").click()
    page.wait_for_url("**/attempt/**")  # loaded, with its scripts
    page.context.set_offline(True)
    page.locator("fieldset.question").first.locator("input[type=radio]").first.check()
    expect(page.get_by_text("No connection. Your choices are still on this page.")).to_be_visible()
    page.context.set_offline(False)
    expect(page.locator("#saved-state")).to_have_text("saved")
    page.reload()
    assert page.locator("fieldset.question").first.locator("input[type=radio]").first.is_checked()


@ANY_DATABASE
@pytest.mark.sandbox
def test_a_wrong_submission_is_named_and_a_right_one_is_right(site, page):
    page.goto(site.url + EXERCISE)
    verdict = page.locator("#verdict")
    verdict_of(page, SWAPPED, "Submit")
    expect(verdict).to_contain_text("known mistake", timeout=90_000)
    expect(verdict).to_contain_text("Smallest failing input")
    expect(verdict).to_contain_text("sinusoidal_table(")
    assert verdict.locator("img").count() >= 3
    assert_usable_on_a_phone(page)
    link = verdict.get_by_role("link", name="Read the step that explains it")
    assert at("/learn/sinusoidal-values/") in link.get_attribute("href")
    link.click()
    explanation = page.get_by_role("tabpanel", name="Explanation")
    expect(explanation.get_by_role("heading", level=2).first).to_be_visible()
    expect(explanation.locator("[data-figure].live--on").first).to_be_attached()
    assert page.url == site.url + EXERCISE  # which no figure of the explanation writes into
    assert_usable_on_a_phone(page)
    verdict_of(page, CONCATENATED, "Submit")
    expect(verdict).to_contain_text("convention", timeout=15_000)
    verdict_of(page, RIGHT, "Check")
    expect(verdict).to_contain_text("shown cases pass", timeout=15_000)
    verdict_of(page, RIGHT, "Submit")
    expect(verdict.locator("[data-verdict=correct]")).to_be_visible(timeout=15_000)
    page.reload()
    expect(page.get_by_role("table").last).to_contain_text("known mistake")


@pytest.mark.soak
@pytest.mark.sandbox
def test_their_error_names_their_line(site, page):
    page.goto(site.url + EXERCISE)
    verdict_of(page, "def sinusoidal_table(n, d, base):\n    return undefined_name\n", "Submit")
    expect(page.locator("#verdict")).to_contain_text("undefined_name", timeout=15_000)
    expect(page.locator("#verdict")).to_contain_text("line 2")


@pytest.mark.soak
@pytest.mark.sandbox
def test_from_home_to_a_graded_exercise_by_keyboard_alone(site, page):
    page.goto(site.url)
    page.keyboard.press("Tab")
    assert page.locator("a.skip-link:focus").count()
    press_until_focused(page, "header a[href$='/exercises/']")
    page.keyboard.press("Enter")
    press_until_focused(page, f"main a[href='{EXERCISE}']")
    page.keyboard.press("Enter")
    press_until_focused(page, ".cm-content")
    page.keyboard.press("Escape")  # from then on Tab leaves the editor
    press_until_focused(page, "#editor-switch")
    page.keyboard.press("Space")
    expect(page.locator("#id_code")).to_be_focused()
    page.keyboard.press("ControlOrMeta+A")
    page.keyboard.insert_text(RIGHT)
    page.keyboard.press("ControlOrMeta+Shift+Enter")
    expect(page.locator("#verdict [data-verdict=correct]")).to_be_visible(timeout=15_000)


@pytest.mark.soak
def test_the_quiz_by_keyboard_alone(site, page):
    page.goto(site.url + QUIZ)
    press_until_focused(page, "main button")
    page.keyboard.press("Enter")
    expect(page.locator("fieldset.question").first).to_be_visible()
    for _ in range(8):
        page.keyboard.press("Tab")
        while not page.locator("input[type=radio]:focus").count():
            page.keyboard.press("Tab")
        page.keyboard.press("Space")
    expect(page.get_by_text("8 of 8 answered")).to_be_visible()
    press_until_focused(page, "button[value=submit]", most=5)
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", level=1)).to_contain_text("of 8 right")


@pytest.mark.soak
@pytest.mark.sandbox
def test_without_a_script_reading_quiz_and_code_work(site, new_page):
    page = new_page(java_script_enabled=False)
    page.goto(site.url + STEP)
    expect(page.locator("figure img, .figure img").first).to_be_visible()
    page.locator(".inline-question input[type=radio]").first.check()
    page.locator(".inline-question button").first.click()
    expect(page.locator(".inline-question").first).to_contain_text("Your answer")
    page.goto(site.url + QUIZ)
    page.get_by_role("button", name="Start").click()
    page.wait_for_url("**/attempt/**")
    answer_all(page)
    page.get_by_role("button", name="Submit", exact=True).click()
    expect(page.get_by_role("heading", level=1)).to_contain_text("of 8 right")
    page.goto(site.url + EXERCISE)
    page.get_by_label("Your code").fill(SWAPPED)
    page.get_by_role("button", name="Submit", exact=True).click()
    for _ in range(100):
        if page.get_by_text("known mistake").count():
            break
        page.wait_for_timeout(300)
        page.reload()
    expect(page.get_by_text("known mistake").first).to_be_visible()


@pytest.mark.soak  # by day the journeys look at the pages on which they are
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_pages_on_the_way_are_accessible_and_fit_a_phone(site, new_page, scheme):
    page = new_page(viewport={"width": 390, "height": 844}, color_scheme=scheme)
    page.goto(site.url + QUIZ)
    page.get_by_role("button", name="Start").click()
    page.wait_for_url("**/attempt/**")
    attempt = page.url.removeprefix(site.url)
    found = {}
    for address in [STEP, at("/progress/"), attempt]:
        page.goto(site.url + address)
        found[address] = (serious_findings(page), sideways_scroll(page))
    answer_all(page)
    page.get_by_role("button", name="Submit", exact=True).click()
    expect(page).to_have_url(re.compile("/review/"))
    found["review"] = (serious_findings(page), sideways_scroll(page))
    page.goto(site.url + EXERCISE)
    verdict_of(page, SWAPPED, "Submit")
    page.locator("#verdict [data-verdict=known_mistake]").wait_for(timeout=15_000)
    found["verdict"] = (serious_findings(page), sideways_scroll(page))
    assert {address: faults for address, faults in found.items() if faults != ([], 0)} == {}
