"""An upgrade in mid-term keeps open drafts and plans, and so does the way back."""

from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import pytest
from django.db import connection
from django.db.migrations.executor import MigrationExecutor
from django.utils import timezone

from quizzes.assessment.question_drafts import EditableQuestion
from quizzes.assessment.quiz_drafts import EditableQuiz
from quizzes.classes.publishing.later import publish_closed_drafts
from quizzes.courses.drafts import current_text
from quizzes.courses.models import ContentDraft
from quizzes.learners.models import User
from tests.factories import create_quiz

pytestmark = [pytest.mark.both_databases, pytest.mark.slow]

BEFORE = [("assessment", "0021_words_of_an_attempts_end")]
QUESTION = {
    "kind": "single",
    "prompt": "Two\nlines \u2028 and <odd> \u202e text",
    "step": "",
    "tags": ["a, b"],
    "keep_last": False,
    "options": [{"text": "", "key": True, "reason": ""}],
}


@pytest.fixture
def release_before(transactional_db: None) -> Iterator[Any]:
    """Take the tables back by this one migration; the newest come at the end."""
    del transactional_db
    yield lambda: MigrationExecutor(connection).migrate(BEFORE).apps.get_model
    to_newest()


def to_newest() -> None:
    executor = MigrationExecutor(connection)
    executor.migrate(executor.loader.graph.leaf_nodes())


def test_upgrade_keeps_drafts_and_plans(release_before: Any) -> None:
    quiz, editor = create_quiz(questions=1), User.objects.create_user("ada")
    question = quiz.questions.get()
    planned = {
        "title": "Another title",
        "summary": "New.",
        "questions": [question.slug],
        "shuffle": True,
    }
    saved_at = timezone.now() - timedelta(days=3)
    get_model = release_before()
    drafts = [get_model("assessment", f"{kind}Draft").objects for kind in ("Question", "Quiz")]
    base = EditableQuiz(quiz).published_hash()
    drafts[0].create(
        question_id=question.pk,
        content=QUESTION,
        not_published_at=saved_at,
        not_published_why="because",
        edited_by_id=editor.pk,
    )
    drafts[1].create(quiz_id=quiz.pk, content=planned, base=base, publish_when_closed=True)
    for rows in drafts:
        rows.update(edited_at=saved_at)
    for _ in range(2):  # there, back, and there again
        to_newest()
        now = current_text(EditableQuestion(question))
        assert now.content == QUESTION
        assert now.draft is not None
        assert (now.draft.edited_by, now.draft.edited_at) == (editor, saved_at)
        assert (now.draft.not_published_at, now.draft.not_published_why) == (saved_at, "because")
        plan = current_text(EditableQuiz(quiz))
        assert plan.content == planned
        assert plan.draft is not None
        assert (plan.draft.base, plan.draft.publish_when_closed) == (base, True)
        get_model = release_before()
        stored = [
            get_model("assessment", f"{kind}Draft").objects.get() for kind in ("Question", "Quiz")
        ]
        assert [row.content for row in stored] == [QUESTION, planned]
        assert stored[1].publish_when_closed
    to_newest()
    assert publish_closed_drafts() == 1
    quiz.refresh_from_db()
    assert quiz.title == "Another title"
    assert [draft.kind for draft in ContentDraft.objects.all()] == ["question"]
