"""A learner's page of a class has the marks that the class's table has."""

import random
from datetime import timedelta
from decimal import Decimal

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from quizzes.classes.class_page import class_page, own_place
from quizzes.classes.marks import marks
from quizzes.classes.models import (
    AssignmentException,
    Cohort,
    FrozenMarks,
    MarkOverride,
)
from quizzes.page_reads import reading_page
from tests.exercises.making import ready_exercise
from tests.factories import (
    DAY,
    assign,
    create_attempt,
    create_lesson,
    create_member,
    create_quiz,
    create_submission,
    read_step,
)

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases(postgresql="soak")]


@pytest.mark.parametrize("archived", [False, True])
def test_own_page_has_marks_of_class_table(cohort, *, archived):
    """Whatever exceptions, overrides and written marks there are; assigned things may be hidden."""
    draw, now = random.Random(3), timezone.now()
    lesson = create_lesson()
    things = [create_quiz("codes"), create_quiz("tables"), ready_exercise(), lesson]
    dates = {"due_at": now - DAY, "closes_at": now + 3 * DAY}
    works = [assign(cohort, thing, **dates) for thing in things]
    works.append(assign(cohort, things[0], is_visible=False))
    members = [create_member(cohort, f"m{number}") for number in range(10)]
    for member in members:
        for work in works:
            at = now - draw.choice([2, 0.5]) * DAY
            if work.quiz and draw.random() < 0.7:
                create_attempt(work, member, draw.randrange(3), at)
            if work.exercise and draw.random() < 0.7:
                create_submission(work, member, draw.choice(["wrong", "correct"]), at)
            if draw.random() < 0.2:
                longer = {"due_at": now + DAY, "is_excused": draw.random() < 0.3}
                AssignmentException.objects.create(assignment=work, membership=member, **longer)
            for points in range(draw.choice([0, 0, 0, 1, 2])):
                MarkOverride.objects.create(
                    assignment=work, membership=member, points=points, reason="-"
                )
            if draw.random() < 0.1:
                FrozenMarks.objects.create(
                    assignment=work, membership=member, points=Decimal(3), state="submitted"
                )
        read_step(member, lesson, draw.choice(["one", "two"]), now - timedelta(hours=30))
    if archived:
        Cohort.objects.filter(pk=cohort.pk).update(archived_at=now)
    shown = {row.membership.pk: row.cells for row in marks(cohort, now=now).members}
    states = set()
    for member in members:
        place = own_place(cohort.slug, member.user_id)
        for is_page in (False, True):
            with reading_page() if is_page else CaptureQueriesContext(connection):
                lines = class_page(place, member.user.learner, now).lines
            cells = [(line.assignment, line.rule, line.cell) for line in lines]
            assert cells == list(shown[member.pk])
        states |= {cell.state for _, _, cell in cells}
    assert len(states) > 4


def test_own_page_asks_for_marks_by_hand_where_some_are(cohort):
    work = assign(cohort, create_quiz())
    ada, bea = create_member(cohort), create_member(cohort, "bea")
    MarkOverride.objects.create(assignment=work, membership=bea, points=9, reason="-")
    tables = []
    for member in (ada, bea):
        place = own_place(cohort.slug, member.user_id)
        with CaptureQueriesContext(connection) as queries:
            class_page(place, member.user.learner, timezone.now())
        statements = " ".join(query["sql"] for query in queries.captured_queries)
        tables.append(("classes_markoverride" in statements, "classes_frozenmarks" in statements))
    assert tables == [(False, False), (True, False)]
