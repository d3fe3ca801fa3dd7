"""What pages of a class ask about its members."""

from collections.abc import Collection, Iterable
from dataclasses import dataclass, replace

from django.http import HttpRequest

from quizzes.assessment.models import Attempt
from quizzes.classes.models import Cohort, Membership
from quizzes.content_files.typed_text import read_whole_number
from quizzes.exercises.models import Submission
from quizzes.teaching.lists import requested_filter


def members_by_learner(cohort: Cohort, learners: Collection[int]) -> dict[int, Membership]:
    """Return the members of a class by the keys of their learners. One query."""
    rows = Membership.objects.filter(cohort=cohort, user__learner__in=learners)
    rows = rows.select_related("user__learner")
    return {row.user.learner.pk: row for row in rows if row.user}


@dataclass(frozen=True)
class ListedWork:
    """An attempt or a submission in a table: whose it is, and the known mistake that it made."""

    work: Attempt | Submission
    member: Membership | None = None
    mistake_words: str = ""


def with_members(cohort: Cohort, rows: Iterable[ListedWork]) -> list[ListedWork]:
    """Return the rows with the members whose work they are. One query."""
    rows = list(rows)
    members = members_by_learner(cohort, {row.work.learner_id for row in rows})
    return [replace(row, member=members.get(row.work.learner_id)) for row in rows]


def requested_member(request: HttpRequest, cohort: Cohort) -> Membership | None:
    """Return the member whose number the address names, if this class has one with an account."""
    number = read_whole_number(requested_filter(request, "member"))
    if number is None:
        return None
    rows = Membership.objects.filter(cohort=cohort, user__isnull=False).select_related("user")
    return rows.filter(pk=number).first()
