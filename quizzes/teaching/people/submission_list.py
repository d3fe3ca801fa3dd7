"""The list of a class's submissions that an address names: by exercise, verdict, mistake, member.

The page of one of them has the same words in its address, so that it leads to the next.
"""

from dataclasses import dataclass
from typing import Self

from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils.http import urlencode

from quizzes.classes.access import submissions_seen
from quizzes.classes.models import Cohort, Membership
from quizzes.exercises.models import Submission
from quizzes.grader.api import Verdict
from quizzes.teaching.addresses import class_address
from quizzes.teaching.lists import requested_filter
from quizzes.teaching.people.members import requested_member

WAITING = "waiting"
VERDICTS = {WAITING: "Waiting", **{verdict.value: verdict.label for verdict in Verdict}}


@dataclass(frozen=True)
class SubmissionList:
    """Which submissions of a class are listed; "" and None are any."""

    cohort: Cohort
    exercise: str = ""
    verdict: str = ""
    mistake: str = ""
    member: Membership | None = None

    @classmethod
    def requested(cls, request: HttpRequest, cohort: Cohort) -> Self:
        """Return the list that the address names. One query where it names a member."""
        verdict = requested_filter(request, "verdict")
        return cls(
            cohort,
            exercise=requested_filter(request, "exercise"),
            verdict=verdict if verdict in VERDICTS else "",
            mistake=requested_filter(request, "mistake"),
            member=requested_member(request, cohort),
        )

    @property
    def query(self) -> str:
        """Return what an address says of it: "?exercise=...", "" for the list of all."""
        words = {
            "exercise": self.exercise,
            "verdict": self.verdict,
            "mistake": self.mistake,
            "member": str(self.member.pk) if self.member else "",
        }
        named = {name: value for name, value in words.items() if value}
        return f"?{urlencode(named)}" if named else ""

    @property
    def address(self) -> str:
        return class_address(self.cohort, "class-submissions") + self.query

    def address_of(self, number: int | None) -> str:
        """Return the page of a submission in this list, "" for none."""
        return class_address(self.cohort, "class-submission", number) + self.query if number else ""

    def rows(self) -> QuerySet[Submission]:
        """Return the submissions, in no order."""
        found = submissions_seen(self.cohort).filter(kind=Submission.Kind.SUBMIT)
        if self.exercise:
            found = found.filter(exercise_version__exercise__slug=self.exercise)
        if self.verdict:
            waits, given = {"graded_at": None}, {"verdict": self.verdict}  # each by its index
            found = found.filter(**waits if self.verdict == WAITING else given)
        if self.mistake:
            found = found.filter(known_mistake=self.mistake)
        if self.member:
            found = found.filter(learner__user=self.member.user_id)
        return found

    def neighbours(self, number: int) -> tuple[str, str]:
        """Return the pages before and after a submission, as listed: newest first. Two queries.

        A submission that the list has no more, since it was graded again, has its neighbours too.
        """
        keys = self.rows().values_list("pk", flat=True)
        newer = keys.filter(pk__gt=number).order_by("pk").first()
        older = keys.filter(pk__lt=number).order_by("-pk").first()
        return self.address_of(newer), self.address_of(older)
