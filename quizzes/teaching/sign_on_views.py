"""Superusers' page of sign-on: what is configured, and how the last sign-ins ended.

It shows no secret and nobody's name. Its button asks a provider as `manage.py doctor` does, which
can hold a thread for two answers of `client.WHOLE` seconds: so only now and then.
"""

import math
from collections.abc import Iterator
from dataclasses import dataclass, fields

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from quizzes.learners.instructors import superusers_only
from quizzes.learners.sign_on.identities import provider_of, providers
from quizzes.learners.sign_on.outcomes import KEPT_DAYS, LastOutcome, last_outcomes
from quizzes.learners.sign_on.provider_check import CheckResult, check_provider
from quizzes.learners.sign_on.providers import OidcProvider
from quizzes.limits.bucket import Bucket

CHECKS = Bucket("checks of a provider", per_second=1 / 10, at_once=2)
NEVER_SHOWN = {"secret"}
LABELS = {
    "id": "Id",
    "name": "Name on the button",
    "discovery": "Discovery address",
    "client": "Client id",
    "trust_email": "Its verified addresses count as confirmed",
    "second_factor": "Values of amr or acr that stand for a second factor",
    "login_claim": "Claim with the login that rosters know",
}
WHO_SIGNS_UP = {
    "open": "Anybody can create an account.",
    "invited": "Only people who are invited to a class can create an account.",
    "closed": "Nobody can create an account. Superusers create them in the administration.",
}
PASSWORDS = {
    True: "People can sign in with a password, too.",
    False: "Accounts that are connected to a provider have no password here.",
}


@dataclass(frozen=True)
class ProviderState:
    """What the page says of a provider."""

    provider: OidcProvider
    settings: list[tuple[str, str]]  # label and value
    callback: str  # for the host of this request, as a sign-in there sends it
    site_callback: str  # for `SITE_ADDRESS`, "" where it is the same
    outcomes: list[tuple[LastOutcome, str]]  # with a sentence, the newest first
    results: list[CheckResult]  # of the check that was asked for
    wait: int  # seconds until it can be checked, where that was asked too soon

    @property
    def last_answer(self) -> LastOutcome | None:
        """The last right answer of the provider; a code, or an inactive account, may come after."""
        return next((last for last, _ in self.outcomes if last.is_answer), None)


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@superusers_only
def sign_on(request: HttpRequest) -> HttpResponse:
    """Show the providers of the site; POST asks one for its configuration and keys."""
    checked = _provider_to_check(request)
    wait = math.ceil(CHECKS.take(checked.id)) if checked else 0
    results = list(check_provider(checked)) if checked and not wait else []
    states = [
        _state(request, provider, results=results, wait=wait)
        if provider == checked
        else _state(request, provider, results=[], wait=0)
        for provider in providers()
    ]
    context = {
        "states": states,
        "sign_up": WHO_SIGNS_UP[settings.SIGNUP],
        "passwords": PASSWORDS[settings.LOCAL_PASSWORDS],
        "days": KEPT_DAYS,
    }
    return render(request, "teaching/sign_on.html", context, status=429 if wait else 200)


def _provider_to_check(request: HttpRequest) -> OidcProvider | None:
    if request.method != "POST":
        return None
    provider = provider_of(request.POST.get("provider", ""))
    if provider is None:
        raise Http404("this site has no such provider")
    return provider


def _state(
    request: HttpRequest, provider: OidcProvider, *, results: list[CheckResult], wait: int
) -> ProviderState:
    path = reverse("openid_connect_callback", args=[provider.id])
    callback = request.build_absolute_uri(path)
    site_callback = f"{settings.SITE_ADDRESS}{path}" if settings.SITE_ADDRESS else ""
    outcomes = [(last, last.sentence(provider.name)) for last in last_outcomes(provider)]
    return ProviderState(
        provider=provider,
        settings=list(_settings_of(provider)),
        callback=callback,
        site_callback=site_callback if site_callback != callback else "",
        outcomes=outcomes,
        results=results,
        wait=wait,
    )


def _settings_of(provider: OidcProvider) -> Iterator[tuple[str, str]]:
    for field in fields(provider):
        if field.name not in NEVER_SHOWN:
            value = getattr(provider, field.name)
            yield LABELS.get(field.name, field.name), _text_of(value)


def _text_of(value: object) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, tuple):
        value = ", ".join(value)
    return str(value or "none")
