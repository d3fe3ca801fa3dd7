"""What the page of an assigned quiz offers to a learner: one button for each assignment of it."""

from collections import Counter
from collections.abc import Sequence
from datetime import datetime

from quizzes.assessment.models import Attempt, Quiz
from quizzes.assessment.sittings import Offer
from quizzes.classes.dates import distance, in_words
from quizzes.classes.own_work import OwnWork, own_work
from quizzes.classes.rules import GRACE
from quizzes.classes.sitting_rules import sitting_of
from quizzes.learners.models import Learner


def sitting_offers(learner: Learner, quiz: Quiz, now: datetime) -> Sequence[Offer]:
    """Return the assignments of a quiz for a learner, those that are due first before the others.

    Four queries at most, one for a learner that is in no class.
    """
    works = own_work(learner, quiz=quiz)
    if not works:
        return ()
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
        for work in sorted(works, key=lambda one: _urgency(one, now))
    ]


def _urgency(work: OwnWork, now: datetime) -> tuple[bool, bool, datetime, int]:
    end = work.rule.due_at or work.rule.closes_at
    return (work.rule.is_closed(now), end is None, end or now, work.assignment.pk)


def says(work: OwnWork, used: int, now: datetime) -> str:
    """Return one sentence: when it is due, how long an attempt may take, and how many are left."""
    rule, zone = work.rule, work.membership.cohort.zone
    parts = []
    if rule.due_at is not None:
        parts.append(f"due {in_words(rule.due_at, zone, now)}, {distance(rule.due_at, now)}")
    if rule.closes_at is not None and rule.closes_at != rule.due_at:
        parts.append(f"closes {in_words(rule.closes_at, zone, now)}")
    if rule.minutes is not None:
        parts.append(f"{rule.minutes} minute{'' if rule.minutes == 1 else 's'} from the start")
    if rule.attempts is not None:
        left = max(0, rule.attempts - used)
        parts.append(f"{left} of {rule.attempts} attempt{'' if rule.attempts == 1 else 's'} left")
    if rule.late_percent and rule.due_at is not None:
        parts.append(f"late work loses {rule.late_percent} % a day")
    words = "; ".join(parts) or "without a date"
    return f"{words[0].upper()}{words[1:]}."
