"""Autosave in a real browser: slow and lost connections, two tabs, a closed browser, new tokens."""

import time

import pytest
from playwright.sync_api import expect

from tests.courses import at

pytestmark = pytest.mark.slow

QUIZ = at("/quiz/test-your-understanding/")


def radio(page, question, option):
    return page.locator("fieldset.question").nth(question).locator("input[type=radio]").nth(option)


def state(page):
    return page.locator("#saved-state")


@pytest.fixture
def attempt(site, page):
    """A page with a fresh attempt."""
    page.goto(site.url + QUIZ)
    page.get_by_role("button", name="Start").click()
    page.wait_for_url("**/attempt/**")
    return page


@pytest.mark.soak
def test_of_many_quick_choices_the_last_one_is_kept(attempt):
    for turn in range(8):
        radio(attempt, 0, turn % 4).check()
    radio(attempt, 0, 2).check()
    expect(state(attempt)).to_have_text("saved")
    attempt.reload()
    expect(radio(attempt, 0, 2)).to_be_checked()


def test_a_choice_still_on_its_way_does_not_overtake_the_submitted_one(attempt):
    def slowly(route):
        if route.request.method == "POST":
            time.sleep(0.4)
        route.continue_()

    attempt.route("**/attempt/*/", slowly)
    radio(attempt, 4, 0).check()
    radio(attempt, 4, 3).check()
    attempt.get_by_role("button", name="Submit", exact=True).click()
    attempt.wait_for_url("**blank=1*")
    expect(radio(attempt, 4, 3)).to_be_checked()


def test_submitting_offline_says_so_and_keeps_the_page(attempt, page_errors):
    page_errors.allow("ERR_INTERNET_DISCONNECTED")
    attempt.context.set_offline(True)
    radio(attempt, 0, 1).check()
    attempt.get_by_role("button", name="Submit", exact=True).click()
    expect(attempt.locator("#offline")).to_contain_text("nothing on this page is lost")
    expect(state(attempt)).to_contain_text("Your choices are still on this page")
    attempt.context.set_offline(False)
    expect(state(attempt)).to_have_text("saved")


def test_a_choice_made_offline_outlives_its_page(attempt, page_errors):
    page_errors.allow("ERR_INTERNET_DISCONNECTED")
    context, address = attempt.context, attempt.url
    context.set_offline(True)
    radio(attempt, 0, 1).check()
    expect(state(attempt)).to_contain_text("Your choices are still on this page")
    attempt.close()
    context.set_offline(False)
    again = context.new_page()
    again.goto(address)
    expect(state(again)).to_have_text("saved")
    assert again.evaluate("Object.keys(localStorage)") == []
    again.reload()
    expect(radio(again, 0, 1)).to_be_checked()


@pytest.mark.soak
def test_two_tabs_show_the_same_choices(attempt):
    other = attempt.context.new_page()
    other.goto(attempt.url)
    radio(other, 3, 1).check()
    expect(radio(attempt, 3, 1)).to_be_checked()
    expect(state(attempt)).to_have_text("changed in another tab")
    expect(attempt.locator("#answered")).to_have_text("1 of 8 answered")


@pytest.mark.soak
def test_signing_up_in_another_tab_does_not_stop_the_saving(site, attempt):
    """Signing up gives the browser a new CSRF token and the attempt to the account."""
    other = attempt.context.new_page()
    other.goto(site.url + "/accounts/signup/")
    other.get_by_label("User name").fill(f"mary-{time.monotonic_ns()}")
    other.locator("input[name=password1]").fill("difference engine 2")
    other.locator("main button[type=submit]").click()
    expect(other).to_have_url(site.url + "/")
    radio(attempt, 0, 1).check()
    expect(state(attempt)).to_have_text("saved")
    attempt.get_by_role("button", name="Submit", exact=True).click()
    expect(attempt.get_by_role("alert")).to_contain_text("7 questions are not answered")


@pytest.mark.soak
def test_after_signing_out_elsewhere_the_page_says_what_to_do(site, attempt, page_errors):
    page_errors.allow("status of 404")
    attempt.context.clear_cookies(name="learner")
    radio(attempt, 0, 1).check()
    expect(state(attempt)).to_contain_text("Did you sign out?")


@pytest.mark.soak
def test_coming_back_after_submitting_shows_the_review(attempt):
    attempt.get_by_role("button", name="Submit", exact=True).click()
    attempt.get_by_role("button", name="Submit anyway").click()
    expect(attempt.get_by_role("heading", level=1)).to_have_text("0 of 8 right")
    attempt.go_back()
    expect(attempt.get_by_role("heading", level=1)).to_have_text("0 of 8 right")
