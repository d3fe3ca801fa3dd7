"""Messages to the old address of an account, and links to confirmed addresses only."""

import re

import pytest
from allauth.account.models import EmailAddress
from django.core import mail
from django.test import Client

from quizzes.learners.models import User
from tests.learners.accounts import (
    CLAIMED,
    NEW,
    OLD,
    PASSWORD,
    make_account,
    sign_in,
)

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases(postgresql="soak")]

CHOSEN = "another-long-8"
EVE = "eve@example.org"


@pytest.fixture
def ada():
    return make_account()


def told(address: str) -> list[str]:
    """Return the subjects of the messages to this address, without the name of the site."""
    found = [one.subject for one in mail.outbox if one.to == [address]]
    return [subject.removeprefix("Ordinal: ") for subject in found]


def link_in(text: str) -> str:
    found = re.search(r"http://testserver(/accounts/\S+)", text)
    assert found is not None, text
    return found.group(1)


def manage(client: Client, act: str, email: str) -> None:
    assert client.post("/accounts/email/", {f"action_{act}": "", "email": email}).status_code == 302


@pytest.mark.both_databases
def test_a_takeover_is_told_step_by_step_to_the_old_address(ada):
    client = sign_in()
    manage(client, "add", EVE)
    (confirm,) = [one for one in mail.outbox if one.to == [EVE]]
    client.post(link_in(confirm.body))
    manage(client, "primary", EVE)
    manage(client, "remove", OLD)
    assert told(OLD) == [
        "An e-mail address was added to your account",
        "Your account has a new main e-mail address",
        "An e-mail address was removed from your account",
    ]
    assert not EmailAddress.objects.filter(email=OLD).exists()


def test_each_new_password_is_told(ada):
    client = sign_in()
    form = {"oldpassword": PASSWORD, "password1": CHOSEN, "password2": CHOSEN}
    assert client.post("/accounts/password/change/", form).status_code == 302
    assert told(OLD) == ["Your password was changed"]
    User.objects.get().set_unusable_password()
    ada.set_unusable_password()
    ada.save()
    client.force_login(ada)
    client.post("/accounts/password/set/", {"password1": CHOSEN, "password2": CHOSEN})
    assert told(OLD)[1:] == ["Your account now has a password"]


def test_a_password_set_through_a_link_is_told(ada):
    Client().post("/accounts/password/reset/", {"email": NEW})
    client = Client()
    page = client.get(link_in(mail.outbox[0].body), follow=True)
    form = {"password1": CHOSEN, "password2": CHOSEN}
    client.post(page.redirect_chain[-1][0], form)
    assert told(OLD) == ["A new password was set"]


def test_the_last_address_is_told_that_it_is_removed(ada):
    EmailAddress.objects.exclude(email=OLD).delete()
    manage(sign_in(), "remove", OLD)
    assert told(OLD) == ["An e-mail address was removed from your account"]


def test_an_address_that_was_only_claimed_is_told_nothing(ada):
    manage(sign_in(), "remove", CLAIMED)
    assert told(CLAIMED) == []
    assert told(OLD) == ["An e-mail address was removed from your account"]


@pytest.mark.both_databases
def test_an_account_made_at_the_terminal_keeps_its_main_address():
    User.objects.create_superuser("root", OLD, PASSWORD)
    client = sign_in("root")
    manage(client, "add", EVE)
    client.post(link_in(next(one.body for one in mail.outbox if one.to == [EVE])))
    assert EmailAddress.objects.get(primary=True).email == OLD
    assert User.objects.get().email == OLD
    assert told(OLD) == ["An e-mail address was added to your account"]


def test_a_notice_can_be_read_and_says_what_to_do(django_user_model):
    user = django_user_model.objects.create_user("a<b&c", OLD, PASSWORD)
    EmailAddress.objects.create(user=user, email=OLD, primary=True, verified=True)
    client = sign_in("a<b&c")
    manage(client, "add", "o'hara&co@example.org")
    notice, confirm = sorted(mail.outbox, key=lambda one: one.to != [OLD])
    assert "The address o'hara&co@example.org was added" in notice.body
    assert "127.0.0.1" in notice.body
    assert "http://testserver/accounts/password/reset/" in notice.body
    assert "The account a<b&c lists o'hara&co@example.org" in confirm.body
    for one in (notice, confirm):
        assert one.subject.startswith("Ordinal: ")
        assert not re.search(r"&\w+;|\n{3,}|example\.com|\{[{%]", one.body)


@pytest.mark.parametrize("address", [CLAIMED, EVE])
def test_an_address_nobody_confirmed_gets_no_link_and_the_page_says_the_same(ada, address):
    confirmed = Client().post("/accounts/password/reset/", {"email": OLD}, follow=True)
    other = Client().post("/accounts/password/reset/", {"email": address}, follow=True)
    assert confirmed.redirect_chain == other.redirect_chain
    assert words(confirmed) == words(other)
    assert told(OLD) == ["Choose a new password"]
    assert told(address) == ["No account for this address"]
    assert "/password/reset/key/" not in mail.outbox[-1].body


def words(answer) -> str:
    return re.sub(r'name="csrfmiddlewaretoken" value="\w+"', "", answer.content.decode())


def sign_up() -> None:
    form = {"username": "bea", "email": "bea@example.org", "password1": CHOSEN}
    Client().post("/accounts/signup/", form)


def make_in_a_shell() -> None:
    User.objects.create_user("bea", "bea@example.org", CHOSEN)


def claim_on_the_page() -> None:
    make_account("bea")
    client = sign_in("bea")
    manage(client, "add", "bea@example.org")


@pytest.mark.both_databases
@pytest.mark.parametrize("way", [sign_up, make_in_a_shell, claim_on_the_page])
def test_whatever_way_an_address_came_it_gets_a_link_only_when_confirmed(way):
    way()
    Client().post("/accounts/password/reset/", {"email": "bea@example.org"})
    assert not [one for one in mail.outbox if "/password/reset/key/" in one.body]
    EmailAddress.objects.update_or_create(
        user=User.objects.get(), email="bea@example.org", defaults={"verified": True}
    )
    Client().post("/accounts/password/reset/", {"email": "bea@example.org"})
    assert "/password/reset/key/" in mail.outbox[-1].body


def test_signing_up_sends_the_link_that_confirms(db):
    sign_up()
    (message,) = mail.outbox
    assert message.to == ["bea@example.org"]
    Client().post(link_in(message.body))
    assert EmailAddress.objects.get().verified


@pytest.mark.both_databases
@pytest.mark.parametrize("with_a_confirmed_one", [True, False])
def test_an_address_that_is_not_confirmed_does_not_become_the_main_one(ada, with_a_confirmed_one):
    if not with_a_confirmed_one:
        EmailAddress.objects.update(verified=False)
    client = sign_in()
    manage(client, "primary", CLAIMED)
    assert "claimed@example.org is not confirmed yet" in client.get("/").content.decode()
    assert EmailAddress.objects.get(primary=True).email == OLD
    assert User.objects.get().email == OLD


def test_mail_that_cannot_be_sent_hides_nothing_and_undoes_nothing(ada, settings):
    settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
    settings.EMAIL_HOST, settings.EMAIL_PORT = "127.0.0.1", 9  # nobody listens
    client = sign_in()
    manage(client, "add", EVE)
    page = client.get("/accounts/email/").content.decode()
    assert EVE in page
    assert "could not send a message to that address" in page
    assert "We have sent" not in page


@pytest.mark.parametrize("address", [OLD, CLAIMED, EVE])
def test_no_link_is_said_to_be_sent_when_it_was_not_and_all_are_told_the_same(
    ada, settings, address
):
    settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
    settings.EMAIL_HOST, settings.EMAIL_PORT = "127.0.0.1", 9  # nobody listens
    answer = Client().post("/accounts/password/reset/", {"email": address}, follow=True)
    assert [place for place, _ in answer.redirect_chain] == ["/accounts/password/reset/"]
    page = answer.content.decode()
    assert "could not send a message to that address" in page
    assert "We have sent" not in page
