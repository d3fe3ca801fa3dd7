"""What the page of assigned work says to a learner: its dates, and of a quiz a button for each."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from quizzes.assessment.models import Attempt, Quiz
from quizzes.assessment.sittings import Offer, Offers
from quizzes.classes.dates import distance, in_words, length
from quizzes.classes.marks.lesson_steps import steps_to_read
from quizzes.classes.models import Cohort
from quizzes.classes.own_work import OwnWork, own_work
from quizzes.classes.rules import GRACE, Rule
from quizzes.classes.sitting_rules import practice_of, sitting_of
from quizzes.learners.models import Learner
from quizzes.lessons.models import Step

WHOLE = 100  # percent


@dataclass(frozen=True)
class Dates:
    """When a class wants a piece of work, in one sentence."""

    cohort: Cohort
    says: str


def sitting_offers(learner: Learner, quiz: Quiz, now: datetime) -> Offers:
    """Return the assignments of a quiz for a learner, those that are due first before the others,
    and whether it may be practised beside them.

    Four queries at most, one for a learner that is in no class.
    """
    works = own_work(learner, quiz=quiz)
    return Offers(_offers(works, learner, now) if works else (), practice_of(works, quiz, now))


def _offers(works: list[OwnWork], learner: Learner, now: datetime) -> list[Offer]:
    sittings = [work.assignment.sitting for work in works]
    mine = Attempt.objects.filter(learner=learner, sitting__in=sittings)
    rows = list(mine.values_list("sitting", "submitted_at", "deadline_at"))
    used = Counter(sitting for sitting, _, _ in rows)
    under_way = {
        sitting
        for sitting, submitted, deadline in rows
        if submitted is None and (deadline is None or now <= deadline + GRACE)
    }
    return [
        Offer(
            rules=sitting_of(work, used[work.assignment.sitting], now),
            title=work.membership.cohort.title,
            says=says(work, used[work.assignment.sitting], now),
            is_begun=work.assignment.sitting in under_way,
        )
        for work in sorted(works, key=lambda work: _urgency(work, now))
    ]


def _urgency(work: OwnWork, now: datetime) -> tuple[bool, bool, datetime, int]:
    end = work.rule.due_at or work.rule.closes_at
    return (work.rule.is_closed(now), end is None, end or now, work.assignment.pk)


def says(work: OwnWork, used: int, now: datetime) -> str:
    """Return one sentence: when it is due, how long an attempt may take, and how many are left."""
    rule, parts = work.rule, _dates(work, now)
    if rule.minutes is not None:
        parts.append(f"{rule.minutes} minute{'' if rule.minutes == 1 else 's'} from the start")
    if rule.attempts is not None:
        left = max(0, rule.attempts - used)
        parts.append(f"{left} of {rule.attempts} attempt{'' if rule.attempts == 1 else 's'} left")
    return _sentence([*parts, *_late(rule)])


def own_dates(learner: Learner | None, now: datetime, **which: object) -> Sequence[Dates]:
    """Return when the assignments of an exercise or a lesson are due, the most urgent first.

    Nothing for those that a learner is excused from. Three queries at most, as `own_work`.
    """
    return _dates_of(own_work(learner, **which), now)


def dates_of_step(learner: Learner | None, now: datetime, step: Step) -> Sequence[Dates]:
    """Return when the open assignments that count a step off the path are due.

    Most do not. The step may stand in another lesson than the one that was assigned. One query, as
    `own_work`.
    """
    course, path = step.lesson.course_id, step.path
    works = [
        work
        for work in own_work(learner)
        if work.membership.cohort.course_id == course
        and path in steps_to_read(work.assignment.steps)
        and not work.rule.is_closed(now)
    ]
    return _dates_of(works, now)


def _dates_of(works: Sequence[OwnWork], now: datetime) -> Sequence[Dates]:
    return [
        Dates(work.membership.cohort, _sentence([*_dates(work, now), *_late(work.rule)]))
        for work in sorted(works, key=lambda work: _urgency(work, now))
        if not work.rule.is_excused
    ]


def _dates(work: OwnWork, now: datetime) -> list[str]:
    rule, zone = work.rule, work.membership.cohort.zone
    parts = []
    if now < rule.opens_at:
        parts.append(f"opens {in_words(rule.opens_at, zone, now)}")
    if rule.due_at is not None:
        word = "due" if now <= rule.due_at else "was due"
        parts.append(f"{word} {in_words(rule.due_at, zone, now)}, {distance(rule.due_at, now)}")
        last = rule.in_time_until
        if last is not None and rule.due_at < last and now <= last:
            parts.append(f"{length(last - rule.due_at)} of grace")
    if rule.closes_at is not None and rule.closes_at != rule.due_at:
        word = "closes" if not rule.is_closed(now) else "closed"
        parts.append(f"{word} {in_words(rule.closes_at, zone, now)}")
    return parts


def _late(rule: Rule) -> list[str]:
    if not rule.late_percent or rule.due_at is None:
        return []
    if rule.late_percent >= WHOLE:
        return ["late work earns nothing"]
    return [f"late work loses {rule.late_percent} % a day"]


def _sentence(parts: Sequence[str]) -> str:
    words = "; ".join(parts) or "without a date"
    return f"{words[0].upper()}{words[1:]}."
