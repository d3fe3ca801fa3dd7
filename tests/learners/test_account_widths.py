"""Pages of an account are as wide as text reads well, and their tables stay in their lines."""

import pytest
from django.test import Client
from playwright.sync_api import Page
from pytest_django.live_server_helper import LiveServer

from tests.learners.accounts import PASSWORD, make_account

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.browser]

PAGES = (
    "/accounts/2fa/",
    "/accounts/2fa/totp/activate/",
    "/accounts/sessions/",
    "/accounts/password/change/",
    "/accounts/password/reset/",
)
# Letters in the longest line of text, by the mean width of a letter; rem of the widest field.
LETTERS = """() => {
  const line = document.querySelector(".entrance__lede");
  const pen = document.createElement("canvas").getContext("2d");
  pen.font = getComputedStyle(line).font;
  const text = line.textContent.trim().replace(/\\s+/g, " ");
  return line.clientWidth / (pen.measureText(text).width / text.length);
}"""
FIELDS = "[...document.querySelectorAll('.entrance input')].map((field) => field.offsetWidth / 16)"
LINES = """[...document.querySelectorAll(".entrance td")].map((cell) => {
  const range = document.createRange();
  range.selectNodeContents(cell);
  return new Set([...range.getClientRects()].map((box) => Math.round(box.bottom / 12))).size;
})"""


def test_account_pages_have_lines_that_read_well(page: Page, live_server: LiveServer) -> None:
    make_account()
    client = Client(headers={"User-Agent": page.evaluate("navigator.userAgent")})
    client.post("/accounts/login/", {"login": "ada", "password": PASSWORD})
    cookie = {"name": "sessionid", "value": client.cookies["sessionid"].value}
    page.context.add_cookies([cookie | {"url": live_server.url}])
    for path in PAGES:
        page.goto(live_server.url + path)
        assert 60 <= page.evaluate(LETTERS) <= 80, path
        assert max([0, *page.evaluate(FIELDS)]) <= 27, path
    page.goto(f"{live_server.url}/accounts/sessions/")
    assert page.locator("td").first.inner_text().startswith("Chrome on ")
    assert page.evaluate(LINES) == [1, 1, 1]


# What a member who has begun may have besides: messages, cards to review, what comes next.
CROWD = """() => {
  const [review] = document.querySelectorAll(".site-nav__link[href='/review/']");
  review.innerHTML = 'Review <span class="site-nav__count">12</span>';
  const messages = review.closest("li").cloneNode(true);
  messages.firstElementChild.innerHTML = 'Messages <span class="site-nav__count">3</span>';
  review.closest("li").after(messages);
  document.querySelector("#next-thing").innerHTML =
    '<a class="site-header__next" href="#">Continue · 12 min</a>';
}"""


def test_long_name_leaves_header_one_row(page: Page, live_server: LiveServer) -> None:
    make_account("a-name-of-twenty-six-letters")
    client = Client(headers={"User-Agent": page.evaluate("navigator.userAgent")})
    client.post("/accounts/login/", {"login": "a-name-of-twenty-six-letters", "password": PASSWORD})
    cookie = {"name": "sessionid", "value": client.cookies["sessionid"].value}
    page.context.add_cookies([cookie | {"url": live_server.url}])
    page.set_viewport_size({"width": 1280, "height": 800})
    page.goto(f"{live_server.url}/accounts/password/change/")
    page.evaluate(CROWD)
    assert page.evaluate("document.querySelector('.site-header').offsetHeight") < 70
    assert page.evaluate("document.documentElement.scrollWidth") <= 1280
    assert page.locator(".menu__name").evaluate("name => name.offsetWidth") >= 24
