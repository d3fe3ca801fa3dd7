"""The upgrade gives each quiz that was ever published its first edition; the way back is there."""

from collections.abc import Iterator
from datetime import timedelta
from importlib import import_module
from typing import Any

import pytest
from django.db import connection
from django.db.migrations.executor import MigrationExecutor
from django.utils import timezone

from quizzes.assessment.models import Quiz
from quizzes.assessment.quiz_drafts import EditableQuiz
from quizzes.courses.editions import editions_of
from quizzes.courses.models import AuditEntry, Edition, OldName
from quizzes.learners.models import User
from tests.factories import create_quiz

pytestmark = [pytest.mark.both_databases, pytest.mark.slow]

MIGRATION = import_module("quizzes.assessment.migrations.0023_first_editions")
BEFORE = [("assessment", "0022_drafts_are_files"), ("courses", "0009_content_draft")]


@pytest.fixture
def migrate(transactional_db: None) -> Iterator[Any]:
    """Take the tables to a state; the newest come at the end."""
    del transactional_db

    def to(state: Any = None) -> None:
        executor = MigrationExecutor(connection)
        executor.migrate(state or executor.loader.graph.leaf_nodes())

    yield to
    to()


def test_upgrade_writes_first_editions_and_goes_back(migrate: Any) -> None:
    quiz, editor = create_quiz(questions=3), User.objects.create_user("ada")
    Quiz.objects.filter(pk=quiz.pk).update(shuffle=True, summary="Two\nlines: `a` \u2028 1")
    quiz.places.filter(order=2).update(points="2.5")
    quiz.places.filter(order=3).update(question=None, draw=2, tag="a: b")
    loaded = create_quiz("loaded", questions=1)
    now = EditableQuiz(loaded).published_hash()
    Quiz.objects.filter(pk=loaded.pk).update(loaded_hash=now)
    withdrawn = create_quiz("withdrawn", questions=1)
    Quiz.objects.filter(pk=withdrawn.pk).update(is_published=False)
    unpublished = Quiz.objects.create(course=quiz.course, slug="begun", is_published=False)
    at = timezone.now() - timedelta(days=3)
    entry = {"by": editor, "by_number": editor.pk, "act": "published", "course": quiz.course}
    AuditEntry.objects.create(**entry, subjects=[["quiz", quiz.slug, quiz.title]], at=at)
    AuditEntry.objects.create(**entry, subjects=[["quiz", "former", "Former"]], at=at)
    OldName.objects.create(course=quiz.course, kind="quiz", old="former", new=withdrawn.slug)
    migrate(BEFORE)
    for _ in range(2):  # there, back, and there again
        migrate()
        quiz.refresh_from_db()
        thing = EditableQuiz(quiz)
        (version,) = thing.versions()
        assert (version.number, version.by, version.at, version.from_files) == (
            1,
            editor,
            at,
            False,
        )
        assert version.is_current
        assert version.content == thing.published()
        assert version.content["questions"][1:] == [
            {"slug": version.content["questions"][1]["slug"], "points": 2.5},
            {"draw": 2, "tag": "a: b"},
        ]
        (edition,) = editions_of(loaded)
        assert (edition.from_files, edition.at, edition.content_hash) == (True, None, now)
        (edition,) = editions_of(withdrawn)
        assert (edition.number, edition.by, edition.at) == (1, editor, at)
        assert not editions_of(unpublished).exists()
        migrate([("assessment", BEFORE[0][1])])  # which leaves what is noted
        assert Edition.objects.count() == 3
        migrate()
        assert Edition.objects.count() == 3
        migrate(BEFORE)
