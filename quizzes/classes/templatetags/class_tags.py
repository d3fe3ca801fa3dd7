"""Tags of classes for the frame and for pages of rooms that do not know classes."""

from datetime import datetime
from typing import Any

from django import template
from django.utils import timezone

from quizzes.assessment.models import Attempt
from quizzes.classes import offers
from quizzes.classes.dates import in_words
from quizzes.classes.messages import Unread, comments_read_by, unread_of
from quizzes.classes.models import Cohort, Comment
from quizzes.classes.sitting_rules import used_no_attempt
from quizzes.exercises.models import Exercise, Submission
from quizzes.learners.models import User
from quizzes.learners.services import current_learner
from quizzes.lessons.models import Lesson, Step
from quizzes.pages.markdown import render_markdown

register = template.Library()
UNPARSED = "Python could not read this code, so it did not use up an attempt."


@register.simple_tag(takes_context=True)
def unread_messages(context: dict[str, Any]) -> Unread:
    """Return what this account has not read; nothing for visitors and on error pages."""
    user = getattr(context.get("request"), "user", None)
    if context.get("accountless") or not isinstance(user, User) or not user.pk:
        return Unread()
    return unread_of(user)


@register.simple_tag(takes_context=True)
def comments_of(context: dict[str, Any], work: Submission | Attempt) -> list[Comment]:
    """Return the comments on work that the visitor reads. One query at most."""
    user = getattr(context.get("request"), "user", None)
    return comments_read_by(user, work) if isinstance(user, User) else []


@register.inclusion_tag("classes/_own_dates.html", takes_context=True)
def dates_of(context: dict[str, Any], work: Exercise | Lesson) -> dict[str, Any]:
    """Show when the visitor's classes want this exercise or lesson."""
    request = context.get("request")
    which = {"exercise" if isinstance(work, Exercise) else "lesson": work}
    learner = current_learner(request) if request is not None else None
    return {"dates": offers.own_dates(learner, timezone.now(), **which)}


@register.inclusion_tag("classes/_step_dates.html", takes_context=True)
def dates_of_step(
    context: dict[str, Any], step: Step, *, is_read: bool, has_end: bool
) -> dict[str, Any]:
    """Show when the visitor's classes want a step off the path that they count.

    A page without an end of its own (`has_end`) gets the button that notes it as read.
    """
    request = context.get("request")
    learner = current_learner(request) if request is not None else None
    dates = offers.dates_of_step(learner, timezone.now(), step)
    return {
        "dates": dates,
        "address": step.get_absolute_url(),
        "may_note": not (is_read or has_end),
    }


@register.simple_tag
def unparsed_note(submission: Submission) -> str:
    """Return what code that Python could not read cost in a class's work: nothing."""
    return UNPARSED if used_no_attempt(submission) else ""


@register.filter
def as_markdown(text: str) -> str:
    """Return the staff's text as HTML."""
    return render_markdown(text)


@register.filter
def on_clock_of(at: datetime, cohort: Cohort) -> str:
    """Return a time in words, in the zone of the class and with its name, as deadlines are."""
    return in_words(at, cohort.zone, timezone.now())
