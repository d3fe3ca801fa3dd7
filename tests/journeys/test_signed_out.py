"""The session is gone when a button is pressed: a browser signs in again and finds its work."""

import re

import pytest
from playwright.sync_api import Page, Route, expect

from tests.browser import each, sideways_scroll
from tests.courses import at
from tests.teaching.browsing import (
    begin,
    forget_sign_in,
    new_slug,
    sign_in,
    sign_in_on_this_page,
)
from tests.teaching.forms import teach
from tests.whole_site import Site

pytestmark = pytest.mark.slow

QUIZ = at("/quiz/test-your-understanding/")
EXERCISE = at("/exercises/sinusoidal-table/")
PASSWORD = "a-long-enough-word"
BACK = "has been restored in this form"

END_SESSION = """
from django.contrib.sessions.models import Session
key = {key!r}
assert Session.objects.filter(session_key=key).delete()[0]
"""


def end_session(site: Site, page: Page) -> None:
    """Delete the session of this browser on the server; the browser knows nothing of it."""
    cookies = page.context.cookies()
    key = next(one["value"] for one in cookies if one["name"] == "sessionid")
    site.run(END_SESSION.format(key=key))


def new_account(site: Site, page: Page) -> str:
    name = new_slug("signed-out")
    page.goto(site.url + "/accounts/signup/")
    page.get_by_label("User name").fill(name)
    page.get_by_label("Password", exact=True).fill(PASSWORD)
    page.get_by_role("button", name="Sign up").click()
    page.wait_for_url(site.url + "/")
    return name


def sign_in_in_another_tab(site: Site, page: Page, name: str) -> None:
    tab = page.context.new_page()
    tab.goto(site.url + "/accounts/login/")
    tab.get_by_label("User name or e-mail address").fill(name)
    tab.get_by_label("Password").fill(PASSWORD)
    tab.locator("main button[type=submit]").click()
    tab.wait_for_url(site.url + "/")


def choose_all(page: Page) -> list[str]:
    """Choose the second option of each question; return the values that are chosen."""
    radios = []
    for question in each(page.locator("fieldset.question")):
        option = question.locator("input[type=radio]").nth(1)
        option.check()
        radios.append(option.get_attribute("value") or "")
    return radios


def begin_quiz(site: Site, page: Page) -> list[str]:
    """Begin a quiz and answer all of it, so that the server hears of no answer."""
    page.goto(site.url + QUIZ)
    page.get_by_role("button", name="Start").click()
    page.wait_for_url("**/attempt/**")
    page.route("**/attempt/*/", without_autosave)
    return choose_all(page)


def without_autosave(route: Route) -> None:
    accepts = route.request.headers.get("accept", "")
    if route.request.method == "POST" and accepts.startswith("application/json"):
        route.fulfill(status=503)
    else:
        route.continue_()


@pytest.mark.parametrize(
    ("width", "script"),
    [
        (390, False),
        *(pytest.param(1280, script, marks=pytest.mark.soak) for script in (True, False)),
    ],
)
def test_answers_come_back_and_submit_counts(site, new_page, page_errors, width, script):
    page_errors.allow("status of 503")
    page = new_page(viewport={"width": width, "height": 844}, java_script_enabled=script)
    name = new_account(site, page)
    chosen = begin_quiz(site, page)
    end_session(site, page)
    if script:
        page.evaluate("localStorage.clear()")  # a browser that keeps nothing
    page.get_by_role("button", name="Submit", exact=True).click()
    sign_in_on_this_page(page, name, PASSWORD)
    expect(page.locator("#came-back")).to_contain_text(BACK)
    for value in chosen:
        expect(page.locator(f"input[type=radio][value='{value}']")).to_be_checked()
    page.get_by_role("button", name="Submit", exact=True).click()
    page.wait_for_url("**/review/")
    expect(page.get_by_role("heading", level=1)).to_have_text(
        re.compile(rf"of {len(chosen)} right")
    )


@pytest.mark.soak  # courses/test_sign_in_again.py has the rule
def test_autosave_sends_what_came_back(site, new_page, page_errors):
    page_errors.allow("status of 503")
    page = new_page()
    name = new_account(site, page)
    chosen = begin_quiz(site, page)
    end_session(site, page)
    page.evaluate("localStorage.clear()")
    page.get_by_role("button", name="Submit", exact=True).click()
    page.unroute("**/attempt/*/")
    sign_in_on_this_page(page, name, PASSWORD)
    expect(page.locator("#saved-state")).to_have_text("saved")
    page.reload()  # without Submit: nothing waits any more, and nothing is lost
    expect(page.locator("#came-back")).to_have_count(0)
    for value in chosen:
        expect(page.locator(f"input[type=radio][value='{value}']")).to_be_checked()


@pytest.mark.soak  # courses/test_sign_in_again.py has the rule
def test_somebody_else_finds_nothing(site, new_page, page_errors):
    page_errors.allow("status of (404|503)")
    page = new_page()
    other, ada = new_account(site, new_page()), new_account(site, page)
    begin_quiz(site, page)
    where = page.url
    end_session(site, page)
    page.get_by_role("button", name="Submit", exact=True).click()
    sign_in_on_this_page(page, other, PASSWORD)
    expect(page.locator(".messages")).to_contain_text("belongs to another account")
    assert page.locator("input[type=radio]").count() == 0
    page.goto(site.url + "/accounts/logout/")
    page.locator("main button[type=submit]").click()
    page.goto(where)
    page.get_by_role("link", name="Sign in").first.click()
    page.get_by_label("User name or e-mail address").fill(ada)
    page.get_by_label("Password").fill(PASSWORD)
    page.locator("main button[type=submit]").click()
    expect(page.locator("input[type=radio]:checked")).to_have_count(0)


@pytest.mark.parametrize("script", [pytest.param(True, marks=pytest.mark.soak), False])
def test_code_comes_back_into_its_field(site, new_page, page_errors, script):
    page_errors.allow("status of 403")  # of a draft that is saved meanwhile
    page = new_page(viewport={"width": 390, "height": 844}, java_script_enabled=script)
    name = new_account(site, page)
    page.goto(site.url + EXERCISE)
    if script:
        page.get_by_role("tab", name="Code").click()
        page.get_by_label("Plain text field").check()
    end_session(site, page)
    code = "x = 1  # <b> & 'more'"
    page.get_by_label("Your code").fill(code)
    page.get_by_role("button", name="Check", exact=True).click()
    sign_in_on_this_page(page, name, PASSWORD)
    expect(page.locator("#came-back")).to_contain_text(BACK)
    expect(page.locator("#id_code")).to_have_value(code)


@pytest.mark.soak  # teaching/test_writing_journeys.py has the rule
def test_question_comes_back_to_its_editor(site, new_page, page_errors):
    page_errors.allow("status of 403")
    page_errors.allow("Status Error Code 403 from .*/preview/")
    page = sign_in(site, new_page(viewport={"width": 390, "height": 844}))
    slug = new_slug("question")
    begin(page, site.url + teach("questions/"), slug)
    end_session(site, page)
    forget_sign_in(site)  # at once: should this test fail, others need not
    page.evaluate("localStorage.clear()")
    page.get_by_label("Question", exact=True).fill("How long <is> it?")
    page.locator("input[name=key]").nth(1).check()
    page.get_by_role("button", name="Save as draft").first.click()
    sign_in_on_this_page(page, *site.login("instructor"))
    expect(page.locator("#came-back")).to_contain_text(BACK)
    assert sideways_scroll(page) == 0
    expect(page.get_by_label("Question", exact=True)).to_have_value("How long <is> it?")
    expect(page.locator("input[name=key]").nth(1)).to_be_checked()
    page.get_by_role("button", name="Save as draft").first.click()
    expect(page.locator(".messages")).to_contain_text("Saved as a draft")


@pytest.mark.soak  # courses/test_sign_in_again.py has the rule
def test_second_sign_in_in_another_tab_loses_nothing(site, new_page):
    page = new_page(java_script_enabled=False)  # a script would renew the token of the form
    name = new_account(site, page)
    chosen = begin_quiz(site, page)
    end_session(site, page)
    sign_in_in_another_tab(site, page, name)
    page.get_by_role("button", name="Submit", exact=True).click()
    expect(page.locator("#came-back")).to_contain_text(BACK)
    for value in chosen:
        expect(page.locator(f"input[type=radio][value='{value}']")).to_be_checked()
    page.get_by_role("button", name="Submit", exact=True).click()
    page.wait_for_url("**/review/")


@pytest.mark.soak
def test_code_comes_back_after_another_tab_signs_in(site, new_page, page_errors):
    page_errors.allow("status of 403")  # of a draft that is saved meanwhile
    page = new_page(viewport={"width": 390, "height": 844})
    name = new_account(site, page)
    page.goto(site.url + EXERCISE)
    page.get_by_role("tab", name="Code").click()
    page.get_by_label("Plain text field").check()
    end_session(site, page)
    sign_in_in_another_tab(site, page, name)
    page.get_by_label("Your code").fill("x = 1")
    page.get_by_role("button", name="Check", exact=True).click()
    expect(page.locator("#came-back")).to_contain_text(BACK)
    expect(page.locator("#id_code")).to_have_value("x = 1")
