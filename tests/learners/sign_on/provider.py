"""Drives the provider process, and a person's browser on both sides of a sign-in."""

import itertools
import json
import re
import subprocess
import sys
from dataclasses import dataclass, field
from html import unescape
from pathlib import Path
from typing import Any
from urllib.parse import urljoin, urlsplit

import requests
from allauth.account.models import EmailAddress
from allauth.socialaccount.models import SocialAccount
from django.http import HttpResponse
from django.test import Client

from quizzes.learners.models import User
from quizzes.learners.sign_on.providers import OidcProvider, read_providers
from tests.child_environment import ENDS_WITH_US, child_environment
from tests.learners.sign_on.provider_process import CLIENT, SECRET
from tests.whole_site import free_port

PROGRAM = Path(__file__).with_name("provider_process.py")
LEAD = re.compile(r'http-equiv="refresh"\s+content="0;url=([^"]+)"')
FIELD = re.compile(r'<input[^>]*name="(csrfmiddlewaretoken|next)"[^>]*value="([^"]*)"')
numbers = itertools.count(1)


@dataclass(frozen=True)
class Person:
    """Somebody whom the provider knows."""

    name: str
    password: str
    address: str
    subject: str


class Provider:
    """The process, its switches, its people."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.port = folder, free_port()
        self.url = f"http://127.0.0.1:{self.port}"

    def start(self) -> None:
        self.process = subprocess.Popen(
            [*ENDS_WITH_US, sys.executable, str(PROGRAM), str(self.port), str(self.folder)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env=child_environment(),
            text=True,
        )
        assert self.process.stdout is not None
        assert self.process.stdout.readline() == "ready\n"
        for name in ("uni", "lab"):
            self.allow(f"http://testserver/accounts/oidc/{name}/login/callback/")

    def stop(self) -> None:
        assert self.process.stdin is not None
        self.process.stdin.close()
        self.process.wait(10)

    def _post(self, **sent: Any) -> dict[str, Any]:
        answer = requests.post(f"{self.url}/switch", data=json.dumps(sent), timeout=30)
        return dict(answer.json())

    def switch(self, **switches: Any) -> None:
        self._post(**switches)

    def allow(self, callback: str) -> None:
        self._post(callback=callback)

    def person(self, name: str = "ada", **more: Any) -> Person:
        """Let the provider know a new person."""
        number = next(numbers)
        account = {
            "username": f"{name}{number}",
            "password": f"secret-{number}",
            "email": f"{name}{number}@uni.example",
            **more,
        }
        subject = self._post(person=account)["sub"]
        return Person(account["username"], account["password"], account["email"], subject)


def configured(provider: Provider, **more: Any) -> tuple[OidcProvider, ...]:
    """Return two providers of the site: one process, trusted under one name and not under two."""
    common = {"discovery": provider.url, "client": CLIENT, "secret": SECRET}
    uni = {"id": "uni", "name": "Uni", "trust_email": True, "second_factor": ["mfa"]}
    lab = {"id": "lab", "name": "The Lab"}
    return read_providers(json.dumps([common | uni | more, common | lab]))


def trust_logins(settings: Any, **more: Any) -> None:
    """Let the site have a provider whose logins are trusted, where nobody has to sign in."""
    uni = {"id": "uni", "name": "Uni", "discovery": "https://login.uni.example"}
    uni |= {"client": CLIENT, "secret": SECRET, "login_claim": "preferred_username"}
    settings.OIDC_PROVIDERS = read_providers(json.dumps([uni | more]))


def add_identity(
    user: User, *, login: str, address: str = "", provider: str = "uni"
) -> SocialAccount:
    """Connect an account as an earlier sign-in with this login left it."""
    facts = {"iss": "https://login.uni.example", "email": address, "login": login}
    return SocialAccount.objects.create(
        user=user, provider=provider, uid=f"{login}-1", extra_data=facts
    )


@dataclass
class Browser:
    """A person's browser: our side by Django's client, the provider's by requests."""

    provider: Provider
    person: Person | None = None
    client: Client = field(default_factory=Client)
    there: requests.Session = field(default_factory=requests.Session)

    def leave(self, name: str = "uni", **sent: str) -> str:
        """Press the button; return the address at the provider."""
        answer = self.client.post(f"/accounts/oidc/{name}/login/", sent)
        lead = LEAD.search(answer.content.decode())
        assert lead is not None, (answer.status_code, answer.content.decode())
        return unescape(lead[1])

    def authorize(self, address: str) -> str:
        """Follow the provider, and sign in there where it asks; return the way back."""
        answer = self.there.get(address, allow_redirects=False, timeout=30)
        for _ in range(9):
            if answer.status_code == 302:
                address = urljoin(address, answer.headers["Location"])
                if urlsplit(address).port != self.provider.port:
                    return address
                answer = self.there.get(address, allow_redirects=False, timeout=30)
            else:
                assert answer.status_code == 200, answer.text
                assert self.person is not None
                sent = {name: unescape(value) for name, value in FIELD.findall(answer.text)}
                assert sent, answer.text
                sent |= {"login": self.person.name, "password": self.person.password}
                answer = self.there.post(address, sent, allow_redirects=False, timeout=30)
        raise AssertionError(f"the provider leads nowhere: {address}")

    def arrive(self, address: str) -> HttpResponse:
        """Come back with what the provider said."""
        parts = urlsplit(address)
        return self.client.get(f"{parts.path}?{parts.query}")

    def go(self, name: str = "uni", **sent: str) -> HttpResponse:
        """Press the button, sign in at the provider, come back."""
        return self.arrive(self.authorize(self.leave(name, **sent)))

    def sign_up(self, name: str = "uni", username: str = "", **sent: str) -> HttpResponse:
        """Sign in for the first time, and send the form of the new account."""
        answer = self.go(name, **sent)
        assert answer.status_code == 302, answer.content.decode()
        assert answer["Location"] == "/accounts/providers/signup/"
        assert self.person is not None
        form = {"username": username or self.person.name}
        return self.client.post("/accounts/providers/signup/", form)

    @property
    def account(self) -> int | None:
        """The key of the account that is signed in."""
        key = self.client.session.get("_auth_user_id")
        return int(key) if key else None


def text_of(answer) -> str:
    return " ".join(answer.content.decode().split())


def new_account(provider: Provider, name: str = "ada", **more: object) -> Browser:
    """Return the browser of somebody who has an account, and has just signed in by the provider."""
    browser = Browser(provider, provider.person(name, **more))
    user = User.objects.create_user(browser.person.name, browser.person.address)
    EmailAddress.objects.create(user=user, email=user.email, primary=True, verified=True)
    facts = {"iss": provider.url, "email": user.email}
    SocialAccount.objects.create(
        user=user, provider="uni", uid=browser.person.subject, extra_data=facts
    )
    browser.go()
    assert browser.account == user.pk
    return browser
