"""Exceptions: what they change and what they leave, and what a later class makes of them."""

from datetime import timedelta
from html import unescape

import pytest
from django.core.exceptions import ValidationError
from django.utils import timezone
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from quizzes.assessment.services import start_attempt
from quizzes.classes.assignments import (
    EXCEPTION_FIELDS,
    lift_exceptions,
    remove_exceptions,
    save_assignment,
    set_exceptions,
)
from quizzes.classes.marks.reader import marks
from quizzes.classes.models import AssignmentException
from quizzes.courses.models import AuditEntry
from tests.exercises.making import ready_exercise
from tests.factories import (
    DAY,
    assign,
    browser_of,
    create_attempt,
    create_lesson,
    create_member,
    create_quiz,
    read_step,
)

pytestmark = pytest.mark.django_db


@pytest.fixture
def friday(cohort):
    """A quiz that is due in two days, with thirty minutes."""
    now = timezone.now().replace(second=0, microsecond=0)
    return assign(
        cohort,
        create_quiz(),
        due_at=now + 2 * DAY,
        closes_at=now + 20 * DAY,
        minutes=30,
        late_percent_per_day=10,
    )


def give(assignment, *members, clear=(), **values):
    return set_exceptions(
        assignment=assignment, members=members, values=values, by=None, clear=clear
    )


def stored():
    """The exceptions by name of the member, without fields that say nothing."""
    return {
        row.membership.name: {
            name: value for name in EXCEPTION_FIELDS if (value := getattr(row, name))
        }
        for row in AssignmentException.objects.select_related("membership")
    }


def move(assignment, **dates):
    for name, value in dates.items():
        setattr(assignment, name, value)
    return save_assignment(assignment=assignment, by=None)


def address(assignment, page="exceptions/"):
    return f"/teach/classes/{assignment.cohort.slug}/assignments/{assignment.pk}/{page}"


def typed(at, assignment):
    return at.astimezone(assignment.zone).strftime("%Y-%m-%dT%H:%M")


def words(response):
    return " ".join(unescape(response.content.decode()).split())


@pytest.mark.both_databases(postgresql="soak")
def test_an_exception_for_all_leaves_other_fields(cohort, friday):
    ada, bob, cy = (create_member(cohort, name) for name in ("ada", "bob", "cy"))
    due = friday.due_at + 7 * DAY
    assert give(friday, ada, due_at=due, note="illness") == [ada]
    assert give(friday, cy, minutes=45) == [cy]
    assert give(friday, ada, bob, cy, minutes=45) == [ada, bob]
    assert stored() == {
        "Ada": {"due_at": due, "note": "illness", "minutes": 45},
        "Bob": {"minutes": 45},
        "Cy": {"minutes": 45},
    }
    give(friday, ada, bob, clear=["minutes"])
    assert stored() == {"Ada": {"due_at": due, "note": "illness"}, "Cy": {"minutes": 45}}
    assert give(friday, bob, note="none") == []  # a note is no rule
    assert give(friday, ada, clear=["due_at"]) == [ada]
    assert set(stored()) == {"Cy"}


VALUES = {
    "due_at": st.integers(2, 4),
    "closes_at": st.integers(20, 22),
    "minutes": st.integers(30, 32),
    "attempts": st.integers(1, 3),
    "is_excused": st.just(True),
    "note": st.sampled_from(["a", "b"]),
}


@settings(
    max_examples=15, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(
    st.lists(
        st.tuples(
            st.sets(st.integers(0, 2), min_size=1),
            st.fixed_dictionaries({}, optional=VALUES),
            st.sets(st.sampled_from(list(VALUES))),
        ),
        max_size=4,
    )
)
def test_a_field_changes_only_where_it_is_named(cohort, friday, changes):
    """Whatever is given and cleared, for whomever: each field is the last that was given."""
    AssignmentException.objects.all().delete()
    base = friday.due_at - 2 * DAY
    members = [
        cohort.memberships.filter(name=name.title()).first() or create_member(cohort, name)
        for name in ("ada", "bob", "cy")
    ]
    expected = [{}, {}, {}]
    for who, values, clear in changes:
        given = {
            name: base + value * DAY if name.endswith("_at") else value
            for name, value in values.items()
        }
        give(friday, *(members[one] for one in who), clear=clear, **given)
        for one in who:
            own = {name: value for name, value in expected[one].items() if name not in clear}
            own |= given
            expected[one] = own if own.keys() - {"note"} else {}
    names = ("Ada", "Bob", "Cy")
    assert stored() == {name: own for name, own in zip(names, expected, strict=True) if own}


@pytest.mark.parametrize(
    ("values", "said"),
    [
        ({"opens_at": -11}, "This is earlier than the class’s"),
        ({"due_at": 1}, "This is earlier than the class’s"),
        ({"closes_at": 19}, "This is earlier than the class’s"),
        ({"minutes": 29}, "This is less than the class’s 30."),
    ],
)
def test_an_exception_below_the_class_asks_for_the_tick(cohort, friday, values, said):
    ada, now = create_member(cohort), friday.due_at - 2 * DAY
    (name,) = values
    given = {
        name: now + value * DAY if name.endswith("_at") else value for name, value in values.items()
    }
    with pytest.raises(ValidationError) as refused:
        give(friday, ada, **given)
    assert list(refused.value.message_dict) == [name]
    assert said in refused.value.messages[0]
    assert (
        "Tick “Allow earlier dates and lower limits” to apply it anyway."
        in refused.value.messages[0]
    )
    assert stored() == {}
    give(friday, ada, earlier_on_purpose=True, **given)
    assert getattr(friday.rule_for(friday.exceptions.get()), name) == given[name]


def test_a_purpose_ends_with_what_was_earlier(cohort, friday):
    ada = create_member(cohort)
    give(friday, ada, due_at=friday.due_at - DAY, minutes=40, earlier_on_purpose=True)
    give(friday, ada, minutes=50)
    assert stored()["Ada"]["earlier_on_purpose"]
    give(friday, ada, due_at=friday.due_at + DAY)
    assert "earlier_on_purpose" not in stored()["Ada"]


def test_dates_in_the_wrong_order_name_the_member(cohort, friday):
    ada, bob = create_member(cohort), create_member(cohort, "bob")
    give(friday, ada, due_at=friday.due_at + 10 * DAY)
    closes = friday.due_at + 9 * DAY
    with pytest.raises(ValidationError, match="For Ada, the assignment closes before it is due"):
        give(friday, bob, ada, closes_at=closes, earlier_on_purpose=True)
    with pytest.raises(ValidationError, match="For Bob, the assignment closes before it is due"):
        give(friday, bob, due_at=friday.closes_at + DAY)
    move(friday, due_at=friday.due_at + 12 * DAY)  # later than what Ada has
    with pytest.raises(
        ValidationError, match="With the dates for Ada, the assignment is due before it opens"
    ):
        give(friday, ada, opens_at=friday.due_at - DAY)
    assert set(stored()) == {"Ada"}


@pytest.mark.both_databases(postgresql="soak")
def test_a_later_class_makes_an_extension_no_punishment(cohort):
    now = timezone.now()
    ada, ben = create_member(cohort), create_member(cohort, "ben")
    quiz = assign(cohort, create_quiz(), due_at=now - 5 * DAY, late_percent_per_day=50)
    lesson = assign(cohort, create_lesson(), due_at=now - 5 * DAY)
    for work in (quiz, lesson):
        give(work, ada, due_at=now - 4 * DAY)
    give(quiz, ben, attempts=1, due_at=now - 6 * DAY, earlier_on_purpose=True)
    for member in (ada, ben):
        create_attempt(quiz, member, 2, now - DAY)
        for step in ("one", "two"):
            read_step(member, lesson.lesson, step, now - DAY)
    less = move(quiz, due_at=now - DAY / 2)
    assert [row.membership for row in less] == [ada, ben]
    move(lesson, due_at=now - DAY / 2)
    values = {
        one.membership.name: [cell.value for _, _, cell in one.cells]
        for one in marks(cohort).members
    }
    assert values == {"Ada": [10, 10], "Ben": [0, 10]}
    assert move(quiz, late_percent_per_day=40) == []  # no date moved
    assert lift_exceptions(assignment=quiz, members=[ada, ben], by=None) == [ada, ben]
    assert stored() == {"Ada": {"due_at": now - 4 * DAY}}  # in the lesson
    assert [cell.value for _, _, cell in marks(cohort).members[1].cells] == [10, 10]
    assert lift_exceptions(assignment=quiz, members=[ada, ben], by=None) == []


def test_a_lift_takes_no_more_than_is_less(cohort, friday):
    ada = create_member(cohort)
    give(friday, ada, due_at=friday.due_at + DAY, minutes=60, note="illness")
    move(friday, due_at=friday.due_at + 4 * DAY)
    attempt = start_attempt(learner=ada.user.learner, quiz=friday.quiz, sitting=friday.sitting)
    deadline = attempt.deadline_at
    lift_exceptions(assignment=friday, members=[ada], by=None)
    assert stored() == {"Ada": {"minutes": 60, "note": "illness"}}
    assert remove_exceptions(assignment=friday, members=[ada], by=None) == [ada]
    assert remove_exceptions(assignment=friday, members=[ada], by=None) == []
    attempt.refresh_from_db()
    assert attempt.deadline_at >= deadline


def test_a_removed_exception_gives_the_class_minutes(cohort, friday):
    ada = create_member(cohort)
    give(friday, ada, minutes=friday.minutes - 20, earlier_on_purpose=True)
    attempt = start_attempt(learner=ada.user.learner, quiz=friday.quiz, sitting=friday.sitting)
    assert remove_exceptions(assignment=friday, members=[ada], by=None) == [ada]
    attempt.refresh_from_db()
    assert attempt.deadline_at == attempt.started_at + timedelta(minutes=friday.minutes)


# ---- pages


def test_a_moved_date_names_whom_it_overtakes(cohort, friday, teacher):
    ada, ben = create_member(cohort), create_member(cohort, "ben")
    give(friday, ada, due_at=friday.due_at + DAY, note="illness")
    give(friday, ben, due_at=friday.due_at - DAY, earlier_on_purpose=True)
    page = teacher.get(address(friday, ""))
    sent = {
        name: value if value is not None else ""
        for name, value in page.context["form"].initial.items()
        if value is not False
    }
    sent |= {name: typed(sent[name], friday) for name in ("opens_at", "due_at", "closes_at")}
    sent["due_at"] = typed(friday.due_at + 4 * DAY, friday)
    shown = teacher.post(address(friday, ""), sent, follow=True)
    assert shown.redirect_chain == [(address(friday), 302)]
    assert "1 exception is now earlier than the class’s dates: <bdi>Ada</bdi>. Lift it?" in words(
        shown
    )
    assert (
        "1 exception is deliberately earlier than the class’s dates: <bdi>Ben</bdi>. Lift it?"
        in words(shown)
    )
    assert words(shown).count("the class’s value applies") == 1  # beside Ada's date
    lifted = teacher.post(address(friday), {"do": "lift", "member": ada.pk}, follow=True)
    assert "Lifted for Ada." in words(lifted)
    assert "exception is now earlier" not in words(lifted)
    assert set(stored()) == {"Ben"}
    assert "lifted 1 exception" in AuditEntry.objects.values_list("act", flat=True)
    shown = teacher.post(address(friday, ""), sent | {"revision": 1, "points": 12}, follow=True)
    assert shown.redirect_chain == [(f"/teach/classes/{cohort.slug}/assignments/", 302)]


def test_the_message_lists_whom_it_changed(cohort, friday, teacher):
    for name in ("ada", "bob", "cy"):
        create_member(cohort, name)
    ada = cohort.memberships.get(name="Ada")
    teacher.post(address(friday), {"do": "set", "member": ada.pk, "minutes": "45"})
    sent = {"do": "set", "all": "yes", "minutes": "45", "attempts": ""}
    shown = words(teacher.post(address(friday), sent, follow=True))
    assert "Changed for Bob and Cy. Nothing changed for Ada." in shown
    sent = {"do": "set", "all": "yes", "attempts": "2"}
    shown = words(teacher.post(address(friday), sent, follow=True))
    assert "Changed for Ada, Bob and Cy. The class has no" in shown
    sent = {"do": "set", "member": ada.pk, "clear": ["attempts", "minutes"]}
    assert "Changed for Ada." in words(teacher.post(address(friday), sent, follow=True))
    assert set(stored()) == {"Bob", "Cy"}
    sent = {"do": "set", "all": "yes", "note": "illness"}
    shown = words(teacher.post(address(friday), sent, follow=True))
    assert "Changed for Bob and Cy. Nothing changed for Ada. A note can only be saved" in shown
    sent = {"do": "remove", "member": cohort.memberships.get(name="Bob").pk}
    assert "The class’s rules apply to Bob again." in words(
        teacher.post(address(friday), sent, follow=True)
    )


@pytest.mark.covering(most=2)
@pytest.mark.parametrize(
    ("sent", "said"),
    [
        ({}, "Change at least one field, or tick a box."),
        ({"due_at": 1}, "Tick “Allow earlier dates and lower limits” to apply it anyway."),
        ({"minutes": "45", "clear": "minutes"}, "Either fill it in, or tick it below to clear"),
        ({"is_excused": "on", "clear": "is_excused"}, "Either fill it in, or tick it below"),
        ({"clear": "points"}, "points is not one of the available choices"),
    ],
)
def test_a_form_that_is_refused_keeps_what_was_typed(cohort, friday, teacher, sent, said):
    ada, now = create_member(cohort), friday.due_at - 2 * DAY
    sent = {
        name: typed(now + value * DAY, friday) if name.endswith("_at") else value
        for name, value in sent.items()
    }
    page = teacher.post(
        address(friday), {"do": "set", "member": ada.pk, "note": "", "attempts": ""} | sent
    )
    assert page.status_code == 400
    assert said in words(page)
    for value in set(sent.values()) - {"on", "points"}:
        assert f'value="{value}"' in words(page)
    assert stored() == {}


@pytest.mark.parametrize("make", [create_lesson, ready_exercise, create_quiz])
def test_only_fields_of_a_kind_can_be_cleared(cohort, teacher, make):
    one = assign(cohort, make())
    form = teacher.get(address(one)).context["form"]
    names = [name for name, _ in form.fields["clear"].choices]
    assert names == [name for name in form.fields if name != "clear"]


def test_a_minute_of_grace_costs_nothing(cohort, teacher):
    now = timezone.now()
    ada = create_member(cohort)
    late = assign(
        cohort, create_quiz(), due_at=now - DAY, grace_minutes=10, late_percent_per_day=10, points=8
    )
    create_attempt(late, ada, 2, now - DAY + timedelta(minutes=9))
    cell = marks(cohort).members[0].cells[0][2]
    assert (cell.value, cell.late) == (8, timedelta())
    browser = browser_of(ada.user)
    assert "of grace" not in words(browser.get(late.quiz.get_absolute_url()))  # it is over
    move(late, due_at=now + DAY)
    assert "10 min of grace; late work loses 10 % a day." in words(
        browser.get(late.quiz.get_absolute_url())
    )
    assert "10 min of grace" in words(teacher.get(f"/teach/classes/{cohort.slug}/assignments/"))


def test_a_grace_ends_with_the_assignment(cohort):
    now, ada = timezone.now(), create_member(cohort)
    due = now + DAY
    late = assign(cohort, create_quiz(), due_at=due, closes_at=due, grace_minutes=10)
    browser = browser_of(ada.user)
    assert "of grace" not in words(browser.get(late.quiz.get_absolute_url()))
    move(late, closes_at=due + timedelta(minutes=4))
    assert "4 min of grace" in words(browser.get(late.quiz.get_absolute_url()))
