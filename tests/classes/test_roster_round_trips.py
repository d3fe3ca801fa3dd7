"""What goes out comes back: a roster that is written and read again changes nothing."""

import csv
from io import StringIO

import pytest
from django.utils import timezone
from hypothesis import HealthCheck, assume, example, given
from hypothesis import strategies as st

from quizzes.classes.enrollment import JoinedMembers, join
from quizzes.classes.models import Cohort, Membership
from quizzes.classes.names import fold_key, fold_name
from quizzes.classes.rosters.identity import Identity, identities_among, identity_of
from quizzes.classes.rosters.plan import plan_among
from quizzes.classes.rosters.reader import SHORTENED, TEST_STUDENT, as_typed, read_roster
from quizzes.classes.rosters.writers import WRITERS, write_roster
from quizzes.learners.models import User
from tests.classes.pages import teach_class
from tests.courses import some_course
from tests.examples import examples
from tests.factories import browser_of, create_account, create_class, create_member

# Letters of all scripts, and what separates, quotes, computes or is not seen. Halves of surrogate
# pairs cannot be stored.
LETTERS = st.characters(exclude_categories=["Cs"]) | st.sampled_from(
    " ,;\t|'\"=+-@#\u00a0\u200b\u200c\u200d\u200e\u202e\ufeff\u0301ßİσς"
)


NAMES = st.text(LETTERS, max_size=20).map(fold_name)
KEYS = (
    st.text(LETTERS, min_size=1, max_size=12)
    .map(fold_key)
    .filter(lambda key: key and "@" not in key and not SHORTENED.fullmatch(key))
)
SOME_KEYS = st.one_of(st.just(""), st.sampled_from(["7", "007", "ada", "p1", "#x"]), KEYS)


@st.composite
def members(draw):
    """Draw the members of a class: invited or joined, on the roster, by their account, or both."""
    rows, emails, keys, accounts = [], set(), set(), set()
    for number in range(1, draw(st.integers(2, 5))):
        row = Membership(pk=number, state="invited", role=draw(st.sampled_from(ROLES)))
        row.given_name, row.family_name = draw(st.tuples(NAMES, NAMES) | st.just(("", "")))
        row.name = f"{row.given_name} {row.family_name}".strip() or draw(NAMES)
        row.section = draw(NAMES)
        for field in ("external_id", "login_id"):
            key = draw(SOME_KEYS)
            if (field, key) not in keys:
                keys.add((field, key))
                setattr(row, field, key)
        email = draw(st.sampled_from(["", "p1@u.example", "p2@u.example", "zoe@übung.example"]))
        if email not in emails:
            emails.add(email)
            row.email = email
        name = draw(st.sampled_from(["", "ada", "p1", "p1@u.example", "Ada", "x y"]))
        if name and name not in accounts:
            accounts.add(name)
            first, last = draw(st.tuples(NAMES, NAMES))
            address = draw(st.sampled_from(["", "p1@u.example", "own@u.example"]))
            row.user = User(
                pk=number, username=name, first_name=first, last_name=last, email=address
            )
            row.state, row.joined_at = "active", timezone.now()
        rows.append(row)
    return rows


ROLES = Membership.Role.values
SLOW = [HealthCheck.too_slow, HealthCheck.filter_too_much]
FEW = examples(40, suppress_health_check=SLOW)


def ada(**values):
    return [Membership(pk=1, state="invited", role="student", email="a@u.example", **values)]


@pytest.mark.parametrize("unseen", ["\u200b", "\ufeff", "\u2060", "\u200e"])
@pytest.mark.parametrize("key", ["email", "external_id", "login_id"])
def test_a_key_stored_with_unseen_characters_is_known(key, unseen):
    """Rosters of before kept them."""
    typed = "zoe@u.example" if key == "email" else "zoe1"
    stored = f"{typed[:3]}{unseen}{typed[3:]}{unseen}"
    row = Membership(pk=1, state="invited", role="student", name="Zoë", **{key: stored})
    for cell in (typed, stored):
        plan = plan_among([row], read_roster(f"{key},name\n{cell},Zoë\n".encode()), JoinedMembers())
        assert (plan.added, plan.changed, plan.refused, plan.missing) == ([], [], [], [])


@pytest.mark.slow
@pytest.mark.parametrize("form", WRITERS)
@given(members())
@example(ada(name="Doe, Jane"))
@example(ada(name="Jane Doe"))
@example(ada(name="Plato"))
@example(ada(name="King, Martin Luther, Jr."))
@example(ada(name="María José García Márquez", given_name="María José", family_name="G. M."))
@example(ada(name='Ada "the first" O\'Neil', external_id="00123", section="A, B"))
@FEW
def test_a_written_roster_changes_nothing(form, rows):
    people = identities_among(rows)
    known = [row for row in rows if people[row.pk].is_known]
    assume(known)
    assume(not any(TEST_STUDENT.fullmatch(people[row.pk].sortable) for row in known))
    data = b"".join(write_roster(people.values(), form))
    read = read_roster(data)
    assert (read.faults, read.left_out) == ([], [])
    plan = plan_among(rows, read, JoinedMembers())
    assert [one.words for one in plan.changed] == []
    assert (plan.added, plan.refused) == ([], [])
    assert {one.member.pk for one in plan.unchanged} == {row.pk for row in known}


@pytest.mark.slow
@pytest.mark.parametrize("form", WRITERS)
@given(members())
@FEW
def test_a_reader_of_csv_alone_finds_the_same_people(form, rows):
    people = [one for one in identities_among(rows).values() if one.is_known]
    text = b"".join(write_roster(people, form)).decode("utf-8-sig")
    first, *lines = csv.reader(StringIO(text, newline=""))
    table = [dict(zip(first, map(as_typed, line), strict=True)) for line in lines]
    if form == "plain":
        found = [(one["email"], one["name"], one["external_id"], one["login_id"]) for one in table]
        expected = [(one.email, one.name, one.external_id, one.login) for one in people]
    elif form == "moodle":
        found = [
            (one["email"], one["firstname"], one["lastname"], one["username"]) for one in table
        ]
        expected = [
            (one.email, one.given_name, one.family_name, one.login or one.email) for one in people
        ]
    else:
        points, *table = table
        assert points["Student"].strip() == "Points Possible"
        found = [(one["SIS User ID"], one["SIS Login ID"], one["Student"]) for one in table]
        expected = [(one.external_id, one.login or one.email, one.sortable) for one in people]
    assert sorted(found) == sorted(expected)


@pytest.mark.parametrize(
    ("name", "given_name", "family_name"),
    [
        ("Doe, Jane", "Jane", "Doe"),
        ("Jane Doe", "Jane", "Doe"),
        ("Plato", "Plato", ""),
        ("Doe,", "Doe,", ""),
        ("King, Martin Luther, Jr.", "Martin Luther, Jr.", "King"),
    ],
)
def test_a_name_is_split_at_its_comma(name, given_name, family_name):
    identity = identity_of(Membership(name=name))
    assert (identity.given_name, identity.family_name) == (given_name, family_name)


def test_nobody_has_an_address_of_somebody_else():
    roster = Membership(pk=1, email="ada@u.example", login_id="ada", state="invited")
    eve = User(pk=2, username="ada", email="ada@u.example")
    mallory = User(pk=3, username="m", email="ada@u.example")
    rows = [roster, *(Membership(pk=one.pk, user=one, state="active") for one in (eve, mallory))]
    people = identities_among(rows)
    assert (people[1].email, people[1].login) == ("ada@u.example", "ada")
    assert (people[2].email, people[2].login, people[2].is_known) == ("", "", False)
    assert (people[3].email, people[3].login) == ("", "m")


def test_who_cannot_be_named_is_left_out():
    lines = list(
        write_roster([Identity(name="Nobody"), Identity(name="Ada", login="ada")], "plain")
    )
    assert len(lines) == 2


# ---- a class that joined by its link

pytestmark = pytest.mark.django_db


@pytest.fixture
def joined(ida):
    cohort = create_class(course=some_course(), by=ida)
    for name, email in (("ada", "ada@u.example"), ("bo", ""), ("zoë", "z@u.example")):
        join(cohort=cohort, user=User.objects.create_user(name, email=email))
    return cohort


def bring_in(browser, data, cohort, **fields):
    file = StringIO(data.decode("utf-8-sig"))
    file.name = "roster.csv"
    page = browser.post(teach_class("roster/", cohort), {"file": file})
    assert page.status_code == 200, page.content.decode()
    plan = page.context["plan"]
    fields |= {"text": page.context["text"], "digest": plan.digest}
    done = browser.post(teach_class("roster/apply/", cohort), fields)
    assert done.status_code == 302
    return plan


def exported(browser, cohort, form):
    return browser.get(teach_class("roster.csv", cohort), {"as": form}).content


@pytest.mark.both_databases
@pytest.mark.parametrize("form", WRITERS)
def test_a_class_of_its_link_is_exported_twice_the_same(joined, ida, form):
    browser = browser_of(ida)
    data = exported(browser, joined, form)
    assert data.count(b"\r\n") == 5 + (form == "canvas")  # the instructor too
    before = list(Membership.objects.order_by("pk").values())
    plan = bring_in(browser, data, joined)
    assert (len(plan.unchanged), plan.changed, plan.added) == (4, [], [])
    assert list(Membership.objects.order_by("pk").values()) == before
    assert exported(browser, joined, form) == data
    other = create_class("spring", course=some_course(), by=create_account("otto", role=""))
    create_member(other, "ida", role="instructor", name="ida", email="")
    Membership.objects.exclude(user=ida).filter(cohort=other).delete()
    bring_in(browser, data, other)
    assert exported(browser, other, form) == data


def test_the_roster_of_accounts_names_them(joined, ida):
    text = exported(browser_of(ida), joined, "plain").decode("utf-8-sig")
    rows = {row["login_id"]: row for row in csv.DictReader(StringIO(text, newline=""))}
    assert rows["ada"]["email"] == "ada@u.example"
    assert rows["bo"]["name"] == "bo"
    assert (rows["ida"]["email"], rows["ida"]["role"]) == ("", "instructor")


def test_what_changes_people_of_their_accounts_needs_a_tick(joined, ida):
    browser = browser_of(ida)
    text = "email,login_id,section\nada@u.example,ada,Monday\n"
    page = browser.post(teach_class("roster/"), {"text": text})
    fields = {"text": text, "digest": page.context["plan"].digest}
    refused = browser.post(teach_class("roster/apply/"), fields)
    assert "tick the box to confirm that these accounts" in refused.content.decode()
    assert not Membership.objects.filter(section="Monday").exists()
    browser.post(teach_class("roster/apply/"), fields | {"accounts": "yes"})
    changed = Membership.objects.get(section="Monday")
    assert (changed.user.username, changed.email, changed.login_id) == ("ada", "", "")


def test_an_account_with_another_address_is_somebody_else(joined, ida):
    text = "email,login_id\nother@u.example,ada\n"
    page = browser_of(ida).post(teach_class("roster/"), {"text": text})
    assert [one.login_id for one in page.context["plan"].added] == ["ada"]


@pytest.mark.both_databases
def test_parts_of_a_name_stay_as_the_file_had_them(ida):
    cohort = create_class(course=some_course(), by=ida)
    browser = browser_of(ida)
    text = "Vorname;Nachname;E-Mail-Adresse\nMaría José;García Márquez;m@u.example\n"
    bring_in(browser, text.encode(), cohort)
    assert b"Mar\xc3\xada Jos\xc3\xa9,Garc\xc3\xada M\xc3\xa1rquez" in exported(
        browser, cohort, "moodle"
    )
    assert '"García Márquez, María José"' in exported(browser, cohort, "canvas").decode()
    member = Membership.objects.get(email="m@u.example")
    assert member.name == "María José García Márquez"
    fields = {"name": "Mara Meier", "email": member.email, "role": "student"}
    browser.post(teach_class(f"people/{member.pk}/change/"), fields)
    assert b"Mara,Meier" in exported(browser, cohort, "moodle")


def test_the_page_says_who_is_left_out(ida):
    cohort = create_class(course=some_course(), by=ida)
    Membership.objects.create(cohort=cohort, name="Nameless Nell")
    page = browser_of(ida).get(teach_class("roster/")).content.decode()
    assert "1 person is left out of these files" in " ".join(page.split())
    assert "Nameless Nell" in page
    assert Cohort.objects.get(pk=cohort.pk).roster_columns == []
