"""Without a connection: a page says so, what was typed stays, and nothing leads out of the site."""

import pytest
from playwright.sync_api import expect

from tests.courses import at

pytestmark = pytest.mark.slow

STEP = at("/learn/why-order/other-networks/")


def test_an_answer_waits_for_the_connection_and_links_do_not_lead_away(site, page, page_errors):
    """Also an answer for which the script that sends it was never fetched."""
    page_errors.allow("ERR_INTERNET_DISCONNECTED|htmx:sendError")  # by htmx, where it has come
    page.goto(site.url + STEP, wait_until="networkidle")
    state = page.locator("#offline")
    expect(state).to_be_hidden()
    page.context.set_offline(True)
    expect(state).to_contain_text("You are offline")

    card = page.locator(".inline-question").first
    choice = card.get_by_role("radio").first
    choice.check()
    card.get_by_role("button", name="Answer").click()
    expect(card.get_by_role("alert")).to_contain_text("Not sent. Your choice is still here")
    assert choice.is_checked()
    page.locator(".site-nav a").first.click()
    expect(state).to_contain_text("Try again when the connection is back")
    assert page.url == site.url + STEP

    page.context.set_offline(False)
    expect(state).to_be_hidden()
    card.get_by_role("button", name="Answer").click()
    expect(page.locator(".inline-question").first).to_contain_text("Your answer")
    page.locator(".site-nav a").first.click()
    expect(page).not_to_have_url(site.url + STEP)


def test_a_form_that_a_page_sends_itself_waits_too(site, page, page_errors):
    page_errors.allow("ERR_INTERNET_DISCONNECTED")
    page.goto(f"{site.url}/accounts/login/")
    page.get_by_label("User name or e-mail address").fill("somebody")
    page.get_by_label("Password").fill("a password")
    page.context.set_offline(True)
    expect(page.locator("#offline")).to_be_visible()
    page.keyboard.press("Enter")
    expect(page.locator("#offline")).to_contain_text("nothing on this page is lost")
    expect(page.get_by_label("User name or e-mail address")).to_have_value("somebody")


@pytest.mark.soak
def test_a_site_that_answers_is_believed_where_no_network_is_up(site, page):
    """As on a laptop that runs the site itself and has no network."""
    page.add_init_script(
        "Object.defineProperty(Navigator.prototype, 'onLine', { get: () => false })"
    )
    page.goto(site.url + at("/learn/"))
    page.locator(".site-nav").get_by_role("link", name="Quiz").click()
    page.wait_for_url("**/quiz/**")
    page.goto(f"{site.url}/accounts/login/")
    page.get_by_label("User name or e-mail address").fill("nobody-of-this-name")
    page.get_by_label("Password").fill("a password")
    page.keyboard.press("Enter")
    expect(page.get_by_role("alert").first).to_be_visible()
    expect(page.locator("#offline")).to_be_hidden()
