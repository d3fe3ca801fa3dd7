"""A student comes in by the provider in Chromium: at 390 px, by keyboard, and leaves again."""

from pathlib import Path

import pytest
from allauth.socialaccount.models import SocialAccount
from playwright.sync_api import Page, expect

from quizzes.learners.models import User
from tests.accessible import findings, small_targets
from tests.browser import press_until_focused, sideways_scroll
from tests.learners.accounts import make_stale_sessions
from tests.learners.sign_on.provider import Provider

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.slow]


def check(page: Page) -> None:
    """Expect one of the site's pages that fits, and whose parts can be named and pressed."""
    assert sideways_scroll(page) == 0
    assert findings(page, contrast=False) == []
    assert small_targets(page) == []


def press(page: Page, action: str) -> None:
    """Press the button of a form by keyboard alone."""
    press_until_focused(page, f'main form[action="/accounts/{action}/"] button')
    page.keyboard.press("Enter")


def sign_in_there(page: Page, name: str, password: str) -> None:
    if name:
        page.get_by_label("Username").fill(name)
    page.get_by_label("Password").first.fill(password)
    page.keyboard.press("Enter")


def test_student_comes_in_and_leaves(
    provider: Provider, live_server, new_page, tmp_path: Path
) -> None:
    provider.allow(f"{live_server.url}/accounts/oidc/uni/login/callback/")
    person = provider.person("mia", first_name="Mia")
    page = new_page(viewport={"width": 390, "height": 780})
    page.goto(f"{live_server.url}/accounts/login/?next=/review/")
    check(page)
    press(page, "oidc/uni/login")
    page.wait_for_url(f"{provider.url}/**")
    sign_in_there(page, person.name, person.password)
    page.wait_for_url("**/accounts/providers/signup/")
    check(page)
    expect(page.get_by_label("User name")).to_have_value(person.name)
    press(page, "providers/signup")
    page.wait_for_url("**/review/")
    user = User.objects.get()
    assert (user.username, user.email) == (person.name, person.address)
    page.goto(f"{live_server.url}/accounts/providers/")
    check(page)
    press(page, "providers")
    expect(page.get_by_text("Uni is your only way to sign in")).to_be_visible()
    # Later: the session is old, so the provider is asked again, and asks for the password.
    make_stale_sessions()
    page.goto(f"{live_server.url}/me/data/export/")
    check(page)
    press(page, "oidc/uni/login")
    page.wait_for_url(f"{provider.url}/**")
    with page.expect_download() as download:
        sign_in_there(page, "", person.password)
    download.value.save_as(tmp_path / "export.json")
    assert person.subject in (tmp_path / "export.json").read_text()
    page.get_by_label("to confirm").fill("delete")
    page.keyboard.press("Enter")
    expect(page.get_by_text("The data that identifies you has been deleted.")).to_be_visible()
    assert not User.objects.exists()
    assert not SocialAccount.objects.exists()
