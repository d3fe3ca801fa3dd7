"""An operator looks at sign-on in Chromium: at 390 px, by keyboard."""

import pytest
from playwright.sync_api import expect

from quizzes.learners.sign_on import outcomes
from quizzes.learners.sign_on.faults import Fault
from quizzes.learners.sign_on.outcomes import Outcome, note_outcome
from tests.accessible import findings, small_targets
from tests.browser import press_until_focused, sideways_scroll
from tests.factories import browser_of, create_superuser
from tests.learners.sign_on.provider import Provider, configured

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.slow]


def test_operator_tries_provider(provider: Provider, live_server, new_page, settings) -> None:
    settings.OIDC_PROVIDERS = configured(provider, discovery="http://127.0.0.1:9/none")
    outcomes._written_at.clear()
    (uni, _) = settings.OIDC_PROVIDERS
    note_outcome(uni, Outcome.SIGNED_IN)
    note_outcome(uni, Fault.ISSUER, f"issuer is 'https://{'a' * 90}.example', expected 'x'")
    page = new_page(viewport={"width": 390, "height": 780})
    cookies = browser_of(create_superuser()).cookies
    page.context.add_cookies(
        [
            {"name": name, "value": morsel.value, "url": live_server.url}
            for name, morsel in cookies.items()
        ]
    )
    page.goto(f"{live_server.url}/teach/")
    page.locator(".rail summary").click()
    page.get_by_role("link", name="Sign-on").click()
    expect(page.get_by_text("Uni last confirmed a person’s identity on")).to_be_visible()
    press_until_focused(page, 'main button[value="uni"]')
    page.keyboard.press("Enter")
    expect(page.get_by_text("nothing answers there (Connection refused)")).to_be_in_viewport()
    assert sideways_scroll(page) == 0
    assert findings(page, contrast=True) == []
    assert small_targets(page) == []
