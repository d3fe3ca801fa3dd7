"""“Not a mistake”: a first press says what changes, a second one stores it, Undo takes it back."""

import re
from datetime import timedelta
from decimal import Decimal
from html import unescape

import pytest

from quizzes.classes.marks.reader import marks
from quizzes.classes.models import Deed, MarkOverride
from quizzes.classes.week.deeds import act_in_words
from quizzes.courses.audit import subjects_of
from quizzes.courses.models import AuditEntry
from quizzes.exercises.models import Submission
from quizzes.learners.models import User
from quizzes.regrades.apply import apply_code
from quizzes.regrades.trials import begin
from tests.classes.pages import teach_class
from tests.classes.planted import add_question, hand_in
from tests.classes.test_week import made_in_code, sends, solved, this
from tests.exercises.making import CORRECT
from tests.exercises.newer_version import mended, try_all
from tests.factories import MISTAKE, assign, browser_of, create_class, create_member, create_quiz

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases(postgresql="soak")]

BUILT_IN = "sinusoidal-table/kept-between-calls"


@pytest.fixture
def concerned(cohort, exercise):
    """Four who made it in code, one of whom solved it later; and one who chose it in a question."""
    begins = this(cohort).begins_at
    members = {name: create_member(cohort, name) for name in ("ada", "bob", "cy", "dan", "eve")}
    cohort.memberships.update(joined_at=begins - timedelta(days=30))
    learners = {name: one.user.learner for name, one in members.items()}
    coders = [learners[name] for name in ("ada", "bob", "cy", "dan")]
    made_in_code(exercise, coders, begins + timedelta(minutes=1))
    made_in_code(exercise, coders[:1], begins + timedelta(minutes=2))
    solved(exercise, coders[1:2], begins + timedelta(minutes=3))
    asked = add_question(cohort.course, "rows", mistakes={2: MISTAKE})
    hand_in(
        create_quiz("planted", [asked]), [learners["eve"]], [[2]], begins + timedelta(minutes=2)
    )
    return members


def link_in(page):
    (found,) = re.findall(r'href="([^"]*/week/right/[^"]*)"', page)
    return unescape(found)


def words_of(page):
    return " ".join(unescape(re.sub(r"<[^>]+>", " ", page)).split())


def entries_about(name):
    """Return the entries of the log about a known mistake, the first first."""
    rows = AuditEntry.objects.order_by("pk")
    return [row for row in rows if name in [one.key for one in subjects_of(row)]]


def marks_in(cohort):
    found = marks(cohort, hidden_too=True).members
    return {one.membership.pk: one.cells[0][2].value or Decimal(0) for one in found}


def test_first_press_stores_nothing(cohort, teacher, concerned):
    page = words_of(
        teacher.get(link_in(teacher.get(teach_class()).content.decode())).content.decode()
    )
    assert (
        "5 students made this mistake in that week: 5 submissions, 1 answer to questions." in page
    )
    assert "No marks will change yet." in page
    assert "This cannot raise any marks, because the exercise is not assigned to the class." in page
    assert "unless the key is corrected and they are regraded: rows" in page
    assert not Deed.objects.exists()
    assert not entries_about(MISTAKE)


def test_marks_that_rise_are_those_announced(cohort, exercise, teacher, concerned):
    """Bob has full points and the mark of Cy was set by hand: those of Ada and Dan can rise."""
    assignment = assign(cohort, exercise, opens_at=this(cohort).begins_at - timedelta(days=1))
    MarkOverride.objects.create(
        assignment=assignment, membership=concerned["cy"], points=3, reason="Told me."
    )
    page = words_of(
        teacher.get(link_in(teacher.get(teach_class()).content.decode())).content.decode()
    )
    announced = int(re.search(r"at most (\d+) marks? in", page).group(1))
    before = marks_in(cohort)
    made = begin(mended(exercise), by=User.objects.get(username="teacher"))
    try_all(*[CORRECT] * made.trials.count())
    apply_code(made, by=User.objects.get(username="teacher"), note="", nobody_loses=False)
    after = marks_in(cohort)
    rose = {pk for pk in before if after[pk] > before[pk]}
    assert rose == {concerned["ada"].pk, concerned["dan"].pk}
    assert announced == len(rose)


def test_second_press_stores_and_undo_takes_back(cohort, teacher, concerned):
    before = teacher.get(teach_class()).content.decode()
    shown = teacher.get(link_in(before)).content.decode()
    form = shown[shown.index('action="/teach/classes/autumn/week/deeds/"') :]
    fields = dict(re.findall(r'name="(mistake|week|seen|do)" value="([^"]*)"', form))
    page = teacher.post(teach_class("week/deeds/"), fields, follow=True).content.decode()
    (deed,) = Deed.objects.all()
    assert (deed.kind, deed.members.count()) == ("right", 5)
    assert "said that it is not a mistake" in page
    assert "week/right/" not in page  # it is said: what is offered is to undo it
    undo = {"week": this(cohort).name}
    again = teacher.post(teach_class(f"week/deeds/{deed.pk}/undo/"), undo, follow=True)
    assert "the row no longer says that this is not a mistake" in again.content.decode()
    assert not Deed.objects.exists()
    assert link_in(again.content.decode()) == link_in(before)
    acts = [entry.act for entry in entries_about(MISTAKE)]
    assert acts == ["mistake right", "mistake right undone"]
    words = ["said that it is not a mistake", "took back that it is not a mistake"]
    assert [*map(act_in_words, acts)] == words
    said, undone = (subjects_of(one) for one in entries_about(MISTAKE))
    assert said == undone, "both are named alike, and lead to the same list"
    twice = teacher.post(teach_class(f"week/deeds/{deed.pk}/undo/"), undo, follow=True)
    assert "Nothing was done: it has already been taken back" in twice.content.decode()
    assert len(entries_about(MISTAKE)) == 2


def test_row_says_not_a_mistake_once(cohort, teacher, concerned):
    address = link_of(cohort)
    sends(teacher, cohort, "right")
    page = teacher.get(address).content.decode()
    assert "The row already says that this is not a mistake." in words_of(page)
    assert 'value="right"' not in page
    again = sends(teacher, cohort, "right", seen=1).content.decode()
    assert "Nothing was done: the row already says that this is not a mistake" in again
    assert Deed.objects.filter(kind="right").count() == 1


def test_answers_alone_lead_to_the_key(cohort, exercise, teacher, concerned):
    Submission.objects.all().delete()
    assert "1 student made" in words_of(teacher.get(link_of(cohort)).content.decode())
    page = sends(teacher, cohort, "right").content.decode()
    assert "Publish a new key for the question, then regrade its answers." in page


def test_undo_reaches_no_other_deed(cohort, teacher, concerned):
    sends(teacher, cohort, "ask")
    undo = {"week": this(cohort).name}
    teacher.post(teach_class(f"week/deeds/{Deed.objects.get().pk}/undo/"), undo)
    assert Deed.objects.get().kind == "ask"
    sends(teacher, cohort, "right", seen=1)
    spring = create_class("spring", course=cohort.course)
    stranger = browser_of(create_member(spring, "grace", role="instructor").user)
    (deed,) = Deed.objects.filter(kind="right")
    stranger.post(teach_class(f"week/deeds/{deed.pk}/undo/", "spring"), undo)
    assert stranger.post(teach_class(f"week/deeds/{deed.pk}/undo/"), undo).status_code == 404
    assistant = browser_of(create_member(cohort, "hugo", role="assistant").user)
    assert assistant.post(teach_class(f"week/deeds/{deed.pk}/undo/"), undo).status_code == 403
    assert assistant.get(link_of(cohort)).status_code == 403
    assert Deed.objects.filter(kind="right").exists()


def link_of(cohort):
    return teach_class(f"week/right/?week={this(cohort).name}&mistake={MISTAKE}")


def test_built_in_mistake_has_no_file_to_change(cohort, exercise, teacher, concerned):
    learner = concerned["ada"].user.learner
    made_in_code(exercise, [learner], this(cohort).begins_at, "kept-between-calls")
    address = teach_class(f"week/right/?week={this(cohort).name}&mistake={BUILT_IN}")
    page = words_of(teacher.get(address).content.decode())
    assert "1 student made this mistake in that week: 1 submission, 0 answers" in page
    assert "The grader itself finds this mistake." in page
    assert "cannot raise" not in page
    assert "then raise" not in page


@pytest.mark.parametrize(
    ("query", "said"),
    [
        ("", "week=: must be a year and a week of it, such as 2026-W48"),
        ("week=soon", "week=soon: must be a year and a week of it"),
        ("week={week}&mistake=a/b", "mistake=a/b: nobody made it in {week}"),
    ],
)
def test_bad_address_is_named(cohort, teacher, query, said):
    week = this(cohort).name
    answer = teacher.get(teach_class("week/right/?" + query.format(week=week)))
    assert answer.status_code == 400
    assert said.format(week=week) in answer.content.decode()
