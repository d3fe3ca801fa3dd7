"""A generator that was replaced: who is still asked the old numbers, and when they go."""

from contextlib import nullcontext
from uuid import uuid4

import pytest
from django.utils import timezone

from quizzes.assessment.models import FrozenVersionError, Instance, Question, Quiz
from quizzes.assessment.presenters import attempt_questions, response_contexts
from quizzes.assessment.selection import draw
from quizzes.assessment.services import start_attempt
from quizzes.worker import question_pool
from quizzes.worker.periodic_tasks import PeriodicWork
from quizzes.worker.question_pool import forget_old_instances, store_instance
from tests.assessment.drawn import SOURCE, made

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases]


def test_a_new_version_changes_no_attempt(generated, pool, learner, tmp_path, load):
    attempt = start_attempt(learner=learner, quiz=Quiz.objects.get())
    before = attempt_questions(attempt)
    (tmp_path / "questions/drawn/generate.py").write_text(SOURCE + "# mended\n")
    load()
    assert attempt_questions(attempt) == before
    generated.refresh_from_db()
    assert generated.current.number == 2


def test_attempt_reads_options_that_its_order_names(generated, pool, learner):
    """Of drawn numbers, of which the version has other options too."""
    attempt = start_attempt(learner=learner, quiz=Quiz.objects.get())
    rows = attempt.responses.select_related("version__question__course", "instance")
    assert any(row.instance for row in rows)
    assert attempt_questions(attempt) == response_contexts(rows)


def test_while_a_new_version_has_no_numbers_the_old_one_is_asked(generated, pool, tmp_path, load):
    (tmp_path / "questions/drawn/generate.py").write_text(SOURCE + "# mended\n")
    load()
    question = Question.objects.select_related("current").get(slug="drawn")
    assert draw([question], learner=None)[question.pk].version.number == 1
    store_instance(question.current, made(9))
    assert draw([question], learner=None)[question.pk].version.number == 2


def test_old_numbers_go_once_new_ones_are_there_and_a_day_has_passed(
    generated, pool, learner, tmp_path, load
):
    attempt = start_attempt(learner=learner, quiz=Quiz.objects.get())
    before = attempt_questions(attempt)
    (tmp_path / "questions/drawn/generate.py").write_text(SOURCE + "# mended\n")
    load()
    generated.refresh_from_db()
    versions = type(generated.current).objects
    versions.update(created_at=timezone.now() - question_pool.OLD_KEPT)
    assert forget_old_instances() == 0  # the old ones are still asked
    fresh = store_instance(generated.current, made(9))
    versions.filter(pk=generated.current.pk).update(created_at=timezone.now())
    assert forget_old_instances() == 0  # a page may show them
    versions.update(created_at=timezone.now() - question_pool.OLD_KEPT)
    work = PeriodicWork(process=uuid4(), keep_lease=lambda _renew: nullcontext())
    while work.run_next():  # as a worker does
        continue
    assert Instance.objects.count() == 2
    assert forget_old_instances() == 0
    asked = attempt.responses.get(instance__isnull=False).instance
    assert set(Instance.objects.all()) == {asked, fresh}
    assert attempt_questions(attempt) == before
    with pytest.raises(FrozenVersionError):
        asked.options.all().delete()
