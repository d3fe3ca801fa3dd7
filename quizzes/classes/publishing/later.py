"""Drafts that are published when no class has a quiz to do any more that they would change."""

import logging
from collections.abc import Callable
from datetime import datetime
from functools import partial
from typing import Any

from django.db import transaction
from django.utils import timezone

from quizzes.assessment.models import Question, QuestionDraft, Quiz, QuizDraft
from quizzes.assessment.models.drafts import Draft
from quizzes.assessment.question_drafts import publish
from quizzes.assessment.quiz_drafts import publish_quiz
from quizzes.assessment.revisions import NotReadyError, StaleRevisionError
from quizzes.assessment.store import stored_quiz_hash
from quizzes.classes.publishing.running_work import tags_of, work_on_question, work_on_quiz
from quizzes.classes.week.known_mistakes import mistakes_to_choose
from quizzes.courses.audit import record
from quizzes.lessons.services import step_paths

logger = logging.getLogger(__name__)


def publish_closed_drafts(*, now: datetime | None = None) -> int:
    """Publish the drafts that waited for classes that have closed by `now`; return how many.

    Questions come first: a quiz may name one that is published with it. A draft that cannot be
    published by now, because something that it names was withdrawn or something else was published
    meanwhile, stays a draft and waits no longer: its page and the log of the course say why.
    """
    published = 0
    questions = QuestionDraft.objects.filter(publish_when_closed=True)
    for draft in questions.select_related("question__course", "question__current", "edited_by"):
        tags = tags_of(draft.question, draft.content)
        if not work_on_question(draft.question, tags, now=now):
            published += _published(draft, draft.question, partial(_publish_question, draft))
    quizzes = QuizDraft.objects.filter(publish_when_closed=True)
    for quiz_draft in quizzes.select_related("quiz__course", "edited_by"):
        if not work_on_quiz(quiz_draft.quiz, now=now):
            published += _published(quiz_draft, quiz_draft.quiz, partial(_publish_quiz, quiz_draft))
    return published


class OutdatedDraftError(Exception):
    """Something else was published since the draft was planned: nobody has seen both."""


def _publish_question(draft: QuestionDraft) -> None:
    question = draft.question
    if draft.base != (question.current.content_hash if question.current else ""):
        raise OutdatedDraftError("another version was published after this was planned")
    publish(
        question=question,
        revision=question.revision,
        steps=step_paths(question.course),
        mistakes=mistakes_to_choose(question),
        editor=draft.edited_by,
    )


def _publish_quiz(draft: QuizDraft) -> None:
    if draft.quiz.is_published and draft.base != stored_quiz_hash(draft.quiz):
        raise OutdatedDraftError("the published quiz was changed after this was planned")
    publish_quiz(quiz=draft.quiz, revision=draft.quiz.revision, by=draft.edited_by)


def _published(draft: Draft, thing: Question | Quiz, publish_it: Callable[[], None]) -> bool:
    """Publish a draft; return whether it could be."""
    try:
        publish_it()
    except StaleRevisionError:
        return False  # somebody is writing: the next look sees what became of it
    except (NotReadyError, OutdatedDraftError) as error:
        _give_up(draft, thing, error)
        return False
    return True


def _give_up(
    draft: Draft, thing: Question | Quiz, error: NotReadyError | OutdatedDraftError
) -> None:
    """Have a draft wait no longer, and say why; not if it was saved or planned again meanwhile."""
    why = str(error)
    if isinstance(error, NotReadyError):
        missing = "; ".join(problem.message for problem in error.problems)
        why = f"it cannot be published as it is ({missing})"
    model: Any = type(draft)
    waits = model.objects.filter(pk=draft.pk, publish_when_closed=True, edited_at=draft.edited_at)
    facts = {"not_published_at": timezone.now(), "not_published_why": why[:300]}
    with transaction.atomic():
        if not waits.update(publish_when_closed=False, **facts):
            return
        record(
            by=draft.edited_by,
            act="could not publish",
            subjects=[thing.as_subject()],
            about=f"when it had closed: {why}",
            course=thing.course,
        )
    logger.warning("%s: not published when it closed: %s", draft, why)
