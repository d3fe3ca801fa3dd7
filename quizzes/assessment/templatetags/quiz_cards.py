"""The cards of the list of quizzes, each drawn once for all that it shows."""

from functools import lru_cache
from typing import Any

from django import template
from django.template.loader import render_to_string
from django.utils.safestring import SafeString

from quizzes.assessment.models import Quiz
from quizzes.courses.addresses import PictureAddresses
from quizzes.courses.content import Same
from quizzes.pages.course_links import with_course_links
from quizzes.pages.families import Family
from quizzes.pages.markdown import render_markdown

register = template.Library()


@register.simple_tag
def quiz_card(card: dict[str, Any]) -> SafeString:
    """Return the card of a quiz with a learner's state."""
    return _drawn(Same(card["quiz"]), card["state"], card["family"], card["picture"])


# A card takes 0.2 ms to draw, and a course has fourteen.
@lru_cache(maxsize=1024)
def _drawn(
    quiz: Same[Quiz], state: str, family: Family | None, picture: PictureAddresses | None
) -> SafeString:
    summary = with_course_links(render_markdown(quiz.it.summary), quiz.it.course.slug)
    card = {
        "quiz": quiz.it,
        "summary": summary,
        "state": state,
        "family": family,
        "picture": picture,
    }
    return render_to_string("assessment/_card.html", {"card": card})
