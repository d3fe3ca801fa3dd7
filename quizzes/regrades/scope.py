"""Whose work a regrade is about: that of a whole course, or of one class."""

from dataclasses import dataclass

from django.db.models import QuerySet

from quizzes.assessment.models import Question, Regrade
from quizzes.courses.audit import record
from quizzes.exercises.models import CodeRegrade, Exercise, Submission
from quizzes.learners.models import User


@dataclass(frozen=True)
class Scope:
    """The work of one class, which this room does not know; without a key that of the course.

    `sittings` are those of its attempts, `submissions` what its staff sees; `slug` is for the log.
    """

    cohort_id: int | None = None
    slug: str = ""
    sittings: tuple[int, ...] = ()
    submissions: QuerySet[Submission] | None = None

    def owns(self, regrade: Regrade | CodeRegrade) -> bool:
        """Return whether a regrade is about exactly this work."""
        return regrade.cohort_id == self.cohort_id

    def declines(self, regrade: Regrade | CodeRegrade) -> bool:
        """Return whether who undoes it declines one of the course for the work of a class.

        Raises ValueError for a regrade of another class.
        """
        if regrade.cohort_id not in {None, self.cohort_id}:
            raise ValueError(f"{regrade}: expected one of {self} or of its course")
        return not self.owns(regrade)

    def narrow(self, submissions: QuerySet[Submission]) -> QuerySet[Submission]:
        """Return those of some submissions that are in this scope."""
        if self.submissions is None:
            return submissions
        return submissions.filter(pk__in=self.submissions.order_by().values("pk"))


WHOLE_COURSE = Scope()


def write_log(thing: Question | Exercise, by: User, scope: Scope, act: str, about: str) -> None:
    subjects = [thing.as_subject()]
    record(by=by, act=act, subjects=subjects, about=about, course=thing.course, cohort=scope.slug)
