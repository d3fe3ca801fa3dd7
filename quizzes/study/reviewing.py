"""What a due card asks: its question with fresh numbers, or to recall a mistake made in code."""

from dataclasses import dataclass

from django.db import transaction

from quizzes.assessment.alone import Asked, answer_in_review, shown_to
from quizzes.assessment.answering import NoSuchChoiceError
from quizzes.assessment.drawing import Drawn, draw_steadily, draw_with_mistake
from quizzes.assessment.models import Question, Response
from quizzes.learners.models import Learner, Progress, ReviewCard
from quizzes.learners.services import due_cards, record_progress, review
from quizzes.study.code_mistakes import CodeMistake, code_mistakes

LOOKED_AT = 20  # cards whose question is gone are passed over


class AnsweredElsewhereError(Exception):
    """The card was answered in another tab since the page was made; nothing was recorded."""


@dataclass(frozen=True)
class Due:
    """A card and what is shown for it: a question, or the mistake itself where none asks for it."""

    card: ReviewCard
    drawn: Drawn | None
    mistake: CodeMistake | None


def next_due(learner: Learner | None) -> Due | None:
    """Return the card that has waited longest, with what it asks; None when nothing is due."""
    for card in due_cards(learner)[:LOOKED_AT]:
        due = _shown(card)
        if due is not None:
            return due
    return None


def _shown(card: ReviewCard) -> Due | None:
    if card.kind == ReviewCard.Kind.QUESTION:
        found = Question.objects.filter(slug=card.slug, current__isnull=False)
        drawn = draw_steadily(found.select_related("current"), learner=card.learner)
        return next((Due(card, one, None) for one in drawn.values()), None)
    asking = draw_with_mistake(card.slug, learner=card.learner)
    if asking is not None:
        return Due(card, asking, None)
    made = (one for one in code_mistakes(card.learner) if one.name == card.slug)
    return next((Due(card, None, one) for one in made), None)


@transaction.atomic
def answer_card(*, card: ReviewCard, seen: int, question: Question, asked: Asked) -> Response:
    """Record the answer to what a card asked and say when it is asked again.

    Raises AnsweredElsewhereError, NoSuchChoiceError for a question that the card does not ask,
    and what `answer_in_review` raises.
    """
    if not _asks(card, question, asked):
        raise NoSuchChoiceError(f"{card} does not ask question {question.slug}")
    response = answer_in_review(learner=card.learner, question=question, asked=asked)
    if not review(card=card, seen=seen, remembered=bool(response.is_right)):
        raise AnsweredElsewhereError(f"{card} was answered after {seen} reviews")
    if card.kind == ReviewCard.Kind.QUESTION and response.is_right:
        record_progress(
            learner=card.learner,
            kind=Progress.Kind.QUESTION,
            slug=question.slug,
            state=Progress.State.DONE,
        )
    return response


def _asks(card: ReviewCard, question: Question, asked: Asked) -> bool:
    """Say whether an answer to a question is one to a card."""
    if card.kind == ReviewCard.Kind.QUESTION:
        return question.slug == card.slug
    return any(option.mistake == card.slug for option in shown_to(question, asked).options)


def recall_card(*, card: ReviewCard, seen: int, remembered: bool) -> None:
    """Record what a learner says of a mistake that no question asks for.

    Raises AnsweredElsewhereError.
    """
    if not review(card=card, seen=seen, remembered=remembered):
        raise AnsweredElsewhereError(f"{card} was answered after {seen} reviews")


def waiting(learner: Learner | None) -> ReviewCard | None:
    """Return the card that comes next when nothing is due."""
    cards = ReviewCard.objects.filter(learner=learner) if learner else ReviewCard.objects.none()
    return cards.order_by("due_at").first()
