"""What one test leaves in the page that tests share, the next one does not meet."""

import pytest
from playwright.sync_api import Browser
from pytest_django.live_server_helper import LiveServer

from tests.browser import KeptPage, PageErrors

pytestmark = pytest.mark.browser

WINDOW = {"width": 640, "height": 480}
FOUND = """() => ({
  cookies: document.cookie, kept: localStorage.length + sessionStorage.length,
  width: innerWidth, dark: matchMedia("(prefers-color-scheme: dark)").matches,
  print: matchMedia("print").matches, still: matchMedia("(prefers-reduced-motion)").matches,
})"""
NEW = {
    "cookies": "",
    "kept": 0,
    "width": 640,
    "dark": False,
    "print": False,
    "still": False,
}


def test_the_next_test_finds_a_page_of_a_new_visitor(live_server: LiveServer, chromium: Browser):
    address, errors = f"{live_server.url}/static/icons/mark.svg", PageErrors()
    shared = KeptPage(chromium, 1000)
    page = shared.take(errors, {"width": 320, "height": 480}, color_scheme="dark")  # type: ignore[arg-type]
    page.goto(address)
    page.evaluate("document.cookie = 'a=1'; localStorage.b = 1; sessionStorage.c = 1")
    page.emulate_media(media="print", reduced_motion="reduce")
    other = page.context.new_page()
    shared.give_back(errors)
    assert other.is_closed()
    again = shared.take(errors, WINDOW)  # type: ignore[arg-type]
    assert again is page
    again.goto(address)
    assert again.evaluate(FOUND) == NEW
    again.evaluate("console.error('heard once')")
    assert len(errors.unexpected()) == 1
    shared.close()


def test_what_a_page_keeps_as_it_is_left_is_gone(live_server: LiveServer, chromium: Browser):
    place, errors = "/static/icons/mark.svg", PageErrors()
    other_origin = live_server.url.replace("127.0.0.1", "localhost")
    shared = KeptPage(chromium, 1000)
    page = shared.take(errors, WINDOW)  # type: ignore[arg-type]
    page.goto(other_origin + place)
    page.evaluate("localStorage.d = 1")
    page.goto(live_server.url + place)
    page.evaluate("addEventListener('pagehide', () => localStorage.setItem('draft', 'late'))")
    shared.give_back(errors)
    again = shared.take(errors, WINDOW)  # type: ignore[arg-type]
    assert again is page
    for origin in (live_server.url, other_origin):
        again.goto(origin + place)
        assert again.evaluate("Object.keys(localStorage)") == []
    shared.close()


def test_a_page_with_something_lasting_is_given_to_nobody_else(
    live_server: LiveServer, chromium: Browser
):
    address, errors = f"{live_server.url}/static/icons/mark.svg", PageErrors()
    shared = KeptPage(chromium, 1000)
    for leave in (
        lambda page: page.route("**", lambda route: route.abort()),
        lambda page: page.on("dialog", lambda dialog: dialog.accept()),
        lambda page: page.context.set_offline(True),
        lambda page: page.context.new_cdp_session(page),
    ):
        page = shared.take(errors, WINDOW)  # type: ignore[arg-type]
        page.goto(address)
        leave(page)
        shared.give_back(errors)
        assert page.is_closed()
    shared.close()
