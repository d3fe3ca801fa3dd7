"""An upgrade in mid-term keeps open drafts and plans, and so does the way back."""

from collections.abc import Iterator
from datetime import timedelta
from importlib import import_module
from typing import Any

import pytest
from django.db import connection
from django.db.migrations.executor import MigrationExecutor
from django.utils import timezone

from quizzes.assessment.canonical_files import (
    question_content,
    question_files,
    quiz_file,
    quiz_form_content,
)
from quizzes.assessment.models import Quiz
from quizzes.assessment.question_drafts import EditableQuestion
from quizzes.assessment.quiz_drafts import QUIZ_FILE, EditableQuiz
from quizzes.classes.publishing.later import publish_closed_drafts
from quizzes.courses.drafts import current_text
from quizzes.courses.models import ContentDraft
from quizzes.learners.models import User
from tests.factories import create_quiz

pytestmark = [pytest.mark.both_databases, pytest.mark.slow]

MIGRATION = import_module("quizzes.assessment.migrations.0022_drafts_are_files")
BEFORE = [("assessment", "0021_words_of_an_attempts_end")]
QUESTION = {
    "kind": "single",
    "prompt": "Two\nlines \u2028 and <odd> \u202e text",
    "step": "",
    "tags": ["a, b"],
    "keep_last": False,
    "options": [{"text": "", "key": True, "reason": ""}],
}

BLANK = {"kind": "single", "prompt": "", "step": "", "tags": [], "keep_last": False, "options": []}
TYPED = {name: BLANK[name] for name in ("prompt", "step", "tags", "keep_last")}
NUMBER = {"value": "1,5", "plus_minus": 0, "unit": "", "reason": ""}
EMPTY = {"text": "", "key": False, "reason": ""}
ODD_QUESTIONS: list[dict[str, Any]] = [
    BLANK,
    {**BLANK, "options": [EMPTY] * 4},
    {**TYPED, "kind": "numeric", "answer": NUMBER | {"near": [{"value": "", "reason": ""}]}},
    {**TYPED, "kind": "text", "answer": {"accepts": ["null", "- a", "a: b"], "reason": ""}},
    {**BLANK, "kind": "multiple", "scoring": "", "prompt": "a\n\n b\x85c \u2029", "tags": ["1"]},
    {**BLANK, "prompt": "x" * 70_000, "options": [{**EMPTY, "reason": "z\n" * 9000 + "z"}]},
]
ODD_QUIZZES: list[dict[str, Any]] = [
    {"title": "", "summary": "", "questions": []},
    {
        **{"title": "1", "summary": "null", "class_only": True},
        "questions": ["q1", {"slug": "q2", "points": "x"}, {"draw": "", "tag": "", "points": 2.5}],
    },
]


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


def test_upgrade_keeps_odd_drafts_without_unknown_fields(release_before: Any) -> None:
    quiz = create_quiz(questions=len(ODD_QUESTIONS) + 2)
    questions = list(quiz.questions.order_by("pk"))
    quizzes = [quiz, Quiz.objects.create(course=quiz.course, slug="other", is_published=False)]
    unknown = [
        {**BLANK, "colour": "red", "options": [{**EMPTY, "text": "a", "colour": "red"}]},
        {**TYPED, "kind": "numeric", "answer": {"value": "2", "near": [{"value": "3", "x": 1}]}},
    ]
    pool = {"draw": 2, "tag": "a", "colour": "red"}
    get_model = release_before()
    for question, content in zip(questions, [*ODD_QUESTIONS, *unknown], strict=True):
        get_model("assessment", "QuestionDraft").objects.create(
            question_id=question.pk, content=content
        )
    contents = [ODD_QUIZZES[0], {**ODD_QUIZZES[1], "questions": [pool]}]
    for row, content in zip(quizzes, contents, strict=True):
        get_model("assessment", "QuizDraft").objects.create(quiz_id=row.pk, content=content)
    to_newest()
    read = [current_text(EditableQuestion(question)).content for question in questions]
    assert read[:-2] == ODD_QUESTIONS
    assert read[-2] == {**BLANK, "options": [{**EMPTY, "text": "a"}]}
    assert read[-1]["answer"]["near"] == [{"value": "3", "reason": ""}]
    assert current_text(EditableQuiz(quizzes[0])).content == ODD_QUIZZES[0]
    assert current_text(EditableQuiz(quizzes[1])).content["questions"] == [{"draw": 2, "tag": "a"}]


def test_frozen_migration_writes_what_forms_read() -> None:
    for content in ODD_QUESTIONS:
        assert question_content(MIGRATION.FILES["question"](content)) == content
        assert MIGRATION.CONTENT["question"](question_files(content)) == content
    for content in ODD_QUIZZES:
        assert quiz_form_content(MIGRATION.FILES["quiz"](content)[QUIZ_FILE]) == content
        assert MIGRATION.CONTENT["quiz"]({QUIZ_FILE: quiz_file(content)}) == content


def test_refused_draft_is_named() -> None:
    for kind, content in (("question", {"options": "none"}), ("quiz", {"questions": 3})):
        with pytest.raises(ValueError, match=rf"draft of {kind} one in course: .*must have"):
            MIGRATION._converted(f"{kind} one in course", MIGRATION.FILES[kind], content)
