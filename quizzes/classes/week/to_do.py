"""Who has not started what is due soon, who needs help, and what failed on our side."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db.models import CharField, F, Value
from django.db.models.functions import Cast

from quizzes.assessment.models import Attempt
from quizzes.classes.marks.lesson_steps import steps_met
from quizzes.classes.models import Assignment, AssignmentException, Cohort, Membership
from quizzes.classes.week.signs import CORRECT, OTHER_CONVENTION, SubmissionRow
from quizzes.exercises.models import Submission
from quizzes.grader.api import Verdict
from quizzes.learners.models import Progress

SOON = timedelta(hours=48)
TRIES = 5  # submissions in a row that brought nothing


@dataclass(frozen=True)
class NotBegun:
    """An assignment that is due soon, and the students that have begun nothing of it."""

    assignment: Assignment
    due_at: datetime  # the first of their dates
    members: Sequence[Membership]


@dataclass(frozen=True)
class NeedsHelp:
    """A student whose submissions to an exercise bring nothing: how many, and since when."""

    member: Membership
    exercise: str
    title: str
    tries: int
    since: datetime
    newest: int  # the key of the newest submission


def not_begun(
    cohort: Cohort,
    assigned: Sequence[Assignment],
    members: Mapping[int, Membership],
    now: datetime,
) -> list[NotBegun]:
    """Return the work due in 48 hours and the members who have not started. Two queries at most."""
    if not assigned or not members:
        return []
    own: dict[tuple[int, int], AssignmentException] = {
        (one.assignment_id, one.membership_id): one
        for one in AssignmentException.objects.filter(assignment__in=assigned)
    }
    waiting: list[tuple[Assignment, datetime, list[Membership]]] = []
    for assignment in assigned:
        due: dict[datetime, list[Membership]] = defaultdict(list)
        for member in members.values():
            exception = own.get((assignment.pk, member.pk))
            rule = assignment.rule_for(exception, member.extra_time_percent)
            end = rule.due_at or rule.closes_at
            if end and now < end <= now + SOON and rule.opens_at <= now and not rule.is_excused:
                due[end].append(member)
        if due:
            people = [one for theirs in due.values() for one in theirs]
            waiting.append((assignment, min(due), people))
    begun = _begun(cohort, [one for one, *_ in waiting], members)
    found = [
        NotBegun(
            assignment, at, [person for person in people if person.pk not in begun[assignment.pk]]
        )
        for assignment, at, people in waiting
    ]
    return sorted((one for one in found if one.members), key=lambda item: item.due_at)


def _begun(
    cohort: Cohort, assigned: Sequence[Assignment], members: Mapping[int, Membership]
) -> dict[int, set[int]]:
    """Return by assignment the members that have begun it: attempts, submissions, steps met.

    One query.
    """
    things: dict[tuple[str, str], list[int]] = defaultdict(list)
    for one in assigned:
        if one.quiz_id:
            things["quiz", str(one.sitting)].append(one.pk)
        elif one.exercise_id:
            things["exercise", str(one.exercise_id)].append(one.pk)
        for step in steps_met(one.steps):
            things["step", step].append(one.pk)
    names = {
        kind: [name for k, name in things if k == kind] for kind in ("quiz", "exercise", "step")
    }
    taken = Attempt.objects.filter(sitting__in=map(int, names["quiz"])).annotate(
        thing=Cast("sitting", CharField()), kind_of=_word("quiz"), who=F("learner_id")
    )
    sent = Submission.objects.filter(
        exercise_version__exercise__in=map(int, names["exercise"])
    ).annotate(
        thing=Cast("exercise_version__exercise_id", CharField()),
        kind_of=_word("exercise"),
        who=F("learner_id"),
    )
    met = Progress.objects.filter(
        course=cohort.course_id, kind=Progress.Kind.STEP, slug__in=names["step"]
    ).annotate(thing=F("slug"), kind_of=_word("step"), who=F("learner_id"))
    columns = ("kind_of", "thing", "who")
    rows = [one.order_by().values_list(*columns) for one in (taken, sent, met)]
    found: dict[int, set[int]] = defaultdict(set)
    for kind, thing, who in rows[0].union(*rows[1:]):
        for assignment in things[kind, thing] if who in members else ():
            found[assignment].add(members[who].pk)
    return found


def _word(text: str) -> Value:
    return Value(text, output_field=CharField())


def needs_help(sent: Iterable[SubmissionRow], members: Mapping[int, Membership]) -> list[NeedsHelp]:
    """Return the members who submit again and again without progress, the longest first.

    `sent` has what was submitted in this week and the one before. Progress is a submission that
    passes more cases than any before it.
    """
    tries: dict[tuple[int, str], list[SubmissionRow]] = defaultdict(list)
    solved: set[tuple[int, str]] = set()
    for one in sent:
        if one.verdict in {CORRECT, OTHER_CONVENTION}:
            solved.add((one.learner, one.exercise))
        elif one.passed is not None and one.learner in members:
            tries[one.learner, one.exercise].append(one)
    found = [
        _without_progress(members[key[0]], theirs)
        for key, theirs in tries.items()
        if key not in solved and len(theirs) >= TRIES
    ]
    return sorted((one for one in found if one), key=lambda item: item.since)


def _without_progress(member: Membership, tries: Sequence[SubmissionRow]) -> NeedsHelp | None:
    """Return a student who got no further than the best submission, from that one on."""
    best = max(one.passed or 0 for one in tries)
    first = next(place for place, one in enumerate(tries) if (one.passed or 0) == best)
    after, newest = tries[first:], tries[-1]
    if len(after) < TRIES:
        return None
    return NeedsHelp(member, newest.exercise, newest.title, len(after), after[0].at, newest.pk)


def our_failures_among(sent: Iterable[SubmissionRow]) -> list[SubmissionRow]:
    """Return the submissions that were not graded by our failure, the newest first."""
    failed = [one for one in sent if one.verdict == Verdict.NOT_GRADED.value]
    return sorted(failed, key=lambda submission: submission.at, reverse=True)
