"""The next thing to do as a page asks for it."""

from django.test import RequestFactory

from quizzes.courses.models import Course
from quizzes.learners.identity import show_as
from quizzes.learners.models import Learner
from quizzes.study.next_thing import Recommendation
from quizzes.study.recommendations import recommendation_for


def next_for(course: Course | None, learner: Learner | None) -> Recommendation | None:
    """Return the next thing of a learner in a course, None when all is done."""
    request = RequestFactory().get("/")
    if learner is not None:
        show_as(request, learner)
    return recommendation_for(request, course)
