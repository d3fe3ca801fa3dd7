"""Numbers as the verdict says them."""

from django import template

from quizzes.grader.wording import duration

register = template.Library()
register.filter("duration", duration)
