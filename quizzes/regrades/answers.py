"""The planner of answers: which count differently by a rule that staff chose. Nothing is stored."""

from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from typing import Any

from django.db.models import Q, QuerySet

from quizzes.assessment.corrections.comparison import IncomparableError, StoredAnswer
from quizzes.assessment.corrections.keys import KeyReader, NotDrawnError, pieces
from quizzes.assessment.models import (
    Question,
    QuestionVersion,
    Regrade,
    Response,
    WantedInstance,
)
from quizzes.assessment.models.attempts import LATE_ANSWERS
from quizzes.regrades.plan import DOWN, SAME, UP, Change, Plan
from quizzes.regrades.scope import WHOLE_COURSE, Scope

Rule, Rest = Regrade.Rule, Regrade.Rest
ERASED = "deleted"  # what stands for the text of somebody who deleted their data


@dataclass(frozen=True)
class Wish:
    """A regrade that staff chose, to be planned and applied."""

    question: Question
    from_version: QuestionVersion
    to_version: QuestionVersion | None
    rule: Regrade.Rule
    as_of: datetime
    rest: Regrade.Rest = Rest.LEAVE
    nobody_loses: bool = False
    same_prompt: bool = False  # somebody looked: a changed prompt asks the same thing
    scope: Scope = WHOLE_COURSE

    def as_regrade(self, **facts: Any) -> Regrade:
        """Return the regrade to store."""
        return Regrade(
            question=self.question,
            from_version=self.from_version,
            to_version=self.to_version,
            rule=self.rule,
            rest=self.rest,
            nobody_loses=self.nobody_loses,
            same_prompt=self.same_prompt,
            cohort_id=self.scope.cohort_id,
            as_of=self.as_of,
            **facts,
        )


@dataclass(frozen=True)
class Counting:
    """How a response counts."""

    score: Decimal | None
    is_dropped: bool

    def __str__(self) -> str:
        """Return what two countings share that are stored alike."""
        return (
            f"{self.score if self.score is None else format(self.score, '.5f')} {self.is_dropped}"
        )

    @property
    def is_right(self) -> bool | None:
        return None if self.score is None else self.score == 1

    @property
    def is_missed(self) -> bool:
        return not self.is_dropped and self.score is not None and self.score < 1

    @property
    def words(self) -> str:
        if self.is_dropped:
            return "left out"
        if self.score is None:
            return "blank"
        if self.is_right:
            return "right"
        return "partly right" if self.score else "not right"


@dataclass(frozen=True)
class AnswerChange(Change):
    """A response that counts differently; shares are of its attempt, or of the answer alone."""

    attempt: int | None
    quiz: int | None
    sitting: int | None
    was: Counting
    now: Counting
    was_share: Decimal
    now_share: Decimal

    def __str__(self) -> str:
        return f"{self.work} {self.learner} {self.was} {self.now}"


def responses_to(wish: Wish) -> QuerySet[Response]:
    """Return the responses of a regrade: submitted in a quiz, or answered by themselves.

    Not those whose numbers could not be drawn: nothing was asked there.
    """
    submitted = Q(attempt__submitted_at__lte=wish.as_of)
    overdue = Q(attempt__submitted_at=None, attempt__deadline_at__lt=wish.as_of - LATE_ANSWERS)
    looked_at = submitted | overdue
    if wish.scope.cohort_id is not None:
        looked_at = Q(looked_at, attempt__sitting__in=wish.scope.sittings)
    else:
        looked_at |= Q(attempt=None, answered_at__lte=wish.as_of)
    rows = Response.objects.filter(looked_at, version=wish.from_version)
    return rows.filter(instance__isnull=not wish.from_version.is_generated)


def plan_answers(wish: Wish) -> Plan[AnswerChange]:
    """Return the plan of a regrade. Nothing is stored; a constant number of queries."""
    rows = list(
        responses_to(wish)
        .select_related("attempt__learner", "learner", "version", "instance")
        .order_by("pk")
    )
    judge = _Judge(wish, rows)
    changes: list[AnswerChange] = []
    incomparable: Counter[str] = Counter()
    unchanged = kept_better = 0
    shares = _Shares([row.attempt_id for row in rows if row.attempt_id is not None])
    for row in rows:
        was = Counting(row.score, row.is_dropped)
        now, reason = judge.counting(row)
        if reason:
            incomparable[reason] += 1
        change = _change(row, was, now, shares)
        if str(was) == str(now):
            unchanged += 1
        elif wish.nobody_loses and change.direction == DOWN:
            unchanged, kept_better = unchanged + 1, kept_better + 1
        else:
            changes.append(change)
    return Plan(tuple(changes), unchanged, kept_better, dict(incomparable))


def _change(row: Response, was: Counting, now: Counting, shares: "_Shares") -> AnswerChange:
    attempt = row.attempt
    before, after = shares.share(row, was), shares.share(row, now)
    return AnswerChange(
        work=row.pk,
        learner=row.learner_key,
        direction=SAME if after == before else UP if after > before else DOWN,
        words=(was.words, now.words),
        attempt=row.attempt_id,
        quiz=attempt.quiz_id if attempt else None,
        sitting=attempt.sitting if attempt else None,
        was=was,
        now=now,
        was_share=before,
        now_share=after,
    )


class _Shares:
    """What share of its points an attempt earns, with one response counted in some way."""

    def __init__(self, attempts: Collection[int]) -> None:
        self._others: dict[int, list[tuple[int, Decimal, Decimal]]] = {}
        for some in pieces(sorted(set(attempts))):
            counted = Response.objects.filter(attempt__in=some, is_dropped=False).order_by()
            for attempt, pk, points, score in counted.values_list(
                "attempt_id", "pk", "points", "score"
            ):
                worth = (pk, points, points * (score or Decimal(0)))
                self._others.setdefault(attempt, []).append(worth)

    def share(self, row: Response, counting: Counting) -> Decimal:
        score = counting.score or Decimal(0)
        if row.attempt_id is None:
            return score
        others = [worth for worth in self._others.get(row.attempt_id, ()) if worth[0] != row.pk]
        possible = sum((points for _, points, _ in others), Decimal(0))
        earned = sum((points for _, _, points in others), Decimal(0))
        if not counting.is_dropped:
            possible, earned = possible + row.points, earned + row.points * score
        return earned / possible if possible else Decimal(1)


class _Judge:
    """How each response counts by the wish; all that it needs is read once."""

    def __init__(self, wish: Wish, rows: Sequence[Response]) -> None:
        self._wish, self._regrade = wish, wish.as_regrade()
        instances = [row.instance for row in rows if row.instance is not None]
        self._keys = KeyReader([self._regrade], instances)
        problems = WantedInstance.objects.filter(version=wish.to_version).exclude(problem="")
        self._problems = dict(problems.values_list("seed", "problem"))

    def counting(self, row: Response) -> tuple[Counting, str]:
        """Return a response's score afterwards, and why it cannot be compared, or ""."""
        was = Counting(row.score, row.is_dropped)
        if self._wish.rule == Rule.ALL_RIGHT:
            return Counting(Decimal(1), False), ""
        if self._wish.rule == Rule.DROP:
            return Counting(row.score, True), ""
        if row.answered_at is None:
            return Counting(self._score_of_unread(row), False), ""
        try:
            return Counting(self._score(row), False), ""
        except NotDrawnError as error:
            seed = row.instance.seed if row.instance is not None else 0
            return self._rest(was), self._problems.get(seed, str(error))
        except IncomparableError as error:
            return self._rest(was), str(error)

    def _score_of_unread(self, row: Response) -> Decimal | None:
        """Return the score of a number that was not read once, and is right as it is read today.

        All else without an answer stays blank.
        """
        if not row.text or row.version.kind != QuestionVersion.Kind.NUMERIC:
            return None
        try:
            return self._score(row) or None
        except IncomparableError:
            return None

    def _rest(self, was: Counting) -> Counting:
        if self._wish.rest == Rest.ALL_RIGHT:
            return Counting(Decimal(1), False)
        return Counting(was.score, True) if self._wish.rest == Rest.DROP else was

    def _score(self, row: Response) -> Decimal:
        key = self._keys.key(self._regrade, row.instance)
        if row.version.kind == QuestionVersion.Kind.TEXT and row.text == ERASED:
            raise IncomparableError("the text was deleted by its learner")
        return key.compare(StoredAnswer(chosen=row.chosen, number=row.number, text=row.text))
