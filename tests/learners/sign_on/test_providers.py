"""`OIDC_PROVIDERS`: what is read, and what a bad value says without showing a secret."""

import json
from typing import Any

import pytest
from django.core.exceptions import ImproperlyConfigured

from quizzes.learners.sign_on.providers import WELL_KNOWN, is_safe_address, read_providers

SECRET = "never-shown-3f1c"
UNI: dict[str, Any] = {
    "id": "uni",
    "name": "University of X",
    "discovery": "https://login.uni.example/realms/x",
    "client": "ordinal",
    "secret": SECRET,
}
LOGIN = {"login_claim": "https://uni.example/claims/login"}


def text_of(**changes: object) -> str:
    entry = {name: value for name, value in (UNI | changes).items() if value is not None}
    return json.dumps([entry])


def test_providers_are_read() -> None:
    (plain,) = read_providers(text_of())
    assert plain.discovery == UNI["discovery"] + WELL_KNOWN
    assert plain.issuer == UNI["discovery"]
    assert (plain.trust_email, plain.second_factor, plain.login_claim) == (False, (), "")
    (whole,) = read_providers(
        text_of(discovery=UNI["discovery"] + WELL_KNOWN, trust_email=True, second_factor=["mfa"])
    )
    assert whole.discovery == plain.discovery
    assert (whole.trust_email, whole.second_factor) == (True, ("mfa",))
    (login,) = read_providers(text_of(**LOGIN))
    assert login.login_claim == LOGIN["login_claim"]
    assert read_providers("") == read_providers("[]") == ()
    assert SECRET not in repr(whole)


BAD = {
    "no JSON": ("{", "expected a JSON list"),
    "object": ("{}", "expected a JSON list, got an object"),
    "text in list": ('["uni"]', "provider 1: expected an object, got a text"),
    "id missing": (text_of(id=None), "provider 1: id is missing: expected small letters"),
    "id with capitals": (text_of(id="Uni"), 'provider 1: id="Uni": expected small letters'),
    "name missing": (text_of(name=None), r"provider 1 \(uni\): name is missing: expected a text"),
    "long name": (text_of(name="n" * 41), r"provider 1 \(uni\): name=.*1 to 40 characters"),
    "plain discovery": (
        text_of(discovery="http://uni.example"),
        r'\(uni\): discovery="http://uni.example": expected an https address',
    ),
    "credentials in discovery": (text_of(discovery="https://a:b@uni.example"), "expected an https"),
    "question in discovery": (text_of(discovery="https://a.example/?x=1"), "an https address with"),
    "fragment in discovery": (text_of(discovery="https://a.example/#x"), "an https address with"),
    "broken discovery": (text_of(discovery="https://[uni"), "expected an https address"),
    "secret missing": (text_of(secret=None), r"\(uni\): secret is missing"),
    "empty secret": (text_of(secret=""), r"\(uni\): secret is empty: expected a text"),
    "number as secret": (text_of(secret=7), r"\(uni\): secret is a number: expected a text"),
    "secret with space": (text_of(secret=SECRET + " "), r"\(uni\): secret is a text: expected"),
    "trust as text": (text_of(trust_email="yes"), r'trust_email="yes": expected true or false'),
    "factor as text": (text_of(second_factor="mfa"), r'second_factor="mfa": expected a list'),
    "list as login": (text_of(login_claim=["uid"]), r'login_claim=\["uid"\]: expected the name of'),
    "address as login": (text_of(login_claim="email"), 'login_claim="email": expected the name of'),
    "acr as login": (text_of(login_claim="acr"), 'login_claim="acr": expected the name of a claim'),
    "blank in login": (
        text_of(login_claim="my login"),
        'login_claim="my login": expected the name',
    ),
    "two logins": (
        json.dumps([UNI | LOGIN, UNI | LOGIN | {"id": "lab", "name": "Y"}]),
        "login_claim stands at uni and lab: expected it once",
    ),
    "misspelled field": (text_of(secert=SECRET), r"no field is called 'secert'; expected id, name"),
    "id twice": (json.dumps([UNI, UNI | {"name": "Y"}]), "id='uni' stands twice"),
    "name twice": (json.dumps([UNI, UNI | {"id": "lab"}]), "name='University of X' stands twice"),
}


@pytest.mark.parametrize("name", BAD)
def test_bad_value_names_field_and_expectation(name: str) -> None:
    text, message = BAD[name]
    with pytest.raises(ImproperlyConfigured, match=message) as refusal:
        read_providers(text)
    assert str(refusal.value).startswith("OIDC_PROVIDERS")
    assert SECRET not in str(refusal.value)


@pytest.mark.parametrize(
    ("address", "discovery", "is_safe"),
    [
        ("https://a.example/token", "https://a.example", True),
        ("http://a.example/token", "https://a.example", False),
        ("http://localhost:8000/token", "https://a.example", False),
        ("http://127.0.0.1:8000/token", "http://localhost:8000", True),
        ("http://a.example/token", "http://localhost:8000", False),
        ("https://\u00fc.example/token", "https://a.example", False),
        ("https://a.example/\n", "https://a.example", False),
        ("https:///token", "https://a.example", False),
        (["https://a.example"], "https://a.example", False),
    ],
)
def test_safe_address_is_https_or_local(address: object, discovery: str, is_safe: bool) -> None:
    assert is_safe_address(address, discovery=discovery) is is_safe
