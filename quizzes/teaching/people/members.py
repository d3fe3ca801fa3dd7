"""What pages of a class ask about its members."""

from collections.abc import Collection, Iterable
from dataclasses import dataclass, replace

from django.db.models import Q, QuerySet
from django.http import HttpRequest

from quizzes.assessment.models import Attempt
from quizzes.classes.models import Cohort, Membership
from quizzes.exercises.models import Submission
from quizzes.teaching.lists import key_in, requested_filter

State = Membership.State
STATES = {"": "All but removed", **dict(State.choices), State.ACTIVE.value: "Joined"}


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
    number = key_in(requested_filter(request, "member"))
    if number is None:
        return None
    rows = Membership.objects.filter(cohort=cohort, user__isnull=False).select_related("user")
    return rows.filter(pk=number).first()


def search_members(rows: QuerySet[Membership], words: str) -> QuerySet[Membership]:
    """Return those of the members whose name, address or id has every word, on all pages alike."""
    for word in words.split()[:5]:
        rows = rows.filter(
            Q(name__icontains=word)
            | Q(email__icontains=word)
            | Q(external_id__icontains=word)
            | Q(login_id__icontains=word)
            | Q(user__username__icontains=word)
        )
    return rows


def find_members(
    cohort: Cohort, words: str, *, section: str, role: str, state: str
) -> QuerySet[Membership]:
    """Return the members whose name, address or id has every word, by name."""
    found = search_members(Membership.objects.filter(cohort=cohort).select_related("user"), words)
    if section:
        found = found.filter(section=section)
    if role in Membership.Role.values:
        found = found.filter(role=role)
    if state in State.values:
        found = found.filter(state=state)
    else:
        found = found.exclude(state__in=[State.REMOVED, State.DELETED])
    return found.order_by("name", "email", "pk")


def sections_of(cohort: Cohort) -> list[str]:
    """Return the sections that stand on the roster, by name."""
    rows = Membership.objects.filter(cohort=cohort).exclude(section="").order_by("section")
    return list(rows.values_list("section", flat=True).distinct())
