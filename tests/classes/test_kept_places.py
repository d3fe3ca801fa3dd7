"""Which places of rosters an account gets: by addresses and logins, and never another's."""

from dataclasses import dataclass, field
from typing import Any

import pytest
from allauth.account.models import EmailAddress

from quizzes.classes import enrollment
from quizzes.classes.enrollment import claim_places, has_invited, join, same_person
from quizzes.classes.models import Cohort, Membership
from quizzes.classes.services import merge_members, set_archived
from quizzes.learners.models import User
from tests.factories import create_account, create_class, create_member
from tests.learners.sign_on.provider import add_identity, trust_logins

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases(postgresql="soak")]

ADA = "ada@uni.example"
OTHERS = "bea@uni.example"  # which another account has confirmed


@dataclass(frozen=True)
class Case:
    """A roster, what a trusted provider says of a person, and whose place the person gets."""

    roster: list[dict[str, Any]]
    takes: str = ""  # the name of the row
    addresses: list[str] = field(default_factory=list)
    login: str = "ada"
    lets_in: bool | None = None  # with SIGNUP=invited, where it is not whether a place is taken


def row(name: str, login: str = "", email: str = "", **facts: Any) -> dict[str, Any]:
    return {"name": name, "login_id": login, "email": email, **facts}


JOSE = "jos\u00e9"
CASES = {
    "address": Case([row("Ada", email=ADA)], "Ada", [ADA], ""),
    "address in capitals": Case([row("Ada", email=ADA)], "Ada", [ADA.upper()], ""),
    "another address": Case([row("Ada", email=ADA)], "", ["eve@uni.example"], ""),
    "address with unseen letter": Case([row("Ada", email=ADA)], "", ["ada@uni\u034f.example"]),
    "login": Case([row("Ada", "ada")], "Ada"),
    "login beside an address": Case([row("Ada", "ada", ADA)], "Ada"),
    "login that is an address": Case([row("Ada", ADA, ADA)], "Ada", login=ADA),
    "login in capitals": Case([row("Ada", "ada")], login="Ada"),
    "roster in capitals": Case([row("Ada", "ADA")]),
    "login in Cyrillic": Case([row("Ada", "ada")], login="\u0430da"),
    "wide login": Case([row("Ada", "ada")], login="\uff41da"),
    "login with unseen letter": Case([row("Ada", "ada")], login="a\u200bda"),
    "login with blank": Case([row("Ada", "ada")], login="ada "),
    "composed login": Case([row("Jos\u00e9", JOSE)], "Jos\u00e9", login=JOSE),
    "decomposed login": Case([row("Jos\u00e9", JOSE)], login="jose\u0301"),
    "two logins in one word": Case([row("Ada", "ada"), row("Bea", "ADA")], "Ada"),
    "part of a login": Case([row("Ada", "ada.l")]),
    "login as id": Case([row("Ada", external_id="ada")]),
    "no login": Case([row("Ada", "", ADA)], login=""),
    "two of one login": Case([row("Ada", "ada"), row("Ada L", "ada")], lets_in=True),
    "login of a member": Case([row("Ada", "ada"), row("bea", "ada", state="active")], lets_in=True),
    "login of a removed member": Case(
        [row("Ada", "ada"), row("bea", "ada", state="removed")], lets_in=True
    ),
    "taken": Case([row("bea", "ada", ADA, state="active")], addresses=[ADA]),
    "removed": Case([row("Ada", "ada", ADA, state="removed", user=None)], addresses=[ADA]),
    "address before login": Case([row("L", "ada"), row("A", "", ADA)], "A", [ADA]),
    "login beside another's address": Case([row("Ada", "ada", OTHERS)], lets_in=True),
    "another's address": Case([row("Bea", email=OTHERS)], addresses=[OTHERS], lets_in=True),
}


@pytest.fixture
def cohort(course, ida) -> Cohort:
    return create_class(course=course, by=ida)


def fill(cohort: Cohort, roster: list[dict[str, Any]]) -> None:
    create_account("owner", email=OTHERS, verified=True)
    for person in roster:
        facts = {"state": "invited", **person}
        if "user" in facts:  # removed before coming
            Membership.objects.create(cohort=cohort, **facts)
        else:
            create_member(cohort, facts.pop("name"), **facts)


@pytest.mark.parametrize("name", CASES)
def test_place_is_taken_by_its_person(cohort: Cohort, name: str) -> None:
    case = CASES[name]
    fill(cohort, case.roster)
    before = cohort.memberships.count()
    assert has_invited(case.addresses, case.login) is (
        bool(case.takes) if case.lets_in is None else case.lets_in
    )
    sam = create_account("sam", email="sam@home.example", verified=True)
    taken = claim_places(user=sam, addresses=case.addresses, login=case.login)
    assert [place.name for place in taken] == ([case.takes] if case.takes else [])
    assert list(Membership.objects.filter(user=sam)) == taken
    assert cohort.memberships.count() == before
    assert claim_places(user=sam, addresses=case.addresses, login=case.login) == []
    eve = create_account("eve")
    again = claim_places(user=eve, addresses=case.addresses, login=case.login)
    assert not {place.pk for place in again} & {place.pk for place in taken}


def test_login_of_two_classes_takes_both(cohort: Cohort, ida: User) -> None:
    classes = [cohort, create_class("spring", by=ida), create_class("old", by=ida)]
    for each in classes:
        create_member(each, "ada", state="invited")
    set_archived(cohort=classes[2], by=ida, is_archived=True)
    taken = claim_places(user=create_account("sam"), login="ada")
    assert [place.cohort for place in taken] == classes[:2]
    assert not has_invited([], "ada")


@pytest.mark.both_databases
@pytest.mark.parametrize("proof", [{"login": "ada"}, {"addresses": [ADA]}])
def test_place_taken_meanwhile_stays(cohort: Cohort, monkeypatch, proof: dict[str, Any]) -> None:
    place = create_member(cohort, "Ada", state="invited", login_id="ada", email=ADA)
    eve, hold = create_account("eve"), enrollment._hold

    def hold_later(held: Cohort) -> Cohort:
        monkeypatch.undo()
        claim_places(user=eve, **proof)
        return hold(held)

    monkeypatch.setattr(enrollment, "_hold", hold_later)
    assert claim_places(user=create_account("sam"), **proof) == []
    place.refresh_from_db()
    assert place.user == eve


@pytest.mark.parametrize("state", ["active", "removed"])
def test_person_of_class_gets_no_second_place(cohort: Cohort, state: str) -> None:
    member = create_member(cohort, "sam", state=state)
    place = create_member(cohort, "ada", state="invited", email=ADA)
    assert claim_places(user=member.user, addresses=[ADA], login="ada") == []
    place.refresh_from_db()
    assert place.state == "invited"


@pytest.mark.both_databases
@pytest.mark.parametrize("way", ["address", "login"])
def test_second_place_makes_question(cohort: Cohort, ida: User, settings, way: str) -> None:
    trust_logins(settings)
    sam = create_account("sam", email=ADA, verified=True)
    add_identity(sam, login="ada")
    first = create_member(cohort, "A", state="invited", email=ADA, login_id="")
    EmailAddress.objects.create(user=sam, email="a.l@uni.example", verified=True)
    facts = {"email": "a.l@uni.example"} if way == "address" else {"login_id": "ada"}
    second = create_member(cohort, "L", state="invited", **({"login_id": ""} | facts))
    (place,) = claim_places(user=sam, login="ada")
    assert place == first
    rows = list(cohort.memberships.select_related("user"))
    assert same_person(rows) == {second.pk: place}
    merge_members(invited=second, joined=place, by=ida)
    assert cohort.memberships.filter(user=sam).count() == 1
    assert same_person(list(cohort.memberships.select_related("user"))) == {}


def test_joining_by_link_leaves_question_of_login(cohort: Cohort, settings) -> None:
    trust_logins(settings)
    sam = create_account("sam")
    add_identity(sam, login="ada")
    place = create_member(cohort, "Ada", state="invited", login_id="ada")
    joined = join(cohort=cohort, user=sam)
    assert joined != place, "the login is that of an earlier sign-in"
    assert same_person(list(cohort.memberships.select_related("user"))) == {place.pk: joined}
    settings.OIDC_PROVIDERS = ()
    assert same_person(list(cohort.memberships.select_related("user"))) == {}


@pytest.mark.parametrize("is_trusted", [True, False])
def test_address_of_trusted_provider_makes_question(
    cohort: Cohort, settings, is_trusted: bool
) -> None:
    trust_logins(settings, trust_email=is_trusted)
    sam = create_account("sam", email="sam@home.example", verified=True)
    add_identity(sam, login="s1", address=ADA)
    joined = join(cohort=cohort, user=sam)
    place = create_member(cohort, "Lovelace, A.", state="invited", email=ADA, login_id="")
    rows = list(cohort.memberships.select_related("user"))
    assert same_person(rows) == ({place.pk: joined} if is_trusted else {})


def test_open_question_takes_no_lock(cohort: Cohort, monkeypatch) -> None:
    joined = join(cohort=cohort, user=create_account("sam"))
    create_member(cohort, "Ada", state="invited", email=ADA, login_id="ada")
    monkeypatch.setattr(enrollment, "_hold", lambda _: pytest.fail("a class is locked"))
    assert claim_places(user=joined.user, addresses=[ADA], login="ada") == []


def test_blank_login_is_no_login(cohort: Cohort, settings) -> None:
    trust_logins(settings)
    sam = create_account("sam")
    add_identity(sam, login=" ")
    join(cohort=cohort, user=sam)
    create_member(cohort, "Ada", state="invited", email=ADA, login_id="")
    create_member(cohort, "Bea", state="invited", login_id="bea")
    assert same_person(list(cohort.memberships.select_related("user"))) == {}
