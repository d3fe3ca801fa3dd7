"""The facts that name the next thing to do, read for the pages that show it.

The header, the start page, the map, the progress page and the end of every lesson, quiz and
exercise ask `recommendation_for`, so they say the same. It takes one query, which reads the due
reviews as well, and one more for a member of a class. None for a visitor who has done nothing.
"""

from collections.abc import Mapping, Sequence, Set
from datetime import datetime
from functools import cached_property

from django.http import HttpRequest
from django.utils import timezone

from quizzes.classes.due_work import DueWork, due_work, shut_work
from quizzes.courses.addresses import Thing
from quizzes.courses.content import note_token
from quizzes.courses.just_done import JUST_DONE
from quizzes.courses.models import Course
from quizzes.learners.models import Learner
from quizzes.learners.services import current_learner, due_count, hidden_slugs
from quizzes.page_reads import reading_page
from quizzes.request_values import RequestValue
from quizzes.study.course_outline import Outline, outline_of
from quizzes.study.learner_rows import LearnerRows, OpenAttempt, learner_rows
from quizzes.study.misconceptions import code_mistakes
from quizzes.study.next_thing import DUE_SOON, DUE_THIS_WEEK, Recommendation, next_after

# By the key of the course, None for the home course.
_NEXT_THINGS: RequestValue[dict[int | None, Recommendation | None]] = RequestValue("next_things")


def recommendation_for(request: HttpRequest, course: Course | None) -> Recommendation | None:
    """Return the next thing for the visitor of a request; worked out once for each request.

    In the home course for None. It follows what the page shows the end of. A newcomer begins with
    the course.
    """
    key = None if course is None else course.pk
    known = _NEXT_THINGS.get_or_set(request, dict)
    if key not in known:
        with reading_page():
            facts = _Facts(course, current_learner(request))
            known[key] = facts.next_after(JUST_DONE.get(request))
    return known[key]


class _Facts:
    """The facts of `NextFacts`. Each part is read by the first rule that needs it."""

    def __init__(self, course: Course | None, learner: Learner | None) -> None:
        self._learner, self.now = learner, timezone.now()
        self._rows = LearnerRows(course and note_token(course))
        if learner is not None:
            self._rows = learner_rows(learner, course)

    def next_after(self, thing: Thing | None) -> Recommendation | None:
        """Return the next thing; None on a site without courses."""
        return None if self._rows.course is None else next_after(thing, self)

    @property
    def _course(self) -> Course:
        course = self._rows.course
        assert course is not None  # without one nothing is next
        return course

    @cached_property
    def outline(self) -> Outline:
        return outline_of(self._course)

    @property
    def states(self) -> Mapping[tuple[str, str], str]:
        return self._rows.states

    @property
    def times(self) -> Mapping[tuple[str, str], datetime]:
        return self._rows.times

    @property
    def attempts(self) -> Sequence[OpenAttempt]:
        return self._rows.attempts

    @cached_property
    def due_reviews(self) -> int:
        return due_count(self._learner)  # read with the rows

    @cached_property
    def due_work(self) -> Sequence[DueWork]:
        return due_work(self._learner, self.now, DUE_SOON)

    @cached_property
    def work_this_week(self) -> Sequence[DueWork]:
        return due_work(self._learner, self.now, DUE_THIS_WEEK)

    @cached_property
    def _shut(self) -> Set[tuple[str, int, str]]:
        return shut_work(self._learner, self.now)

    def state(self, kind: str, slug: str) -> str:
        state = self._rows.states.get((kind, slug), "")
        return "" if state and slug in hidden_slugs(self._learner, self._course.pk, kind) else state

    def is_shut(self, kind: str, slug: str) -> bool:
        return (kind, self._course.pk, slug) in self._shut

    def last_verdict(self, exercise: str) -> str:
        made = code_mistakes(self._course, self._learner)
        mistake = next((mistake for mistake in made if mistake.exercise == exercise), None)
        if mistake is not None and mistake.sentence:
            return f"The verdict on your last try: {mistake.sentence}"
        return "You tried it but have not solved it yet."
