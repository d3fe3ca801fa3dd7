"""Pages of an account that say what there is: ways to sign in, an address that is not confirmed."""

import pytest
from allauth.account.models import EmailAddress
from django.test import Client

from tests.learners.accounts import make_account, set_up_app, sign_in

pytestmark = pytest.mark.django_db
WAYS, SENT = "/accounts/providers/", "/accounts/confirm-email/"


def test_ways_name_password_and_second_factor():
    user = make_account()
    page = sign_in().get(WAYS).content.decode()
    assert 'href="/accounts/password/change/"' in page
    assert "<p>Off</p>" in page
    assert "None are offered here" in page
    client = sign_in()
    set_up_app(user.pk)
    assert "On: a code from your app" in client.get(WAYS).content.decode()


def test_owner_reads_address_to_confirm():
    user = make_account()
    EmailAddress.objects.create(user=user, email="new@b.example")
    page = sign_in().get(SENT).content.decode()
    assert "new@b.example</strong>" in page
    assert 'name="action_send"' in page


def test_visitor_reads_no_address():
    EmailAddress.objects.create(user=make_account(), email="new@b.example")
    page = Client().get(SENT).content.decode()
    assert "@b.example" not in page
    assert "action_send" not in page
