"""Answers of assigned work: closed while points are at stake, unless an instructor opens them."""

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quizzes.classes.models import Assignment, Cohort
from quizzes.classes.rules import WorkKind
from quizzes.teaching.work.forms import BY_KIND, AssignmentForm
from tests.examples import examples
from tests.factories import assign, create_class, create_member, create_quiz

BEGIN = datetime(2026, 10, 1, 8, 0, tzinfo=UTC)
KINDS = {WorkKind.QUIZ: {"quiz_id": 1}, WorkKind.EXERCISE: {"exercise_id": 1}}
EARLY = "Students can see every correct answer before the attempt that counts."


def new_form(kind, dates, **changed):
    """The form of a new assignment as a browser sends it back, with these dates."""
    cohort = Cohort(timezone="UTC", title="A class")
    new = Assignment(cohort=cohort, points=10, opens_at=BEGIN, is_visible=True, **KINDS[kind])
    shown = AssignmentForm(None, cohort=cohort, assignment=new)
    sent = {name: shown[name].value() for name in shown.fields}
    sent |= {name: "" if value is None else value for name, value in sent.items()}
    sent |= {name: at.strftime("%Y-%m-%dT%H:%M") if at else "" for name, at in dates.items()}
    return AssignmentForm(sent | changed, cohort=cohort, assignment=new)


dates = st.one_of(
    st.none(), st.integers(1, 90 * 24 * 60).map(lambda minutes: BEGIN + timedelta(minutes=minutes))
)


@examples(60)
@given(kind=st.sampled_from(sorted(KINDS)), due=dates, closes=dates, share=st.floats(0, 1))
def test_new_form_shows_no_answer_before_the_end(kind, due, closes, share):
    if due and closes and closes < due:
        due, closes = closes, due
    form = new_form(kind, {"opens_at": BEGIN, "due_at": due, "closes_at": closes})
    if not (due or closes):
        assert list(form.errors) == ["shows_answers"]
        return
    assert form.is_valid(), form.errors
    made = form.put_in()
    rule, end = made.rule_for(), closes or due
    assert not rule.shows(made.shows_answers, BEGIN + share * (end - BEGIN))
    assert rule.shows(made.shows_answers, end + timedelta(minutes=1))
    if kind == WorkKind.QUIZ:
        assert made.practice == ("after_close" if closes else "never")


@pytest.mark.parametrize("chosen", Assignment.ShowsWhen.values)
def test_practice_stays_shut_beside_hidden_answers(chosen):
    dates = {"due_at": BEGIN + timedelta(days=1), "closes_at": BEGIN + timedelta(days=2)}
    form = new_form(WorkKind.QUIZ, {"opens_at": BEGIN, **dates}, shows_answers=chosen)
    assert form.is_valid()
    made = form.put_in()
    is_open = made.practice == "allowed"
    assert is_open is made.rule_for().shows(made.shows_answers, BEGIN)


def test_lesson_form_has_no_answers_to_hide():
    assert "shows_answers" not in BY_KIND[WorkKind.LESSON]


@pytest.mark.django_db
def test_standing_assignment_keeps_its_choice(client):
    cohort = create_class()
    client.force_login(create_member(cohort, "teacher", role="instructor").user)
    one = assign(cohort, create_quiz())  # of before: at once, and without any end
    where = f"/teach/classes/{cohort.slug}/assignments/{one.pk}/"
    page = client.get(where)
    assert 'value="at_once" selected' in page.content.decode()
    sent = {
        name: value for name, value in page.context["form"].initial.items() if value is not None
    }
    sent |= {"opens_at": "2026-10-01T08:00", "late_percent_per_day": "0", "is_visible": "on"}
    assert client.post(where, sent).status_code == 302
    one.refresh_from_db()
    assert (one.shows_answers, one.practice) == ("at_once", "allowed")


@pytest.mark.django_db
def test_form_of_a_quiz_says_who_reads_keys(client):
    cohort = create_class()
    client.force_login(create_member(cohort, "teacher", role="instructor").user)
    create_quiz()
    page = client.get(f"/teach/classes/{cohort.slug}/assignments/new/?quiz=codes").content.decode()
    assert 'value="after_close" selected' in page
    assert EARLY in page
