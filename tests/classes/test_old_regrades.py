"""An upgrade to classes by key: a regrade stays with its class, also where that is deleted."""

import pytest
from django.db import connection
from django.utils import timezone

from quizzes.assessment.models import Question, Regrade
from quizzes.exercises.models import CasePack, CodeRegrade
from tests.classes.test_old_rules import migrate, to_the_newest
from tests.exercises.making import ready_exercise
from tests.factories import create_class, create_quiz

SLUGS = [("assessment", "0018_plans_that_were_given_up"), ("exercises", "0022_fill_parsed")]
TABLES = ("assessment_regrade", "exercises_coderegrade")


@pytest.mark.soak  # the gate migrates old dates and an old database
@pytest.mark.both_databases
def test_upgrade_keeps_the_class_of_a_regrade(transactional_db):
    create_quiz()
    question, exercise = Question.objects.get(slug="codes-1"), ready_exercise()
    autumn, deleted = create_class("autumn"), create_class("deleted")
    answers = {"from_version": question.current, "rule": "drop", "as_of": timezone.now()}
    code = {"to_version": exercise.current, "pack": CasePack.objects.first()}
    for pk in (autumn.pk, deleted.pk, None):
        Regrade.objects.create(question=question, cohort_id=pk, **answers)
        CodeRegrade.objects.create(exercise=exercise, cohort_id=pk, **code)  # under way
    try:
        migrate(SLUGS)
        with connection.cursor() as cursor:
            for table in TABLES:
                cursor.execute(f"SELECT cohort FROM {table} ORDER BY id")
                assert cursor.fetchall() == [("autumn",), ("deleted",), ("",)]
            cursor.execute("DELETE FROM classes_cohort WHERE slug = 'deleted'")
    finally:
        to_the_newest()
    for model in (Regrade, CodeRegrade):
        of_autumn, of_deleted, of_course = model.objects.order_by("pk")
        assert (of_autumn.cohort_id, of_course.cohort_id) == (autumn.pk, None)
        assert of_deleted.cohort_id == -of_deleted.pk, "a key that no class has"
    migrate(SLUGS)  # and back: a class that is gone has a name of its own
    to_the_newest()
    assert Regrade.objects.filter(cohort_id=autumn.pk).count() == 1
    assert Regrade.objects.filter(cohort_id__lt=0).count() == 1
