"""Accounts in the administration: found, made, changed, deleted; what nobody may change there."""

import pytest
from allauth.account.models import EmailAddress
from django.contrib.auth.models import Group, Permission
from django.test import Client

from quizzes.learners.models import INSTRUCTORS, Learner, User
from tests.factories import browser_of, create_account
from tests.learners.accounts import PASSWORD, sign_in
from tests.learners.addresses import addresses

pytestmark = pytest.mark.django_db

ACCOUNTS = "/admin/learners/user/"


@pytest.fixture
def root():
    return User.objects.create_superuser("root", password=PASSWORD)


@pytest.fixture
def admin(root):
    return sign_in(root.username)


@pytest.fixture
def eve():
    """A learner with an address that was never verified."""
    facts = {"email": "eve@uni.example", "password": "turnips-at-dusk", "verified": False}
    return Learner.objects.create(user=create_account("eve", **facts)).user


@pytest.fixture
def staff():
    """Somebody to whom accounts were entrusted, not the site."""
    user = User.objects.create_user("sam", password=PASSWORD, is_staff=True)
    user.user_permissions.set(Permission.objects.all())
    return sign_in("sam")


def fields_of(browser, user):
    """Return what the form of an account would send if nothing were changed."""
    page = browser.get(f"{ACCOUNTS}{user.pk}/change/")
    assert page.status_code == 200
    form = page.context["adminform"].form
    inlines = [inline.formset for inline in page.context["inline_admin_formsets"]]
    sent = {}
    for one in [form, *(part for each in inlines for part in [each.management_form, *each.forms])]:
        for bound in one:
            value = bound.value()
            if isinstance(value, list):
                sent[bound.html_name] = [getattr(item, "pk", item) for item in value]
            elif value is not None and value is not False:
                sent[bound.html_name] = value
    return sent


def change(browser, user, **changes):
    return browser.post(f"{ACCOUNTS}{user.pk}/change/", fields_of(browser, user) | changes)


@pytest.mark.both_databases
@pytest.mark.parametrize(("words", "found"), [("EVE", 1), ("uni.example", 1), ("nobody", 0)])
def test_an_account_is_found_by_name_and_address_once(admin, eve, words, found):
    EmailAddress.objects.create(user=eve, email="other@uni.example")
    page = admin.get(f"{ACCOUNTS}?q={words}")
    assert page.context["cl"].result_count == found


def test_a_new_account_signs_in_and_becomes_an_instructor(admin):
    group = Group.objects.get_or_create(name=INSTRUCTORS)[0]
    words = {"password1": "turnips-at-noon", "password2": "turnips-at-noon"}
    made = admin.post(f"{ACCOUNTS}add/", {"username": "ada", "usable_password": "true", **words})
    assert made.status_code == 302
    ada = User.objects.get(username="ada")
    assert ada.check_password("turnips-at-noon")
    assert change(admin, ada, groups=[group.pk]).status_code == 302
    assert User.objects.get(pk=ada.pk).is_instructor


def test_a_password_is_set(admin, eve):
    words = {"password1": "turnips-at-noon", "password2": "turnips-at-noon"}
    address = f"{ACCOUNTS}{eve.pk}/password/"
    assert admin.post(address, {"usable_password": "true", **words}).status_code == 302
    assert User.objects.get(pk=eve.pk).check_password("turnips-at-noon")


def test_an_address_is_verified_beside_its_account(admin, eve):
    assert change(admin, eve, **{"emailaddress_set-0-verified": "on"}).status_code == 302
    assert EmailAddress.objects.get(user=eve).verified


@pytest.mark.slow
def test_the_account_says_its_primary_address(admin, eve):
    added = {"emailaddress_set-TOTAL_FORMS": "2", "emailaddress_set-1-email": "E@Other.example"}
    of_whom = {"emailaddress_set-1-user": eve.pk, "emailaddress_set-1-verified": "on"}
    assert change(admin, eve, **added, **of_whom).status_code == 302
    assert User.objects.get(pk=eve.pk).email == "eve@uni.example"
    first = EmailAddress.objects.get(email="eve@uni.example")
    index = 0 if fields_of(admin, eve)["emailaddress_set-0-id"] == first.pk else 1
    change(admin, eve, **{f"emailaddress_set-{index}-DELETE": "on"})
    assert User.objects.get(pk=eve.pk).email == "e@other.example"
    assert EmailAddress.objects.get(user=eve).primary
    change(admin, eve, **{"emailaddress_set-0-DELETE": "on"})
    assert User.objects.get(pk=eve.pk).email == ""


def test_a_form_that_changes_no_address_keeps_what_the_account_says(admin, root):
    User.objects.filter(pk=root.pk).update(email="root@uni.example")
    assert change(admin, root, first_name="Ruth").status_code == 302
    kept = User.objects.get(pk=root.pk)
    assert (kept.first_name, kept.email) == ("Ruth", "root@uni.example")


@pytest.mark.both_databases
def test_an_address_that_somebody_else_verified_is_refused_with_a_sentence(admin, eve):
    other = User.objects.create_user("ada")
    EmailAddress.objects.create(user=other, email="eve@uni.example", verified=True)
    page = change(admin, eve, **{"emailaddress_set-0-verified": "on"})
    assert page.status_code == 200
    assert not EmailAddress.objects.get(user=eve).verified


READ_ONLY = {
    "email": "eve@other.example",
    "is_demo": "on",
    "last_login_0": "2020-01-01",
    "date_joined_0": "2020-01-01",
    "date_joined_1": "00:00:00",
}


@pytest.mark.slow
@pytest.mark.covering(most=2)
@pytest.mark.parametrize("name", READ_ONLY)
def test_what_follows_from_other_things_is_not_changed_there(admin, eve, name):
    before = User.objects.filter(pk=eve.pk).values().get()
    assert name not in fields_of(admin, eve)
    change(admin, eve, **{name: READ_ONLY[name]})
    assert User.objects.filter(pk=eve.pk).values().get() == before


@pytest.mark.slow
@pytest.mark.parametrize("name", ["is_active", "is_staff", "is_superuser"])
def test_nobody_takes_away_their_own_access(admin, root, name):
    assert name not in fields_of(admin, root)
    assert change(admin, root, **{name: ""}).status_code == 302
    own = User.objects.get(pk=root.pk)
    assert own.is_active
    assert own.is_staff
    assert own.is_superuser


def test_nobody_deletes_their_own_account_or_a_superuser(admin, root, eve):
    other = User.objects.create_superuser("other")
    for user in (root, other):
        assert admin.post(f"{ACCOUNTS}{user.pk}/delete/", {"post": "yes"}).status_code == 403
    every = {"action": "delete_selected", "_selected_action": [root.pk, other.pk, eve.pk]}
    assert admin.post(ACCOUNTS, every | {"post": "yes"}).status_code in {200, 403}
    assert User.objects.count() == 3


@pytest.mark.both_databases
@pytest.mark.parametrize("together", [False, True])
def test_deleting_an_account_deletes_what_is_kept_about_its_owner(admin, eve, together):
    learner = Learner.objects.get(user=eve)
    if together:
        chosen = {"action": "delete_selected", "_selected_action": [eve.pk], "post": "yes"}
        assert admin.post(ACCOUNTS, chosen).status_code == 302
    else:
        assert admin.post(f"{ACCOUNTS}{eve.pk}/delete/", {"post": "yes"}).status_code == 302
    assert not User.objects.filter(pk=eve.pk).exists()
    # With its old number a cookie on a shared machine would open what is left.
    assert not Learner.objects.filter(uuid=learner.uuid).exists()


@pytest.mark.parametrize("name", ["is_staff", "is_superuser", "groups", "user_permissions"])
def test_staff_cannot_say_what_accounts_may(staff, eve, name):
    Group.objects.get_or_create(name=INSTRUCTORS)
    given = {"groups": Group.objects.get().pk, "user_permissions": Permission.objects.first().pk}
    assert change(staff, eve, **{name: given.get(name, "on")}).status_code == 302
    same = User.objects.get(pk=eve.pk)
    assert not same.is_staff
    assert not same.is_superuser
    assert not same.groups.exists()
    assert not same.user_permissions.exists()


def test_staff_cannot_take_over_a_superuser(staff, root):
    words = {"password1": "turnips-at-noon", "password2": "turnips-at-noon"}
    address = f"{ACCOUNTS}{root.pk}/"
    assert (
        staff.post(f"{address}password/", {"usable_password": "true", **words}).status_code == 403
    )
    added = {"emailaddress_set-TOTAL_FORMS": "1", "emailaddress_set-INITIAL_FORMS": "0"}
    row = {"emailaddress_set-0-email": "sam@uni.example", "emailaddress_set-0-verified": "on"}
    assert staff.post(f"{address}change/", added | row | {"username": "root"}).status_code == 403
    assert User.objects.get(pk=root.pk).check_password(PASSWORD)
    assert not EmailAddress.objects.filter(user=root).exists()


# Names of the fields with which a form of Django or of an application says what it changes.
STOLEN = {
    "email": "sam@uni.example",
    "username": "sams",
    "password1": "turnips-at-noon",
    "password2": "turnips-at-noon",
    "usable_password": "true",
    "verified": "on",
    "is_active": "",
    "name": "renamed",
    "post": "yes",
    "emailaddress_set-TOTAL_FORMS": "1",
    "emailaddress_set-INITIAL_FORMS": "0",
    "emailaddress_set-0-email": "sam@uni.example",
    "emailaddress_set-0-verified": "on",
}


def of_a_superuser(user):
    """Return all by which the account is signed in to, and what it may."""
    addresses = EmailAddress.objects.order_by("pk").values("user", "email", "verified", "primary")
    groups = Group.objects.filter(user=user).values("name", "permissions").order_by("pk")
    own = User.objects.filter(pk=user.pk).values().get()
    return own, list(addresses.filter(user=user)), list(groups)


def posts_of(browser, path, user, row):
    """Return the forms that this page of the administration may be sent, with every action."""
    names = {"user": user.pk, "_selected_action": row.pk, "id": row.pk}
    page = browser.get(path)
    found = page.context["cl"].model_admin if page.context and "cl" in page.context else None
    actions = found.get_actions(page.wsgi_request) if found else {}
    return [STOLEN | names | {"action": action} for action in ["", *actions]]


@pytest.mark.slow
@pytest.mark.covering(most=1)
@pytest.mark.parametrize("kind", ["account", "address", "group"])
def test_no_page_of_the_administration_gives_staff_anything_of_a_superuser(staff, root, kind):
    """The account that may all, but is no superuser, opens every address there."""
    User.objects.filter(pk=root.pk).update(email="root@uni.example")
    group = Group.objects.get_or_create(name=INSTRUCTORS)[0]
    root.groups.add(group)
    row = EmailAddress.objects.create(user=root, email="root@uni.example", primary=True)
    row = {"account": root, "address": row, "group": group}[kind]
    root.refresh_from_db()
    before = of_a_superuser(root)
    staff.raise_request_exception = False  # an action of axes fails on its own page
    walked = [one for one in addresses() if one.route.startswith("admin/")]
    for one in (one for one in walked if "logout" not in one.route):
        path = one.path(str(row.pk), "auth")
        for data in posts_of(staff, path, root, row):
            staff.post(path, data)
            assert User.objects.filter(pk=root.pk).exists(), (path, data)
            assert of_a_superuser(root) == before, (path, data)
    assert staff.get("/admin/").status_code == 200


def test_staff_cannot_say_what_members_of_a_group_may(staff):
    """Or an account to which only groups were entrusted would give itself all the others."""
    group = Group.objects.get_or_create(name=INSTRUCTORS)[0]
    sent = {"name": "renamed", "permissions": [Permission.objects.first().pk]}
    for path in (f"{group.pk}/change/", f"{group.pk}/delete/", "add/"):
        assert staff.post(f"/admin/auth/group/{path}", sent | {"post": "yes"}).status_code == 403
    assert Group.objects.get().name == INSTRUCTORS
    assert not group.permissions.exists()


def test_a_superuser_says_what_members_of_a_group_may(admin):
    assert admin.post("/admin/auth/group/add/", {"name": "helpers"}).status_code == 302
    helpers = Group.objects.get(name="helpers")
    sent = {"name": "helpers", "permissions": [Permission.objects.first().pk]}
    assert admin.post(f"/admin/auth/group/{helpers.pk}/change/", sent).status_code == 302
    assert helpers.permissions.count() == 1
    admin.post(f"/admin/auth/group/{helpers.pk}/delete/", {"post": "yes"})
    assert not Group.objects.filter(name="helpers").exists()


def test_instructors_and_learners_are_not_let_in(eve):
    for browser in (Client(), browser_of(eve)):
        answer = browser.get(ACCOUNTS)
        assert (answer.status_code, answer.url.split("?")[0]) == (302, "/admin/login/")
