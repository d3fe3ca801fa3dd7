"""What a regrade of code would change: by verdict, and by submission. Nothing is stored."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal

from django.db.models import F

from quizzes.exercises.code_regrades.trials import NOT_GRADED
from quizzes.exercises.models import CodeRegrade
from quizzes.grader.api import Verdict


@dataclass(frozen=True)
class TrialSummary:
    """How far the copies are, and what applying them would change."""

    total: int
    graded: int
    transitions: Sequence[tuple[str, str, int]]  # verdict before, after, how many
    up: int
    down: int
    same: int
    failed: int  # on our side: they stay as they are
    changed_meanwhile: int

    @property
    def is_ready(self) -> bool:
        return self.graded == self.total

    @property
    def percent(self) -> int:
        return 100 * self.graded // self.total if self.total else 100


def summary_of(made: CodeRegrade) -> TrialSummary:
    """Return what applying would change. One query; reports are not read."""
    rows = made.trials.values_list(
        "graded_at",
        "verdict",
        "cases_passed",
        "cases_total",
        "seen_graded_at",
        "submission__graded_at",
        "submission__verdict",
        "submission__cases_passed",
        "submission__cases_total",
    )
    transitions: Counter[tuple[str, str]] = Counter()
    found: Counter[str] = Counter()
    for graded, verdict, passed, total, seen, now, old, old_passed, old_total in rows:
        found["total"] += 1
        if graded is None:
            continue
        found["graded"] += 1
        if verdict == NOT_GRADED:
            found["failed"] += 1
        elif seen != now:
            found["changed"] += 1
        else:
            before, after = worth(old, old_passed, old_total), worth(verdict, passed, total)
            found["up" if after > before else "down" if after < before else "same"] += 1
            label = Verdict(verdict).label
            if old != verdict:
                transitions[Verdict(old).label, label] += 1
            elif before != after:
                share = "more" if after > before else "fewer"
                transitions[label, f"{label}, {share} of the cases"] += 1
    return TrialSummary(
        found["total"],
        found["graded"],
        [(before, after, count) for (before, after), count in transitions.most_common()],
        found["up"],
        found["down"],
        found["same"],
        found["failed"],
        found["changed"],
    )


@dataclass(frozen=True)
class VerdictChange:
    """One submission that gets another verdict, or passes another share of the cases."""

    submission: int
    learner: int
    before: str
    after: str


def changes_of(made: CodeRegrade) -> list[VerdictChange]:
    """Return which submissions count otherwise when it is applied, and how. One query."""
    rows = made.trials.filter(
        graded_at__isnull=False, applied_at=None, seen_graded_at=F("submission__graded_at")
    ).exclude(verdict=NOT_GRADED)
    graded = ("verdict", "cases_passed", "cases_total")
    found = rows.order_by("submission").values_list(
        "submission", "submission__learner", *(f"submission__{name}" for name in graded), *graded
    )
    return [
        VerdictChange(pk, learner, _in_words(*facts[:3]), _in_words(*facts[3:]))
        for pk, learner, *facts in found
        if facts[0] != facts[3] or worth(*facts[:3]) != worth(*facts[3:])
    ]


def _in_words(verdict: str, passed: int | None, total: int | None) -> str:
    cases = f", {passed or 0} of {total} cases" if total else ""
    return f"{Verdict(verdict).label}{cases}"


def worth(verdict: str, passed: int | None, total: int | None) -> tuple[int, Decimal]:
    """Return what marks are made of, so that two verdicts can be compared."""
    rank = {Verdict.CORRECT.value: 2, Verdict.CORRECT_OTHER_CONVENTION.value: 1, NOT_GRADED: -1}
    share = Decimal(passed or 0) / total if total else Decimal(0)
    return rank.get(verdict, 0), share
