"""An upgrade to classes by key: a regrade of a class stays with it, and can be undone."""

import pytest
from django.db import connection
from django.utils import timezone

from quizzes.assessment.models import Attempt, Question, Regrade
from quizzes.exercises.models import CodeRegrade
from quizzes.learners.models import User
from quizzes.regrades.answers import Wish, plan_answers
from quizzes.regrades.apply import apply_answers, apply_code
from quizzes.regrades.trials import begin
from quizzes.regrades.undo import undo_answers, undo_code
from quizzes.teaching.regrade.access import scope_of
from tests.classes.test_old_rules import migrate, to_the_newest
from tests.classes.working import DAY, a_class, a_member, a_quiz, assign, attempted, submitted_code
from tests.exercises import making, newer_version

SLUGS = [
    ("assessment", "0018_plans_that_were_given_up"),
    ("exercises", "0022_fill_parsed"),
]


def regrade_both(cohort, question, exercise):
    """Drop a question for a class, and grade its code by a newer version."""
    scope, staff = scope_of(cohort), User.objects.get(username="staff")
    drop = Regrade.Rule.DROP
    wish = Wish(question, question.current, None, drop, as_of=timezone.now(), scope=scope)
    answers = apply_answers(wish, digest=plan_answers(wish).digest, note="", by=staff)
    code = begin(exercise, by=staff, scope=scope)
    newer_version.try_all(making.CORRECT)
    apply_code(code, by=staff, note="", nobody_loses=False, scope=scope)
    return answers, code


def slugs():
    """Return the classes that the regrades of the release before name, by their table."""
    with connection.cursor() as cursor:
        rows = []
        for table in ("assessment_regrade", "exercises_coderegrade"):
            cursor.execute(f"SELECT cohort FROM {table} ORDER BY id")
            rows.append([row[0] for row in cursor.fetchall()])
    return rows


@pytest.fixture
def regraded(transactional_db):
    """Regrades of two classes and of their course, each of answers and of code."""
    User.objects.create_user("staff")
    quiz, exercise = a_quiz(), making.ready_exercise()
    question = Question.objects.get(slug="codes-1")
    classes = [a_class(slug) for slug in ("autumn", "gone")]
    for cohort in classes:
        member = a_member(cohort, f"{cohort.slug}-student")
        attempted(assign(cohort, quiz), member, 1, timezone.now() - DAY)
        submitted_code(assign(cohort, exercise), member, "wrong", timezone.now() - DAY)
    exercise = newer_version.mended(exercise)
    pairs = [regrade_both(cohort, question, exercise) for cohort in classes]
    facts = {"from_version": question.current, "rule": "drop", "as_of": timezone.now()}
    answers = Regrade.objects.create(question=question, **facts)
    facts = {"to_version": exercise.current, "pack": pairs[0][1].pack, "state": "applied"}
    pairs.append((answers, CodeRegrade.objects.create(exercise=exercise, **facts)))
    yield classes, pairs
    to_the_newest()


@pytest.mark.slow
@pytest.mark.both_databases
def test_upgrade_keeps_the_class_of_a_regrade(regraded):
    (autumn, gone), pairs = regraded
    Regrade.objects.filter(cohort_id=gone.pk).update(cohort_id=-7)
    CodeRegrade.objects.filter(cohort_id=gone.pk).update(cohort_id=-7)
    migrate(SLUGS)
    answers, code = slugs()
    assert (answers[0], answers[2], code[0], code[2]) == ("autumn", "", "autumn", "")
    assert answers[1].startswith("deleted-")
    assert code[1].startswith("deleted-")
    to_the_newest()
    for number, model in enumerate((Regrade, CodeRegrade)):
        keys = [model.objects.get(pk=pair[number].pk).cohort_id for pair in pairs]
        assert keys == [autumn.pk, -pairs[1][number].pk, None]
    scope, staff = scope_of(autumn), User.objects.get(username="staff")
    with pytest.raises(ValueError, match="expected one of"):
        undo_answers(Regrade.objects.get(pk=pairs[1][0].pk), by=staff, scope=scope)
    assert undo_answers(Regrade.objects.get(pk=pairs[0][0].pk), by=staff, scope=scope) == 1
    assert undo_code(CodeRegrade.objects.get(pk=pairs[0][1].pk), by=staff, scope=scope) == 1
    assert Attempt.objects.filter(possible=1).count() == 1  # one class undid it
