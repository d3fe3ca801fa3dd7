"""Read pages of the site as given people see them, in this process, on a frozen clock."""

import time
from collections.abc import Iterable, Mapping
from typing import Any
from urllib.parse import urlsplit

from allauth.account.internal.flows.login import AUTHENTICATION_METHODS_SESSION_KEY
from django.conf import settings
from django.core import signing
from django.core.cache import caches
from django.test import Client
from django.test.utils import override_settings

from quizzes.learners.models import Learner, User
from quizzes.limits.learner_cookie import FORMER_NAME as COOKIE
from tests.upgrade.frozen_clock import frozen_clock
from tests.upgrade.page_texts import words_of

VISITOR = "a visitor"
BACKEND = "django.contrib.auth.backends.ModelBackend"
Words = dict[str, Any]  # status, at, and lines with links or json
Pages = dict[str, dict[str, Words]]  # by person ("learner 7"), by address


def read_pages(addresses: Mapping[str, Iterable[str]]) -> Pages:
    """Return what each page says to each person; redirects are followed, failures are words too."""
    with frozen_clock(), override_settings(ALLOWED_HOSTS=["testserver"]):
        # All sign in first: pages of instructors say when each account last did.
        browsers = {person: browser_of(person) for person in addresses}
        return {
            person: {address: _read(browsers[person], address) for address in wanted}
            for person, wanted in addresses.items()
        }


def browser_of(person: str) -> Client:
    """Return the browser of "learner <pk>", or of a visitor that did nothing yet."""
    browser = Client(raise_request_exception=False)
    if person == VISITOR:
        return browser
    learner = Learner.objects.select_related("user").get(pk=int(person.removeprefix("learner ")))
    if learner.user is None:
        browser.cookies[COOKIE] = signing.dumps(str(learner.uuid), salt=COOKIE)
    else:
        _sign_in(browser, learner.user)
    return browser


def _sign_in(browser: Client, user: User) -> None:
    """Sign in, as by a password that was typed just now: the export asks for that."""
    browser.force_login(user, backend=BACKEND)
    session = browser.session
    session[AUTHENTICATION_METHODS_SESSION_KEY] = [{"method": "password", "at": time.time()}]
    session.save()


def _read(browser: Client, address: str) -> Words:
    caches["default"].clear()  # rates: all these people have one address
    answer = browser.get(address, follow=True)
    ended = answer.redirect_chain[-1][0] if answer.redirect_chain else address
    words: Words = {
        "status": answer.status_code,
        "at": urlsplit(ended)._replace(netloc="").geturl(),
    }
    if answer.status_code == 500:
        raised = getattr(answer, "exc_info", None) or (None, "no exception")
        return words | {"lines": [f"{raised[0]}: {raised[1]}"], "links": []}
    if answer.headers["Content-Type"].startswith("application/json"):
        return words | {"json": answer.json()}
    return words | words_of(
        b"".join(answer).decode() if answer.streaming else answer.content.decode()
    )


assert settings.TIME_ZONE == "UTC"  # the pages were read so
