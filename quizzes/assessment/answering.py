"""Putting an answer into a response: a chosen option, or what was typed as a number."""

from collections.abc import Iterable, Mapping
from datetime import datetime

from quizzes.assessment.models import Option, QuestionVersion, Response
from quizzes.assessment.models.attempts import MAX_TEXT
from quizzes.assessment.numerals import NotANumberError, read_number
from quizzes.assessment.numeric import NumericAnswer, answer_from_json

Given = int | str  # an option by primary key, or the text of a number
ANSWER_FIELDS = ("choice", "text", "number", "is_right", "answered_at")


class NoSuchChoiceError(Exception):
    """The option does not belong to the question that was asked."""


def answer_of(response: Response) -> NumericAnswer | None:
    """Return the right number of what a response asks; None where options are chosen."""
    return answer_to(response.version, response.instance)


def answer_to(version: QuestionVersion, instance: object) -> NumericAnswer | None:
    """Return the right number of a question, or of the instance of it that was drawn."""
    stored = version.answer if instance is None else getattr(instance, "answer", None)
    return answer_from_json(stored) if stored else None


def chosen_options(given: Iterable[Given]) -> Mapping[int, Option]:
    """Return the options among some answers, by primary key. One query, none without options."""
    chosen = [one for one in given if isinstance(one, int)]
    return Option.objects.in_bulk(chosen) if chosen else {}


def put_answer(
    response: Response, given: Given, options: Mapping[int, Option], now: datetime
) -> bool:
    """Put an answer into a response, not saved yet; return whether it changed anything.

    A text that is no number is kept, and leaves the question without an answer; an empty one takes
    the answer back. Raises NoSuchChoiceError, with nothing changed.
    """
    if isinstance(given, int):
        option = options.get(given)
        if option is None or given not in response.option_order:
            raise NoSuchChoiceError(f"option {given} was not offered for response {response.pk}")
        if response.choice_id == given:
            return False
        response.choice, response.is_right, response.answered_at = option, option.is_key, now
        return True
    answer = answer_of(response)
    if answer is None:
        raise NoSuchChoiceError(f"response {response.pk} asks for an option, not for a number")
    text = clean_text(given)
    problem = unreadable(text)
    if response.text == text and (response.number is not None or problem):
        return False
    response.text, response.number = text, None
    response.is_right = response.answered_at = None
    if not problem:
        response.number = read_number(text)
        response.is_right, response.answered_at = answer.accepts(response.number), now
    return True


def clean_text(text: str) -> str:
    """Return typed text as it is kept; of what is longer than any number, the beginning."""
    return text.replace("\0", "").strip()[:MAX_TEXT]


def unreadable(text: str) -> str:
    """Return why a text is not read as a number, for the person who typed it; "" when it is."""
    try:
        read_number(text)
    except NotANumberError as error:
        return str(error)
    return ""
