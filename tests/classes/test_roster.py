"""Rosters in and out: what is read, what is refused by its line; nothing is half stored."""

import csv
from io import StringIO

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quizzes.classes.enrollment import join, same_person
from quizzes.classes.models import Membership
from quizzes.classes.rosters.plan import RosterError, apply_roster, plan_of
from quizzes.classes.rosters.reader import read_roster
from quizzes.classes.rosters.table import MOST_BYTES, MOST_LINES
from quizzes.learners.models import User
from tests.classes.pages import teach_class
from tests.courses import some_course
from tests.factories import browser_of, create_account, create_class, create_member
from tests.learners.accounts import PASSWORD, make_account, make_stale, sign_in
from tests.learners.sign_on.provider import add_identity, trust_logins

PLAIN = "email,name,external_id,login_id,section,role\n"


def read(text):
    return read_roster(text.encode())


def people(text):
    found = read(text)
    assert found.faults == []
    return [
        (one.email, one.name, one.external_id, one.login_id, one.section, one.role)
        for one in found.people
    ]


def causes(text):
    return [(one.line, one.cause) for one in read(text).faults]


# ---- forms


@pytest.mark.parametrize("delimiter", [",", ";", "\t"])
@pytest.mark.parametrize("mark", ["", "\ufeff"])
@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_our_own_form_in_any_order_with_each_separator(delimiter, mark, end):
    text = (
        mark
        + delimiter.join(["role", "name", "Email", "external_id"])
        + end
        + delimiter.join(["assistant", '"Lovelace, ""Ada"""', " ADA@Uni.Example ", "007"])
        + end
    )
    assert people(text) == [
        ("ada@uni.example", 'Lovelace, "Ada"', "007", "", "", "assistant"),
    ]


def test_moodles_list_of_participants():
    text = (
        '"First name","Last name","Email address","ID number",Groups\n'
        'Zoë,"O\'Brien, Jr.",zoe@uni.example,00123,"Mon A"\n'
        "Bo,,bo@uni.example,,\n"
    )
    assert people(text) == [
        ("zoe@uni.example", "Zoë O'Brien, Jr.", "00123", "", "Mon A", ""),
        ("bo@uni.example", "Bo", "", "", "", ""),
    ]


def test_moodles_upload_of_users():
    text = "username,email,firstname,lastname\nadal,ada@uni.example,Ada,Lovelace\n"
    assert people(text) == [("ada@uni.example", "Ada Lovelace", "", "adal", "", "")]


def test_canvas_gradebook_with_its_second_line_and_its_test_student():
    text = (
        "Student,ID,SIS User ID,SIS Login ID,Section,Homework 1 (99),Final Score\n"
        "    Points Possible,,,,,10.00,(read only)\n"
        '"Lovelace, Ada",4711,0042,ada,Mon,9.5,95\n'
        '"Hopper, Grace",4712,,grace@uni.example,"Mon, and Tue",,\n'
        '"Student, Test",4713,,abc123,Mon,,\n'
    )
    assert people(text) == [
        ("", "Ada Lovelace", "0042", "ada", "Mon", ""),
        ("grace@uni.example", "Grace Hopper", "", "grace@uni.example", "Mon, and Tue", ""),
    ]
    found = read(text)
    assert [one.line for one in found.left_out] == [5]
    assert found.columns.ignored == ["ID", "Homework 1 (99)", "Final Score"]


def test_names_are_composed_and_lines_counted_where_a_cell_has_two():
    text = PLAIN + 'a@b.example,"Zoe\u0308\nMiller",,,,\nx,,,,,\n'
    found = read(text)
    assert found.people[0].name == "Zo\u00eb Miller"
    assert found.people[0].line == 2
    assert [one.line for one in found.faults] == [4]


# ---- faults


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", [(0, "the file is empty")]),
        ("\n\n ", [(0, "the file is empty")]),
        (PLAIN, [(0, "the file lists nobody")]),
        (
            PLAIN + ",Ada,,,,\n",
            [(2, "has no e-mail address, no id and no login: add one of them.")],
        ),
        (PLAIN + "no address,,,,,\n", [(2, "email: 'no address' is not an address")]),
        (
            PLAIN + "a@b.example,,,,,boss\n",
            [(2, "role: must be one of student, assistant, instructor, not 'boss'")],
        ),
        (
            PLAIN + "a@b.example,A,,,,\nA@B.example,B,,,,\n",
            [(3, "email: 'a@b.example' is also in line 2")],
        ),
        (PLAIN + ",A,7,,,\n,B,7,,,\n", [(3, "external_id: '7' is also in line 2")]),
        (
            PLAIN + "a@b.example,,,,,,,x\n",
            [(2, "has 8 cells, the first line has 6 columns")],
        ),
        (
            PLAIN + ",," + "7" * 101 + ",,,\n",
            [(2, "external_id: has 101 characters, at most 100 are allowed")],
        ),
    ],
)
def test_each_fault_is_named_with_its_line(text, expected):
    assert causes(text) == expected


def test_an_open_quote_is_found_by_its_line():
    ((line, cause),) = causes(PLAIN + 'a@b.example,,,,,\nb@b.example,"Bo,,,,\n')
    assert line == 3
    assert "cannot be read as a table" in cause


def test_a_file_that_is_too_long_is_refused():
    line = "p{}@b.example,,,,,\n"
    most = PLAIN + "".join(line.format(n) for n in range(MOST_LINES))
    assert read(most).faults == []
    assert len(read(most).people) == MOST_LINES
    assert "more than 5000" in causes(most + "one@more.example,,,,,\n")[0][1]
    assert "bytes" in read_roster(b"x" * (MOST_BYTES + 1)).faults[0].cause


@given(
    st.binary(max_size=300)
    | st.text(max_size=300).map(lambda text: text.encode("utf-8", "replace"))
)
def test_no_file_breaks_the_reader(data):
    found = read_roster(data)
    assert found.faults or found.people or found.left_out or found.asks
    found = read_roster(PLAIN.encode() + data)
    assert found.people or found.faults


# ---- against a class

in_database = pytest.mark.django_db
both = pytest.mark.both_databases


@pytest.fixture
def cohort(ida):
    return create_class(course=some_course(), by=ida)


def everything():
    return list(Membership.objects.order_by("pk").values())


def apply(cohort, by, text, remove=()):
    found = read(text)
    digest = plan_of(cohort, found).digest
    return apply_roster(cohort=cohort, roster=found, by=by, digest=digest, remove=remove)


@both
@in_database
def test_a_plan_says_what_is_added_changed_unchanged_and_missing(cohort, ida):
    ada = create_member(cohort, "Ada", email="ada@uni.example", section="Mon")
    bob = create_member(cohort, "Bob", external_id="7")
    gone = create_member(cohort, "Gone", email="gone@uni.example")
    text = PLAIN + "ada@uni.example,Ada,,,Tue,\n,,7,,,\nnew@uni.example,New,,,,\n"
    before = everything()
    plan = plan_of(cohort, read(text))
    assert everything() == before
    assert [one.email for one in plan.added] == ["new@uni.example"]
    assert [(one.member, one.words) for one in plan.changed] == [
        (ada, ("section: Mon becomes Tue",))
    ]
    assert [one.member for one in plan.unchanged] == [bob]
    assert plan.missing == [gone]  # and not Ida, who teaches
    apply(cohort, ida, text)
    ada.refresh_from_db()
    assert ada.section == "Tue"
    assert Membership.objects.get(email="new@uni.example").state == "invited"
    again = plan_of(cohort, read(text))
    assert (again.added, again.changed, len(again.unchanged)) == ([], [], 3)


@both
@in_database
def test_missing_people_stay_unless_ticked(cohort, ida):
    first, second = (create_member(cohort, name, email=f"{name}@u.example") for name in ("a", "b"))
    text = PLAIN + "new@uni.example,New,,,,\n"
    apply(cohort, ida, text, remove=[first.pk])
    states = dict(Membership.objects.values_list("pk", "state"))
    assert (states[first.pk], states[second.pk]) == ("removed", "active")
    with pytest.raises(RosterError, match="not among the missing"):
        apply(cohort, ida, text, remove=[cohort.memberships.get(user=ida).pk])


@in_database
def test_a_member_who_may_be_of_a_line_is_not_offered_for_removal(cohort, ida):
    anna = join(cohort=cohort, user=User.objects.create_user("anna.b", email="Anna@u.example"))
    other = join(cohort=cohort, user=User.objects.create_user("carl", email="carl@u.example"))
    text = PLAIN + "anna@u.example,Anna B,,,,\n"
    plan = plan_of(cohort, read(text))
    assert (plan.doubtful, plan.missing) == ([(anna, 2)], [other])
    file = StringIO(text)
    file.name = "roster.csv"
    shown = browser_of(ida).post(teach_class("roster/"), {"file": file}).content.decode()
    assert "<bdi>anna.b</bdi> may be the person on line 2" in shown
    assert "Remove <bdi>carl</bdi>" in shown
    assert "Remove anna.b" not in shown
    with pytest.raises(RosterError, match="not among the missing"):
        apply(cohort, ida, text, remove=[anna.pk])
    apply(cohort, ida, text)
    assert list(same_person(list(cohort.memberships.select_related("user"))).values()) == [anna]
    assert plan_of(cohort, read(text)).doubtful == [(anna, 2)]  # of a row that waits, too


@in_database
def test_namesake_with_own_line_hides_nobody(cohort):
    create_member(cohort, "a", name="Anna Müller", email="", external_id="1")
    joined = create_member(cohort, "b", name="Anna Müller", email="")
    text = "email,name,external_id\n,Anna Müller,1\n,Anna Müller,2\n"
    plan = plan_of(cohort, read(text))
    assert (plan.doubtful, plan.missing, len(plan.added)) == ([(joined, 3)], [], 1)


@in_database
@pytest.mark.parametrize("line", ["ada@uni.example,Lovelace A,,", ",Lovelace A,,ada"])
def test_member_known_by_proof_is_not_offered_for_removal(cohort, settings, line):
    trust_logins(settings)
    sam = create_account("sam", email="ada@uni.example", verified=True)
    add_identity(sam, login="ada")
    joined = join(cohort=cohort, user=sam)
    Membership.objects.filter(pk=joined.pk).update(email="")
    plan = plan_of(cohort, read(f"email,name,external_id,login_id\n{line}\n"))
    assert (plan.doubtful, plan.missing, len(plan.added)) == ([(joined, 2)], [], 1)


@both
@in_database
def test_a_login_is_somebody_only_if_one_address_begins_with_it(cohort):
    one = create_member(cohort, "J Doe", state="invited", login_id="", email="jdoe@uni.example")
    text = 'Student,ID,SIS Login ID,Section\n"Doe, J",1,jdoe,Mon\n'
    assert [change.member for change in plan_of(cohort, read(text)).changed] == [one]
    other = create_member(cohort, "J Doe", state="invited", login_id="", email="jdoe@other.example")
    (fault,) = plan_of(cohort, read(text)).refused
    assert fault.line == 2
    assert f"(number {one.pk})" in fault.cause
    assert f"(number {other.pk})" in fault.cause


@both
@in_database
def test_keys_that_lead_to_two_people_are_left_to_a_person(cohort, ida):
    create_member(cohort, "A", email="a@uni.example")
    create_member(cohort, "B", external_id="7")
    text = PLAIN + "new@uni.example,,,,,\na@uni.example,,7,,,\n"
    before = everything()
    (fault,) = plan_of(cohort, read(text)).refused
    assert (fault.line, "may belong to A" in fault.cause) == (3, True)
    with pytest.raises(RosterError):
        apply(cohort, ida, text)
    assert everything() == before


@both
@in_database
def test_two_lines_that_are_one_person_are_refused(cohort):
    create_member(cohort, "A", email="a@uni.example", external_id="7")
    (fault,) = plan_of(cohort, read(PLAIN + "a@uni.example,,,,,\n,,7,,,\n")).refused
    assert (fault.line, "so is line 2" in fault.cause) == (3, True)


@both
@in_database
def test_ids_that_were_swapped_are_swapped(cohort, ida):
    create_member(cohort, "A", email="a@u.example", external_id="1", login_id="a")
    create_member(cohort, "B", email="b@u.example", external_id="2", login_id="b")
    text = PLAIN + "a@u.example,,1,,,\nc@u.example,,2,,,\n"
    apply(cohort, ida, text)
    assert Membership.objects.get(name="B").email == "c@u.example"


@both
@in_database
def test_a_roster_cannot_leave_a_class_without_an_instructor(cohort, ida):
    place = cohort.memberships.get()
    Membership.objects.filter(pk=place.pk).update(email="ida@uni.example")
    (fault,) = plan_of(cohort, read(PLAIN + "ida@uni.example,,,,,student\n")).refused
    assert "without an instructor" in fault.cause


@both
@in_database
def test_a_removed_member_in_the_file_comes_back(cohort, ida):
    removed = create_member(cohort, "A", state="removed", email="a@u.example")
    (change,) = plan_of(cohort, read(PLAIN + "a@u.example,,,,,\n")).changed
    assert change.words == ("was removed, will be restored",)
    apply(cohort, ida, PLAIN + "a@u.example,,,,,\n")
    removed.refresh_from_db()
    assert removed.state == "active"


# ---- the pages


@both
@in_database
def test_a_file_is_shown_first_and_stored_by_apply(cohort, ida):
    browser = browser_of(ida)
    before = everything()
    file = StringIO(PLAIN + "a@u.example,<b>Ada</b>,,,,\n")
    file.name = "roster.csv"
    page = browser.post(teach_class("roster/"), {"file": file})
    text = page.content.decode()
    assert page.status_code == 200
    assert "&lt;b&gt;Ada&lt;/b&gt;" in text
    assert everything() == before
    fields = {"text": page.context["text"], "digest": page.context["plan"].digest}
    # As a browser sends it back.
    fields["text"] = fields["text"].replace("\n", "\r\n")
    create_member(cohort, "late", email="a@u.example")
    late = browser.post(teach_class("roster/apply/"), fields)
    assert late.status_code == 409
    assert "the class has changed in the meantime" in late.content.decode()
    Membership.objects.filter(user__username="late").delete()
    done = browser.post(teach_class("roster/apply/"), fields, follow=True)
    assert "1 added, 0 changed, 0 unchanged, 0 removed" in done.content.decode()
    assert Membership.objects.get(email="a@u.example").name == "<b>Ada</b>"


@both
@in_database
@pytest.mark.parametrize("step", ["roster/", "roster/apply/"])
def test_a_file_with_a_fault_stores_nothing_in_either_step(cohort, ida, step):
    before = everything()
    text = PLAIN + "good@u.example,,,,,\nbad,,,,,\n"
    answer = browser_of(ida).post(teach_class(step), {"text": text, "digest": ""})
    assert "Line 3: email: " in answer.content.decode()
    assert everything() == before


@in_database
def test_a_line_with_two_faults_is_one_refused_line(cohort, ida):
    browser, text = browser_of(ida), PLAIN + "bad,,,,,boss\n"
    page = browser.post(teach_class("roster/"), {"text": text}).content.decode()
    assert "<dt>Refused</dt><dd>1</dd>" in page
    assert "Line 2: email: " in page
    assert "Line 2: role: " in page
    applied = browser.post(teach_class("roster/apply/"), {"text": text}).content.decode()
    assert "Nothing was saved: 1 line was refused." in applied
    both = browser.post(teach_class("roster/apply/"), {"text": text + "worse,,,,,\n"})
    assert "Nothing was saved: 2 lines were refused." in both.content.decode()


@pytest.mark.slow
@in_database
@pytest.mark.parametrize("people", [60, pytest.param(5000, marks=pytest.mark.soak)])
def test_a_large_roster_goes_through_both_steps(cohort, ida, people):
    browser = browser_of(ida)
    names = "x" * 60
    text = PLAIN + "".join(
        f"p{n}@uni.example,Person {n} {names},{n:05},,Mon,\n" for n in range(people)
    )
    page = browser.post(teach_class("roster/"), {"text": text})
    assert page.status_code == 200
    fields = {"text": page.context["text"], "digest": page.context["plan"].digest}
    assert browser.post(teach_class("roster/apply/"), fields).status_code == 302
    assert cohort.memberships.count() == people + 1
    assert cohort.memberships.get(external_id="00042").name == f"Person 42 {names}"
    everybody = cohort.memberships.exclude(user=ida).values_list("pk", flat=True)
    page = browser.post(teach_class("roster/"), {"text": PLAIN + "one@uni.example,,,,,\n"})
    fields = {
        "text": page.context["text"],
        "digest": page.context["plan"].digest,
        "remove": list(everybody),
    }
    assert browser.post(teach_class("roster/apply/"), fields).status_code == 302
    assert cohort.memberships.count() == 2


@both
@in_database
def test_the_roster_and_the_links_are_files(cohort, ida):
    create_member(cohort, "=cmd|x", state="invited", email="a@u.example", login_id="")
    browser = browser_of(ida)
    page = browser.get(teach_class("roster.csv"))
    assert page.headers["Content-Disposition"] == 'attachment; filename="autumn-roster.csv"'
    assert "'=cmd|x" in page.content.decode()
    assert browser.get(teach_class("roster.csv"), {"as": "x"}).status_code == 400
    links = browser.post(teach_class("links.csv")).content.decode("utf-8-sig")
    ((_, name, _, link),) = list(csv.reader(StringIO(links)))[1:]
    assert name == "'=cmd|x"
    path = link.removeprefix("http://testserver")
    assert browser.get(path).status_code == 200
    browser.post(teach_class("links.csv"))
    assert browser.get(path).status_code == 404


def test_lines_of_blanks_before_the_header_say_nothing():
    found = read("  \n\nemail,name\nada@uni.example,Ada\n")
    assert (found.faults, [one.email for one in found.people]) == ([], ["ada@uni.example"])


@pytest.mark.django_db
def test_an_old_session_makes_nobody_staff_of_a_class():
    cohort = create_class(course=some_course(), by=make_account("olga"))
    sam = create_member(cohort, "sam")
    ines = create_member(cohort, "ines", state="invited", role="instructor")
    browser = make_stale(sign_in("olga"))
    before = list(Membership.objects.order_by("pk").values())
    person = {"name": "Sam", "extra_time_percent": "0", "role": "instructor"}
    text = "email,role\nnew@uni.example,assistant\n"
    for path, fields in {
        f"people/{sam.pk}/change/": person,
        f"people/{ines.pk}/invite/": {},
        "links.csv": {},
        "roster/apply/": {"text": text, "digest": plan_of(cohort, read(text)).digest},
    }.items():
        asked = browser.post(teach_class(path), fields)
        assert asked.url.startswith("/accounts/reauthenticate/"), path
    assert list(Membership.objects.order_by("pk").values()) == before
    same = browser.post(teach_class(f"people/{sam.pk}/change/"), person | {"role": "student"})
    assert same.url == teach_class(f"people/{sam.pk}/")
    browser.post("/accounts/reauthenticate/", {"password": PASSWORD})
    browser.post(teach_class(f"people/{sam.pk}/change/"), person)
    assert Membership.objects.get(pk=sam.pk).role == "instructor"
