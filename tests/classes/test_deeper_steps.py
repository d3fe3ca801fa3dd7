"""The form of an assigned lesson: whether the steps that go deeper count."""

from datetime import timedelta

import pytest
from django.db import IntegrityError
from django.test import Client
from django.utils import timezone

from quizzes.classes.models import Assignment, Cohort
from quizzes.lessons.models import Lesson, Step
from quizzes.teaching.work.forms import TYPED
from tests.factories import assign, create_lesson, create_quiz

pytestmark = pytest.mark.django_db

LABEL = "Include the “Going deeper” steps"
DAY = timedelta(days=1)


def page_of(cohort: Cohort, page: str) -> str:
    return f"/teach/classes/{cohort.slug}/assignments/{page}"


def typed(cohort: Cohort, *, opens_in: timedelta, **more: str) -> dict[str, str]:
    """Return the form of an assigned lesson as a browser sends it."""
    opens_at = timezone.now() + opens_in
    dates = {"opens_at": opens_at, "due_at": opens_at + 9 * DAY}
    texts = {name: at.astimezone(cohort.zone).strftime(TYPED) for name, at in dates.items()}
    facts = {"points": "10", "closes_at": "", "place": "", "is_visible": "on"}
    return {**facts, **texts, "shows_marks": "at_once", **more}


@pytest.mark.parametrize("ticked", [False, True])
def test_a_new_assignment_counts_what_was_ticked(
    cohort: Cohort, teacher: Client, *, ticked: bool
) -> None:
    create_lesson(deeper=["proof"])
    where = page_of(cohort, "new/?lesson=basics")
    html = teacher.get(where).content.decode()
    box = html.partition('name="includes_deeper"')[2].partition(">")[0]
    assert LABEL in html
    assert "checked" not in box
    assert "disabled" not in box
    more = {"includes_deeper": "on"} if ticked else {}
    assert teacher.post(where, typed(cohort, opens_in=-DAY, **more)).status_code == 302
    assignment = Assignment.objects.get()
    assert assignment.includes_deeper is ticked
    steps = ["basics/one", "basics/two", *(["basics/proof"] if ticked else [])]
    assert [step for step, _ in assignment.steps] == steps


def test_a_lesson_without_deeper_steps_has_no_box(cohort: Cohort, teacher: Client) -> None:
    create_lesson()
    create_quiz()
    for thing in ("lesson=basics", "quiz=codes"):
        html = teacher.get(page_of(cohort, f"new/?{thing}")).content.decode()
        assert "includes_deeper" not in html, thing


def test_the_box_counts_until_it_opens(cohort: Cohort, teacher: Client) -> None:
    coming = assign(cohort, create_lesson(deeper=["proof"]), opens_at=timezone.now() + DAY)
    where = page_of(cohort, f"{coming.pk}/")
    form = typed(cohort, opens_in=DAY, includes_deeper="on", revision="0")
    assert teacher.post(where, form).status_code == 302
    coming.refresh_from_db()
    assert len(coming.steps) == 3


def test_an_opened_assignment_says_that_its_steps_stay(cohort: Cohort, teacher: Client) -> None:
    opened = assign(cohort, create_lesson(deeper=["proof"]))
    where = page_of(cohort, f"{opened.pk}/")
    html = teacher.get(where).content.decode()
    assert f"{LABEL} (the assignment has opened, so its steps no longer change)" in html
    assert "disabled" in html.partition('name="includes_deeper"')[2].partition(">")[0]
    form = typed(cohort, opens_in=-9 * DAY, includes_deeper="on", revision="0")
    assert teacher.post(where, form).status_code == 302
    opened.refresh_from_db()
    assert (opened.includes_deeper, len(opened.steps)) == (False, 2)


def test_the_box_says_what_an_opened_assignment_counts(cohort: Cohort, teacher: Client) -> None:
    opened = assign(cohort, create_lesson(steps=["one", "two"]))
    Step.objects.filter(slug="two").update(going_deeper=True)  # by a new version of the lesson
    where = page_of(cohort, f"{opened.pk}/")
    box = teacher.get(where).content.decode().partition('name="includes_deeper"')[2]
    assert "checked" in box.partition(">")[0]
    assert "disabled" in box.partition(">")[0]
    Lesson.objects.update(form=Lesson.Form.REFERENCE)
    assert "includes_deeper" not in teacher.get(where).content.decode()


def test_a_reference_cannot_be_assigned(cohort: Cohort, teacher: Client) -> None:
    create_lesson()
    create_lesson("words", number=2, form=Lesson.Form.REFERENCE)
    html = teacher.get(page_of(cohort, "")).content.decode()
    assert 'value="lesson:basics"' in html
    assert 'value="lesson:words"' not in html
    assert teacher.get(page_of(cohort, "new/?lesson=words")).status_code == 404


def test_an_assigned_lesson_that_became_a_reference_counts(cohort: Cohort) -> None:
    lesson = create_lesson()
    Lesson.objects.update(form=Lesson.Form.REFERENCE)
    coming = assign(cohort, lesson, opens_at=timezone.now() + DAY)
    assert [step for step, _ in coming.steps] == ["basics/one", "basics/two"]


def test_only_a_lesson_includes_deeper_steps(cohort: Cohort) -> None:
    assignment = assign(cohort, create_quiz())
    with pytest.raises(IntegrityError, match="deeper_steps_are_of_lessons"):
        Assignment.objects.filter(pk=assignment.pk).update(includes_deeper=True)
