"""Messages that say, to an editor and to the script of the form, that what was sent is saved."""

from django.contrib import messages
from django.http import HttpRequest

from quizzes.assessment.models import Question, Quiz


def say_saved(
    request: HttpRequest, item: Question | Quiz, words: str, level: int = messages.SUCCESS
) -> None:
    """Add a message that names the form as its `data-keep` does.

    What is saved is written in another way than it was typed, such as tags after a comma: without
    this the script would take the text that it keeps for one that was never saved.
    """
    kind = "question" if isinstance(item, Question) else "quiz"
    form = f"{kind}/{item.course.slug}/{item.slug}"
    messages.add_message(request, level, words, extra_tags=form)
