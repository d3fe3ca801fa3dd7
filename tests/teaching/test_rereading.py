"""Work that closed before typed text was read as it is today: marks stay until staff ask."""

import html
import re
from datetime import timedelta
from decimal import Decimal

import pytest
from django.utils import timezone

from quizzes.assessment.models import Attempt, QuestionVersion, Quiz, Regrade, Response
from quizzes.regrades.undo import undo_answers
from quizzes.teaching.regrade.access import scope_of
from tests.classes.pages import teach_class
from tests.classes.planted import add_question, add_students, hand_in
from tests.factories import assign, browser_of, create_class, create_member, create_quiz

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases(postgresql="soak")]
REASON = {"reason": "So it is."}


@pytest.fixture
def cohort():
    return create_class()


@pytest.fixture
def teacher(cohort):
    return browser_of(create_member(cohort, "teacher", role="instructor").user)


def typed(cohort, kind, answer, texts):
    """Store an assigned quiz with one question, as a class submitted it some days ago.

    All of the texts counted as wrong; numbers among them were not read.
    """
    question = add_question(cohort.course, "typed")
    quiz = create_quiz("planted", [question])
    work = assign(cohort, quiz, shows_marks="at_once", shows_answers="at_once")
    students = add_students(cohort, len(texts))
    hand_in(quiz, students, [[2]] * len(texts), timezone.now() - timedelta(days=3))
    Attempt.objects.update(sitting=work.sitting)
    stored = answer | REASON
    QuestionVersion.objects.filter(question=question).update(kind=kind, answer=stored)
    is_text = kind == "text"
    for row, text in zip(Response.objects.order_by("pk"), texts, strict=True):
        Response.objects.filter(pk=row.pk).update(
            choice=None,
            option_order=[],
            text=text,
            is_right=False if is_text else None,
            score=Decimal(0) if is_text else None,
            answered_at=row.answered_at if is_text else None,
        )


def marks():
    rows = Attempt.objects.order_by("pk").values_list("earned", flat=True)
    return [float(earned) for earned in rows]


def results():
    return teach_class(f"results/?quiz={Quiz.objects.get().slug}")


def preview(teacher):
    """Follow the link of the flag to the preview of a regrade."""
    page = html.unescape(teacher.get(results()).content.decode())
    assert "would now be right" in page
    link = re.search(r'href="([^"]*)">Preview the new marks', page)
    shown = teacher.get(link[1].partition("#")[0])
    assert shown.status_code == 200
    return link[1].partition("?")[0], shown


def apply(teacher, address, shown):
    plan, wish = shown.context["plan"], shown.context["wish"]
    fields = {"version": wish.from_version.number, "rule": "new_key", "class": "autumn"}
    fields |= {"as_of": wish.as_of.isoformat(), "digest": plan.digest, "do": "apply"}
    assert teacher.post(address, fields).status_code == 302


@pytest.mark.parametrize(
    ("kind", "answer", "texts", "after"),
    [
        ("text", {"accepts": ["key-value"]}, ["key‑value", "keys", "“key-value”"], [1, 0, 0]),
        ("text", {"accepts": ["RoPE"]}, ["RoPE.", "RoPE\u200b", "rotary"], [1, 1, 0]),
        ("numeric", {"value": "-0.5", "unit": "m"}, ["‑0.5", "−0.5 m", "50 %", ""], [1, 1, 0, 0]),
    ],
)
def test_marks_of_closed_work_stay_until_staff_ask(cohort, teacher, kind, answer, texts, after):
    typed(cohort, kind, answer, texts)
    before = marks()
    assert before == [0.0] * len(texts)
    address, shown = preview(teacher)
    assert marks() == before
    assert [one.direction for one in shown.context["plan"].changes] == ["up"] * sum(after)
    apply(teacher, address, shown)
    assert marks() == after
    page = teacher.get(results()).content.decode()
    assert "would now be right" not in page
    assert undo_answers(Regrade.objects.get(), by=None, scope=scope_of(cohort)) == sum(after)
    assert marks() == before


def test_learners_hear_of_their_own_answer_alone(cohort, teacher):
    typed(cohort, "text", {"accepts": ["key-value"]}, ["key‑value", "keys"])
    apply(teacher, *preview(teacher))
    told = []
    for attempt in Attempt.objects.select_related("learner__user").order_by("pk"):
        page = browser_of(attempt.learner.user).get(attempt.review_address).content.decode()
        told.append(("your answer now counts as right" in page, "was corrected" in page))
    assert told == [(True, False), (False, False)]
