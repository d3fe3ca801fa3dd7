"""The hand of the lab in Chromium: runs that wait, connections that fail, what a reader types."""

import re
from typing import Any

import pytest
from django.test import Client
from playwright.sync_api import Page, Route, expect

from tests import factories
from tests.browser import PageErrors
from tests.study.lab.lab_runs import LAB, a_table, page_of, run

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
WAITS = """<h2 id="result-heading">Running</h2>
<section data-ask="{ask}" data-ask-after-ms="{ms}"><p>{words}</p></section>"""
POST = re.compile(rf"{LAB}$")
POLL = re.compile(rf"{LAB}999/")


@pytest.fixture
def browser() -> Client:
    return factories.create_browser("ada")


@pytest.fixture
def result(browser: Client, page: Page, live_server: Any) -> str:
    """The page of a run is open; return the result of a run as its script takes it."""
    row = run(browser, a_table(8, 4))
    session = {"name": "sessionid", "value": browser.cookies["sessionid"].value}
    page.context.add_cookies([{**session, "url": live_server.url}])  # type: ignore[typeddict-item]
    page.goto(f"{live_server.url}{page_of(row)}")
    page.locator("#hand-n").wait_for()
    return browser.get(page_of(row), headers={"HX-Request": "true"}).content.decode()


def answer_posts(page: Page, html: str) -> list[Route]:
    """Answer each post of the hand with HTML; return the posts."""
    posts: list[Route] = []

    def answer(route: Route) -> None:
        posts.append(route)
        route.fulfill(body=html, content_type="text/html")

    page.route(POST, answer)
    return posts


def test_failed_poll_loses_no_run(page: Page, page_errors: PageErrors, result: str) -> None:
    page_errors.allow("ERR_FAILED|503")
    polls: list[str] = []

    def poll(route: Route) -> None:
        polls.append(route.request.url)
        if len(polls) == 1:
            route.abort()
        elif len(polls) == 2:
            route.fulfill(status=503, body="")
        else:
            route.fulfill(body=result, content_type="text/html")

    posts = answer_posts(page, WAITS.format(ask=f"{LAB}999/", ms=20, words="Your code is next."))
    page.route(POLL, poll)
    page.locator("#hand-n").press("End")
    expect(page.locator("#result")).to_have_attribute("aria-busy", "true")
    expect(page.locator("#result")).not_to_have_attribute("aria-busy", "true", timeout=15_000)
    assert (len(posts), len(polls)) == (1, 3)
    expect(page.locator("[data-problem]")).to_be_hidden()


def test_run_that_waits_says_why(page: Page, result: str) -> None:
    """The page is no longer busy, and takes newer wishes."""
    off = "Grading is off, so no code runs now."
    waits = WAITS.format(ask=f"{LAB}999/", ms=20_000, words=off)
    answer_posts(page, waits)
    page.locator("#hand-n").press("End")
    expect(page.locator("#result-body")).to_contain_text(off)
    expect(page.locator("#result-status")).to_have_text(f"Running. {off}")
    expect(page.locator("#result")).not_to_have_attribute("aria-busy", "true")
    page.unroute(POST)
    answer_posts(page, result)
    page.locator("#hand-n").press("Home")
    expect(page.locator("#result-heading")).to_have_text("What it returns")


def test_result_leaves_typed_words(page: Page, result: str) -> None:
    """A name that is half typed stays, with the caret in it; so does the other size."""
    held: list[Route] = []

    def hold(route: Route) -> None:
        held.append(route)

    page.route(POST, hold)
    page.locator("#id_d").fill("9")
    expect(page.locator("#hand-d")).to_have_value("9")
    page.locator("#hand-n").press("End")
    page.wait_for_function("() => document.querySelector('#result').ariaBusy === 'true'")
    page.locator("#id_name").press_sequentially("wav")
    while not held:
        page.wait_for_timeout(50)
    assert 'name="d"\r\n\r\n9\r\n' in (held[0].request.post_data or "")
    page.evaluate("document.querySelector('#result-heading').dataset.old = ''")
    held[0].fulfill(body=result, content_type="text/html")
    page.locator("#result-heading:not([data-old])").wait_for()
    expect(page.locator("#id_name")).to_have_value("wav")
    expect(page.locator("#id_name")).to_be_focused()
    assert page.locator("#id_d").input_value() == "9"


def test_run_waits_after_the_hand(page: Page, result: str) -> None:
    """Pressed within a second of the hand's run, it is sent when code may run again."""
    posts = answer_posts(page, result)
    page.locator("#hand-n").press("End")
    expect(page.locator("#result")).not_to_have_attribute("aria-busy", "true")
    assert len(posts) == 1
    with page.expect_event("load"):  # the address may change before, within the page
        page.get_by_role("button", name="Run", exact=True).click()
    first, second = (post.request.timing["startTime"] for post in posts)
    assert second - first >= 1000
