"""The planner of code: which submissions get another verdict from the copies graded beside them."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from decimal import Decimal

from quizzes.exercises.models import CodeRegrade
from quizzes.grader.api import Verdict
from quizzes.regrades.plan import DOWN, SAME, UP, Change, Plan

NOT_GRADED = Verdict.NOT_GRADED.value
FAILED, GRADED_SINCE = "failed on our side", "graded again since"
RANK = {Verdict.CORRECT.value: 2, Verdict.CORRECT_OTHER_CONVENTION.value: 1, NOT_GRADED: -1}


@dataclass(frozen=True)
class Grade:
    """What a verdict is worth."""

    verdict: str
    passed: int | None
    total: int | None

    @property
    def worth(self) -> tuple[int, Decimal]:
        """Return the parts of a mark, so that two grades can be compared."""
        share = Decimal(self.passed or 0) / self.total if self.total else Decimal(0)
        return RANK.get(self.verdict, 0), share

    @property
    def label(self) -> str:
        return Verdict(self.verdict).label

    def __str__(self) -> str:
        cases = f", {self.passed or 0} of {self.total} cases" if self.total else ""
        return f"{self.label}{cases}"


@dataclass(frozen=True)
class CodeChange(Change):
    """A submission that gets another verdict, or passes another share of the cases."""

    was: Grade
    now: Grade


@dataclass(frozen=True)
class CodePlan(Plan[CodeChange]):
    """What applying the copies would change, as far as they are graded.

    `names`: of known mistakes or conventions that submissions would newly get, with how many.
    """

    total: int = 0
    graded: int = 0
    applied: int = 0
    names: Mapping[str, int] = field(default_factory=dict)

    @property
    def is_ready(self) -> bool:
        return self.graded == self.total

    @property
    def percent(self) -> int:
        return 100 * self.graded // self.total if self.total else 100


def plan_code(regrade: CodeRegrade) -> CodePlan:
    """Return the plan of applying the copies. One query; reports are not read."""
    names = ("verdict", "cases_passed", "cases_total")
    rows = regrade.trials.order_by("submission").values_list(
        "submission",
        "submission__learner",
        "graded_at",
        "applied_at",
        "seen_graded_at",
        "submission__graded_at",
        "submission__known_mistake",
        "known_mistake",
        *(f"submission__{name}" for name in names),
        *names,
    )
    changes: list[CodeChange] = []
    incomparable: Counter[str] = Counter()
    name_counts: Counter[str] = Counter()
    total = graded = unchanged = applied = 0
    for pk, learner, graded_at, applied_at, seen, now, old_name, name, *facts in rows:
        total += 1
        if graded_at is None:
            continue
        graded += 1
        before, after = Grade(*facts[:3]), Grade(*facts[3:])
        if after.verdict == NOT_GRADED:
            incomparable[FAILED] += 1
        elif applied_at:  # also one that was restored since
            applied += 1
        elif seen != now:
            incomparable[GRADED_SINCE] += 1
        elif before.verdict == after.verdict and before.worth == after.worth:
            unchanged += 1
        else:
            changes.append(_change(pk, learner, before, after))
            if name and name != old_name:
                name_counts[name] += 1
    return CodePlan(
        tuple(changes), unchanged, 0, dict(incomparable), total, graded, applied, dict(name_counts)
    )


def _change(submission: int, learner: int, before: Grade, after: Grade) -> CodeChange:
    up, down = after.worth > before.worth, after.worth < before.worth
    words = after.label
    if before.verdict == after.verdict:
        words += f", {'more' if up else 'fewer'} of the cases"
    direction = UP if up else DOWN if down else SAME
    return CodeChange(submission, learner, direction, (before.label, words), before, after)
