"""What stands for a password: the provider, once more, a code, or a provider's second factor."""

import re
import time
from datetime import timedelta
from io import StringIO

import pytest
from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from allauth.socialaccount.models import SocialAccount
from django.contrib.auth.models import Group
from django.core import mail
from django.core.management import CommandError, call_command
from django.test import Client, override_settings
from django.utils import timezone

from quizzes.learners.models import INSTRUCTORS, User
from quizzes.learners.password_again import AGAIN
from tests.learners.accounts import (
    OLD,
    PASSWORD,
    give_code,
    make_account,
    make_stale,
    set_up_app,
    sign_in,
)
from tests.learners.sign_on.provider import Browser, Provider, configured, new_account, text_of

pytestmark = [pytest.mark.django_db, pytest.mark.slow]

CONNECTIONS = "/accounts/providers/"
EXPORT, DATA = "/me/data/export/", "/me/data/"
AGAIN_PAGE = "/accounts/reauthenticate/"


# ---- confirming that it is you


def test_account_without_password_confirms_at_provider(provider: Provider) -> None:
    browser = new_account(provider)
    assert browser.client.get(EXPORT).status_code == 200, "it signed in a moment ago"
    make_stale(browser.client)
    for ask, address, post in (
        (browser.client.get, EXPORT, None),
        (browser.client.post, DATA, {"word": "delete"}),
        (browser.client.post, "/accounts/email/", {"action_add": "", "email": "a@b.example"}),
        (browser.client.post, "/accounts/password/set/", {"password1": "x", "password2": "x"}),
        (browser.client.get, "/accounts/2fa/totp/activate/", None),
        (browser.client.post, CONNECTIONS, {"identity": SocialAccount.objects.get().pk}),
    ):
        assert ask(address, post)["Location"].startswith(AGAIN_PAGE), address
    page = text_of(browser.client.get(f"{AGAIN_PAGE}?next={DATA}"))
    assert "Confirm with Uni" in page
    assert 'type="password"' not in page
    address = browser.leave(process="reauthenticate", next=DATA)
    assert "prompt=login" in address
    assert "max_age=0" in address
    assert browser.arrive(browser.authorize(address))["Location"] == DATA
    assert browser.client.get(EXPORT).status_code == 200


def test_post_waits_for_confirmation(provider: Provider) -> None:
    browser = new_account(provider)
    make_stale(browser.client)
    browser.client.post("/accounts/email/", {"action_add": "", "email": "a@b.example"})
    browser.go(process="reauthenticate", next="/accounts/email/")
    assert not EmailAddress.objects.filter(email="a@b.example").exists()
    assert AGAIN in text_of(browser.client.get("/accounts/email/"))


@pytest.mark.parametrize(
    "at", ["-300", "+300", pytest.param("-3600", marks=pytest.mark.soak), None]
)
def test_old_session_of_provider_confirms_nothing(provider: Provider, at: str | None) -> None:
    browser = new_account(provider)
    make_stale(browser.client)
    provider.switch(claims={"auth_time": at})
    answer = browser.go(process="reauthenticate", next=DATA)
    assert answer.status_code == 403
    assert "did not say that you have just signed in there" in text_of(answer)
    assert browser.client.get(EXPORT).status_code == 302
    again = Browser(provider, browser.person)
    again.go()
    assert again.account == browser.account
    assert again.client.get(EXPORT).status_code == 302


def test_identity_of_another_person_confirms_nothing(provider: Provider) -> None:
    browser = new_account(provider)
    make_stale(browser.client)
    thief = Browser(provider, provider.person("eve"), client=browser.client)
    answer = thief.go(process="reauthenticate", next=DATA)
    assert answer.status_code == 403
    assert "is not connected to your account here" in text_of(answer)
    assert browser.client.get(EXPORT).status_code == 302
    assert browser.account is not None


def test_account_without_any_way_is_refused(provider: Provider, settings) -> None:
    browser = new_account(provider)
    make_stale(browser.client)
    settings.OIDC_PROVIDERS = ()
    answer = browser.client.get(EXPORT, follow=True)
    assert answer.status_code == 403
    assert "Request a link to set a password" in text_of(answer)
    browser.client.post(DATA, {"word": "delete"})
    assert User.objects.exists()


# ---- second factor


def test_own_code_is_needed_unless_provider_says(provider: Provider) -> None:
    browser = new_account(provider)
    set_up_app(browser.account)
    again = Browser(provider, browser.person)
    assert again.go()["Location"] == "/accounts/2fa/authenticate/"
    assert again.account is None
    for claims in ({"amr": ["pwd", "mfa"]}, {"acr": "mfa"}):
        provider.switch(claims=claims)
        again = Browser(provider, browser.person)
        again.go()
        assert again.account == browser.account
    provider.switch(claims={"amr": ["pwd", "otp"], "acr": "1"})
    again = Browser(provider, browser.person)
    assert again.go()["Location"] == "/accounts/2fa/authenticate/"
    provider.switch(claims={"amr": ["mfa"]})
    again.go("lab")
    assert again.account is None, "its second factor is not in the settings"


def test_removed_provider_ends_wait_for_code(provider: Provider, settings) -> None:
    browser = new_account(provider)
    set_up_app(browser.account)
    again = Browser(provider, browser.person)
    page = again.go()["Location"]
    settings.OIDC_PROVIDERS = ()
    answer = again.client.post(page, {"code": "123456"})
    assert answer.status_code == 400
    assert "Start again with the button." in text_of(answer)
    assert again.client.get(page)["Location"] == "/accounts/login/"
    assert again.account is None


def test_user_claims_never_say_how_person_signed_in(provider: Provider) -> None:
    browser = new_account(provider)
    said = {"amr": ["mfa"], "acr": "mfa", "auth_time": int(time.time())}
    signed = {"email": None, "auth_time": None}
    provider.switch(claims=signed, answers={"/identity/o/api/userinfo": {"add": said}})
    again = Browser(provider, browser.person)
    again.go()
    assert again.client.get(EXPORT).status_code == 302, "it confirms nothing"
    set_up_app(browser.account)
    again = Browser(provider, browser.person)
    assert again.go()["Location"] == "/accounts/2fa/authenticate/"


def test_provider_fulfils_duty_of_second_factor(provider: Provider) -> None:
    browser = new_account(provider)
    user = User.objects.get()
    user.groups.add(Group.objects.get_or_create(name=INSTRUCTORS)[0])
    User.objects.update(first_signed_in_at=timezone.now() - timedelta(days=20))
    with override_settings(PRODUCTION=True):
        answer = browser.client.get("/teach/")
        assert answer["Location"] == "/accounts/2fa/totp/activate/"
        provider.switch(claims={"amr": ["mfa"]})
        again = Browser(provider, browser.person)
        again.go()
        assert again.client.get("/teach/").status_code == 200
        assert browser.client.get("/teach/").status_code == 403, "each session by itself"


APP = "/accounts/2fa/totp/activate/"


def teacher_by_provider(provider: Provider) -> Browser:
    """Return the browser of a teacher with an old password, whom the provider asked for more."""
    browser = new_account(provider)
    user = User.objects.get()
    user.set_password(PASSWORD)
    user.save()
    user.groups.add(Group.objects.get_or_create(name=INSTRUCTORS)[0])
    User.objects.update(first_signed_in_at=timezone.now() - timedelta(days=20))
    provider.switch(claims={"amr": ["mfa"]})
    owner = Browser(provider, browser.person)
    owner.go()
    return owner


def test_stolen_password_brings_no_app_of_its_own(provider: Provider) -> None:
    owner = teacher_by_provider(provider)
    thief = Browser(provider, provider.person("eve"), client=sign_in(owner.person.name))
    with override_settings(PRODUCTION=True):
        for page in ("/teach/", APP):
            answer = thief.client.get(page)
            assert answer.status_code == 403
            assert "Sign out and continue to Uni" in text_of(answer)
            assert "Set one up here" not in text_of(answer)
        for address, post in (
            (APP, {"code": "123456"}),
            (CONNECTIONS, {"identity": SocialAccount.objects.get().pk}),
            ("/accounts/oidc/uni/login/", {"process": "connect"}),
            ("/accounts/oidc/lab/login/", {"process": "connect"}),
        ):
            assert thief.client.post(address, post).status_code == 403, address
        assert SocialAccount.objects.get().uid == owner.person.subject
        assert not Authenticator.objects.exists()
        assert owner.client.get("/teach/").status_code == 200
        assert owner.client.get(APP).status_code == 200
        # The way of the page: sign out, and the button of the provider.
        own = Browser(provider, owner.person, client=thief.client)
        form = {"next": "/accounts/oidc/uni/login/"}
        answer = own.client.post("/accounts/logout/", form, follow=True)
        assert "Continue with Uni" in text_of(answer)
        own.go()
        assert own.client.get("/teach/").status_code == 200
        assert own.client.get(APP).status_code == 200


def test_callback_connects_no_way_around_second_factor(provider: Provider) -> None:
    browser = new_account(provider)
    back = browser.authorize(browser.leave("lab", process="connect"))
    facts = SocialAccount.objects.get().extra_data | {"second_factor": "mfa"}
    SocialAccount.objects.update(extra_data=facts)
    assert browser.arrive(back).status_code == 403
    assert SocialAccount.objects.get().provider == "uni"


@pytest.mark.parametrize("way", ["settings", "value", "operator", "issuer"])
def test_provider_that_is_gone_locks_nobody_out(provider: Provider, settings, way: str) -> None:
    owner = teacher_by_provider(provider)
    if way == "settings":
        settings.OIDC_PROVIDERS = settings.OIDC_PROVIDERS[1:]
    elif way == "value":
        settings.OIDC_PROVIDERS = configured(provider, second_factor=["other"])
    elif way == "issuer":
        moved = "https://moved.example"
        settings.OIDC_PROVIDERS = configured(provider, discovery=moved)
    else:
        call_command("disconnect_provider", owner.person.name, "uni", stdout=StringIO())
    again = sign_in(owner.person.name)
    with override_settings(PRODUCTION=True):
        assert again.get("/teach/")["Location"] == APP
        assert again.get(APP).status_code == 200


def test_code_confirms_account_without_password(provider: Provider) -> None:
    browser = new_account(provider)
    set_up_app(browser.account)
    make_stale(browser.client)
    page = browser.client.get(f"{AGAIN_PAGE}?next={DATA}")
    assert "Use a code instead" in text_of(page)
    give_code(browser.client)
    assert browser.client.get(EXPORT).status_code == 200
    assert Authenticator.objects.exists()


# ---- passwords off


def test_passwords_off_closes_every_password(provider: Provider, settings) -> None:
    ada, bea = make_account(), User.objects.create_user("bea", password=PASSWORD)
    browser = Browser(provider, provider.person(), client=sign_in())
    browser.go(process="connect")
    settings.LOCAL_PASSWORDS = False
    form = {"login": "ada", "password": PASSWORD}
    answer = Client().post("/accounts/login/", form)
    assert answer.status_code == 200
    assert "has no password here" in text_of(answer)
    make_stale(browser.client)
    for address, post in (
        (AGAIN_PAGE, {"password": PASSWORD, "next": DATA}),
        (DATA, {"word": "delete", "password": PASSWORD}),
    ):
        browser.client.post(address, post)
        assert browser.client.get(EXPORT).status_code == 302, address
    answer = browser.client.get("/accounts/password/change/", follow=True)
    assert answer.status_code == 403
    assert "Your account has no password here" in text_of(answer)
    mail.outbox.clear()
    Client().post("/accounts/password/reset/", {"email": OLD})
    assert "password/reset/key" not in mail.outbox[0].body
    answer = Client().post("/accounts/signup/", {"username": "eve", "password1": "another-long-8"})
    assert User.objects.count() == 2
    assert sign_in("bea").session["_auth_user_id"] == str(bea.pk), "it has no provider"
    settings.LOCAL_PASSWORDS = True
    assert sign_in().session["_auth_user_id"] == str(ada.pk), "the way back"


def test_link_of_before_sets_no_password(provider: Provider, settings) -> None:
    make_account()
    Browser(provider, provider.person(), client=sign_in()).go(process="connect")
    client = Client()
    client.post("/accounts/password/reset/", {"email": OLD})
    link = re.search(r"http://testserver(/accounts/password/reset/key/\S+)", mail.outbox[-1].body)
    assert link is not None
    settings.LOCAL_PASSWORDS = False
    page = client.get(link[1])["Location"]
    form = {"password1": "quite-another-9", "password2": "quite-another-9"}
    assert "no password here. Sign in with Uni." in text_of(client.post(page, form))
    settings.LOCAL_PASSWORDS = True
    assert User.objects.get().check_password(PASSWORD)


@pytest.mark.parametrize("has_passwords", [True, False])
def test_new_subject_of_held_address_has_way(
    provider: Provider, settings, has_passwords: bool
) -> None:
    browser = new_account(provider)
    settings.LOCAL_PASSWORDS = has_passwords
    provider.switch(claims={"sub": "another-subject"})
    again = Browser(provider, browser.person)
    answer = again.go()
    assert answer.status_code == 409
    assert "ask the person who runs this site to disconnect the former one" in text_of(answer)
    assert "connect Uni" not in text_of(answer)
    # The way of the page:
    call_command("disconnect_provider", browser.person.name, "uni", stdout=StringIO())
    again.client.post("/accounts/password/reset/", {"email": browser.person.address})
    link = re.search(r"http://testserver(/accounts/password/reset/key/\S+)", mail.outbox[-1].body)
    assert link is not None
    page = again.client.get(link[1])["Location"]
    again.client.post(page, {"password1": PASSWORD, "password2": PASSWORD})
    again.client = sign_in(browser.person.name)
    again.go(process="connect")
    settings.LOCAL_PASSWORDS = False
    last = Browser(provider, browser.person)
    last.go()
    assert last.account == SocialAccount.objects.get(uid="another-subject").user_id


def test_held_address_offers_only_what_works(provider: Provider, settings) -> None:
    make_account()
    Browser(provider, provider.person(), client=sign_in()).go("lab", process="connect")
    person = provider.person()
    provider.switch(claims={"email": OLD})
    for has_passwords in (True, False):
        settings.LOCAL_PASSWORDS = has_passwords
        answer = Browser(provider, person).go()
        assert answer.status_code == 409
        assert "connect Uni" in text_of(answer)
        assert ("I forgot my password" in text_of(answer)) == has_passwords


def test_stored_password_is_no_way_in_while_off(provider: Provider, settings) -> None:
    ada = make_account()
    browser = Browser(provider, provider.person(), client=sign_in())
    browser.go(process="connect")
    settings.LOCAL_PASSWORDS = False
    post = {"identity": SocialAccount.objects.get().pk}
    answer = browser.client.post(CONNECTIONS, post, follow=True)
    assert "Uni is your only way to sign in" in text_of(answer)
    Client().post("/accounts/login/", {"login": "ada", "password": PASSWORD})
    assert SocialAccount.objects.get().user == ada
    call_command("disconnect_provider", "ada", "uni", stdout=StringIO())
    assert sign_in().session["_auth_user_id"] == str(ada.pk), "the operator's way back"


def test_operator_disconnects_provider(provider: Provider) -> None:
    browser = new_account(provider)
    said = StringIO()
    with pytest.raises(CommandError, match="not connected with 'lab', but with uni"):
        call_command("disconnect_provider", browser.person.name, "lab")
    call_command("disconnect_provider", browser.person.name, "uni", stdout=said)
    assert f"manage.py changepassword {browser.person.name}" in said.getvalue()
    assert browser.account is None
    again = Browser(provider, browser.person)
    assert again.go().status_code == 409, "its address is still confirmed here"
    with pytest.raises(CommandError, match="no account has this"):
        call_command("disconnect_provider", "nobody-here", "uni")
