"""Drafts of quizzes that are published when no class has the quiz to do any more."""

import logging

from quizzes.assessment.models import QuizDraft
from quizzes.assessment.quiz_drafts import publish_quiz
from quizzes.assessment.revisions import NotReadyError, StaleRevisionError
from quizzes.classes.assignments import running_work

logger = logging.getLogger(__name__)


def publish_closed_quizzes() -> int:
    """Publish the drafts that waited for their classes; return how many.

    A draft that cannot be published by now, because a question it names was withdrawn, stays a
    draft and waits no longer: its page says what is missing.
    """
    published = 0
    for draft in QuizDraft.objects.filter(publish_when_closed=True).select_related(
        "quiz__course", "edited_by"
    ):
        quiz = draft.quiz
        if running_work(quiz=quiz):
            continue
        try:
            publish_quiz(quiz=quiz, revision=quiz.revision, by=draft.edited_by)
            published += 1
        except StaleRevisionError:
            continue  # somebody is writing: the next look sees what became of it
        except NotReadyError as error:
            logger.warning("quiz %s: not published when it closed: %s", quiz.slug, error)
            QuizDraft.objects.filter(pk=draft.pk).update(publish_when_closed=False)
    return published
