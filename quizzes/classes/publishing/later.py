"""Drafts that are published when no class has a quiz to do any more that they would change."""

import logging
from collections.abc import Callable
from functools import partial

from quizzes.assessment.models import QuestionDraft, QuizDraft
from quizzes.assessment.models.drafts import Draft
from quizzes.assessment.question_drafts import publish
from quizzes.assessment.quiz_drafts import publish_quiz
from quizzes.assessment.revisions import NotReadyError, StaleRevisionError
from quizzes.assessment.store import stored_quiz_hash
from quizzes.classes.publishing.running_work import tags_of, work_on_question, work_on_quiz
from quizzes.lessons.services import step_paths

logger = logging.getLogger(__name__)


def publish_closed_drafts() -> int:
    """Publish the drafts that waited for their classes; return how many.

    Questions come first: a quiz may name one that is published with it. A draft that cannot be
    published by now, because something that it names was withdrawn or something else was published
    meanwhile, stays a draft and waits no longer: its page says what is missing.
    """
    published = 0
    questions = QuestionDraft.objects.filter(publish_when_closed=True)
    for draft in questions.select_related("question__course", "question__current", "edited_by"):
        if not work_on_question(draft.question, tags_of(draft.question, draft.content)):
            published += _published(draft, partial(_publish_question, draft))
    quizzes = QuizDraft.objects.filter(publish_when_closed=True)
    for quiz_draft in quizzes.select_related("quiz__course", "edited_by"):
        if not work_on_quiz(quiz_draft.quiz):
            published += _published(quiz_draft, partial(_publish_quiz, quiz_draft))
    return published


class OutdatedDraftError(Exception):
    """Something else was published since the draft was begun: nobody has seen both."""


def _publish_question(draft: QuestionDraft) -> None:
    question = draft.question
    if draft.base != (question.current.content_hash if question.current else ""):
        raise OutdatedDraftError("another version was published meanwhile")
    steps = step_paths(question.course)
    publish(question=question, revision=question.revision, steps=steps, editor=draft.edited_by)


def _publish_quiz(draft: QuizDraft) -> None:
    if draft.quiz.is_published and draft.base != stored_quiz_hash(draft.quiz):
        raise OutdatedDraftError("the quiz was changed meanwhile")
    publish_quiz(quiz=draft.quiz, revision=draft.quiz.revision, by=draft.edited_by)


def _published(draft: Draft, publish_it: Callable[[], None]) -> bool:
    """Publish a draft; return whether it could be."""
    try:
        publish_it()
    except StaleRevisionError:
        return False  # somebody is writing: the next look sees what became of it
    except (NotReadyError, OutdatedDraftError) as error:
        logger.warning("%s: not published when it closed: %s", draft, error)
        draft.publish_when_closed = False
        draft.save(update_fields=["publish_when_closed"])
        return False
    return True
