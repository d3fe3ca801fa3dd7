"""Times in the reader's own zone, blocked cookies said at once, the cookie of a form's token."""

import pytest
from playwright.sync_api import expect

from tests.databases import ROOT

TELL = """async () => {
  const line = document.createElement("p");
  line.id = "told";
  line.innerHTML = 'Sent <time datetime="2026-11-22T22:05:00+00:00">22 Nov 2026, 22:05</time>'
    + ' <span data-zone>UTC</span>';
  document.querySelector("main").append(line);
  const scripts = [...document.scripts].map((script) => script.src);
  (await import(scripts.find((address) => address.includes("site/clock")))).tell();
  return line.textContent;
}"""
RENEW = """async ([source, name]) => {
  const field = '<input name="csrfmiddlewaretoken" value="old">';
  document.body.innerHTML = `<form data-csrf-cookie="${name}">${field}</form>`;
  const cookie = "csrftoken=plain; __Host-csrftoken=secure";
  Object.defineProperty(document, "cookie", { get: () => cookie, configurable: true });
  const { renewToken } = await import(`data:text/javascript,${encodeURIComponent(source)}`);
  renewToken(document.forms[0]);
  return document.forms[0].elements.csrfmiddlewaretoken.value;
}"""


@pytest.mark.parametrize(
    ("name", "token"),
    [("csrftoken", "plain"), ("__Host-csrftoken", "secure"), ("other", "old")],
)
def test_form_takes_token_of_its_cookie(new_page, name, token):
    source = (ROOT / "static/site/csrf_token.js").read_text()
    assert new_page().evaluate(RENEW, [source, name]) == token


@pytest.mark.slow
def test_a_time_is_told_in_the_readers_zone_and_names_it(site, new_page):
    page = new_page(timezone_id="Asia/Tokyo", locale="en-GB")
    page.goto(site.url)
    told = page.evaluate(TELL)
    assert "23 Nov 2026, 07:05" in told
    assert told.endswith("GMT+9")
    assert page.locator("#told time").get_attribute("title") == "22 Nov 2026, 22:05 UTC"


@pytest.mark.slow
@pytest.mark.parametrize("allowed", [True, False])
def test_blocked_cookies_are_said_before_a_form_is_sent(site, page, allowed):
    if not allowed:
        page.add_init_script(
            "Object.defineProperty(Navigator.prototype, 'cookieEnabled', {get: () => false})"
        )
    page.goto(f"{site.url}/accounts/login/")
    notice = page.get_by_text("Nothing can be sent from this page.")
    expect(notice).to_have_count(0 if allowed else 1)
