"""What a regrade would do: which answers count otherwise by a wish of staff. Nothing is stored."""

import hashlib
import json
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from decimal import Decimal

from django.db.models import Q, QuerySet

from quizzes.assessment.models import (
    Instance,
    Option,
    Question,
    QuestionVersion,
    Regrade,
    Response,
    WantedInstance,
)
from quizzes.assessment.models.attempts import LATE_ANSWERS
from quizzes.assessment.regrades.rules import (
    AskedQuestion,
    GivenAnswer,
    IncomparableError,
    OfferedOption,
    new_score,
    score_of,
)

Rule, Rest = Regrade.Rule, Regrade.Rest
AT_ONCE = 500  # rows named in one statement
ERASED = "deleted"  # what stands for the text of somebody who deleted their data
NOT_DRAWN, OTHER_PROMPT = "its new numbers are not drawn yet", "the new question reads differently"
OTHER_FACTS = "the new version draws other numbers"


@dataclass(frozen=True)
class Scope:
    """Whose answers are marked anew: all of a course, or the attempts of some sittings.

    `cohort` is the class to which the sittings belong, "" for all of the course.
    """

    cohort: str = ""
    sittings: tuple[int, ...] = ()


@dataclass(frozen=True)
class Wish:
    """What staff asks for."""

    question: Question
    from_version: QuestionVersion
    to_version: QuestionVersion | None
    rule: Regrade.Rule
    as_of: datetime
    rest: Regrade.Rest = Rest.LEAVE
    nobody_loses: bool = False
    same_prompt: bool = False  # somebody looked: a changed prompt asks the same thing
    scope: Scope = field(default_factory=Scope)

    def __post_init__(self) -> None:
        by_version = self.rule in {Rule.NEW_KEY, Rule.ACCEPT_BOTH}
        if by_version != (self.to_version is not None):
            raise ValueError(f"rule {self.rule}: a newer version is named exactly for a new key")
        versions = [self.from_version, *([self.to_version] if self.to_version else [])]
        if any(one.question_id != self.question.pk for one in versions):
            raise ValueError(f"{versions}: expected versions of {self.question}")


@dataclass(frozen=True)
class Counting:
    """How a response counts."""

    score: Decimal | None
    is_dropped: bool

    @property
    def is_right(self) -> bool | None:
        return None if self.score is None else self.score == 1


@dataclass(frozen=True)
class Change:
    """One response that counts otherwise afterwards."""

    response: int
    learner: int
    attempt: int | None
    quiz: int | None
    sitting: int | None
    was: Counting
    now: Counting
    was_share: Decimal  # of the attempt, or of the answer alone
    now_share: Decimal

    @property
    def direction(self) -> str:
        if self.now_share == self.was_share:
            return "same"
        return "up" if self.now_share > self.was_share else "down"


@dataclass(frozen=True)
class Plan:
    """What a regrade does."""

    changes: tuple[Change, ...]
    unchanged: int
    kept_better: int  # of those that would lose, which keep the better mark
    incomparable: Mapping[str, int]  # reason to number, whatever is done with them

    @property
    def directions(self) -> Mapping[str, int]:
        """Return how many marks go up, go down and stay the same, of those that were looked at."""
        found = Counter(one.direction for one in self.changes)
        same = found["same"] + self.unchanged
        return {"up": found["up"], "down": found["down"], "same": same}

    @property
    def learners(self) -> tuple[int, ...]:
        return tuple(sorted({one.learner for one in self.changes}))

    @property
    def attempts(self) -> tuple[int, ...]:
        return tuple(sorted({one.attempt for one in self.changes if one.attempt is not None}))

    @property
    def looked_at(self) -> int:
        return len(self.changes) + self.unchanged

    @property
    def digest(self) -> str:
        """Return what two plans have in common exactly when they do the same."""
        rows = [
            [one.response, one.learner, *map(str, (*_told(one.was), *_told(one.now)))]
            for one in self.changes
        ]
        text = json.dumps([rows, self.unchanged, sorted(self.incomparable.items())])
        return hashlib.sha256(text.encode()).hexdigest()


def _told(counting: Counting) -> tuple[object, bool]:
    score = counting.score
    return (None if score is None else f"{score:.5f}"), counting.is_dropped


def responses_to(wish: Wish) -> QuerySet[Response]:
    """Return the responses that a regrade looks at: handed in, or answered by themselves.

    Not those whose numbers could not be drawn: nothing was asked there.
    """
    submitted = Q(attempt__submitted_at__lte=wish.as_of)
    overdue = Q(attempt__submitted_at=None, attempt__deadline_at__lt=wish.as_of - LATE_ANSWERS)
    looked_at = submitted | overdue
    if wish.scope.cohort:
        looked_at = Q(looked_at, attempt__sitting__in=wish.scope.sittings)
    else:
        looked_at |= Q(attempt=None, answered_at__lte=wish.as_of)
    rows = Response.objects.filter(looked_at, version=wish.from_version)
    return rows.filter(instance__isnull=not wish.from_version.is_generated)


def plan(wish: Wish) -> Plan:
    """Return what a regrade would do. Nothing is stored; a constant number of queries."""
    rows = list(
        responses_to(wish).select_related("attempt__learner", "learner", "version").order_by("pk")
    )
    judged = _Judge(wish, rows)
    changes: list[Change] = []
    incomparable: Counter[str] = Counter()
    unchanged = kept_better = 0
    shares = _Shares([row.attempt_id for row in rows if row.attempt_id is not None])
    for row in rows:
        was = Counting(row.score, row.is_dropped)
        now, reason = judged.counting(row)
        if reason:
            incomparable[reason] += 1
        change = _change(row, was, now, shares)
        if _told(was) == _told(now):
            unchanged += 1
        elif wish.nobody_loses and change.direction == "down":
            unchanged, kept_better = unchanged + 1, kept_better + 1
        else:
            changes.append(change)
    return Plan(tuple(changes), unchanged, kept_better, dict(incomparable))


def _change(row: Response, was: Counting, now: Counting, shares: "_Shares") -> Change:
    attempt = row.attempt
    return Change(
        response=row.pk,
        learner=row.learner_key,
        attempt=row.attempt_id,
        quiz=attempt.quiz_id if attempt else None,
        sitting=attempt.sitting if attempt else None,
        was=was,
        now=now,
        was_share=shares.share(row, was),
        now_share=shares.share(row, now),
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
        others = [one for one in self._others.get(row.attempt_id, ()) if one[0] != row.pk]
        possible = sum((points for _, points, _ in others), Decimal(0))
        earned = sum((points for _, _, points in others), Decimal(0))
        if not counting.is_dropped:
            possible, earned = possible + row.points, earned + row.points * score
        return earned / possible if possible else Decimal(1)


class _Judge:
    """How each response counts by the wish; all that it needs is read once."""

    def __init__(self, wish: Wish, rows: Iterable[Response]) -> None:
        self._wish = wish
        self._old: dict[int | None, AskedQuestion] = {}
        self._new: dict[int | None, AskedQuestion] = {}
        self._why_not: dict[int | None, str] = {}
        old, new = wish.from_version, wish.to_version
        instances = {row.instance_id for row in rows if row.instance_id is not None}
        self._old = _asked(old, instances)
        if new is not None:
            self._read_new(old, new, instances)

    def _read_new(
        self, old: QuestionVersion, new: QuestionVersion, instances: Collection[int]
    ) -> None:
        if old.is_generated != new.is_generated:
            self._why_not = dict.fromkeys(self._old, "one of the versions draws numbers")
        elif not new.is_generated:
            self._new = _asked(new, ())
        else:
            self._pair_instances(new, instances)

    def _pair_instances(self, new: QuestionVersion, instances: Collection[int]) -> None:
        met = [one for some in pieces(sorted(instances)) for one in _instances(pk__in=some)]
        seeds = sorted({one.seed for one in met})
        drawn = {
            one.seed: one
            for some in pieces(seeds)
            for one in _instances(version=new, seed__in=some)
        }
        problems = dict(
            WantedInstance.objects.filter(version=new)
            .exclude(problem="")
            .values_list("seed", "problem")
        )
        asked = _asked(new, [one.pk for one in drawn.values()])
        for one in met:
            other = drawn.get(one.seed)
            if other is None:
                self._why_not[one.pk] = problems.get(one.seed, NOT_DRAWN)
            elif other.facts != one.facts:
                self._why_not[one.pk] = OTHER_FACTS
            elif other.prompt != one.prompt and not self._wish.same_prompt:
                self._why_not[one.pk] = OTHER_PROMPT
            else:
                self._new[one.pk] = asked[other.pk]

    def counting(self, row: Response) -> tuple[Counting, str]:
        """Return how a response counts afterwards, and why it cannot be compared, or ""."""
        was = Counting(row.score, row.is_dropped)
        if self._wish.rule == Rule.ALL_RIGHT:
            return Counting(Decimal(1), False), ""
        if self._wish.rule == Rule.DROP:
            return Counting(row.score, True), ""
        if row.answered_at is None:
            return Counting(self._score_of_unread(row), False), ""
        try:
            return Counting(self._score(row), False), ""
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
        if reason := self._why_not.get(row.instance_id):
            raise IncomparableError(reason)
        if row.version.kind == QuestionVersion.Kind.TEXT and row.text == ERASED:
            raise IncomparableError("the text was deleted by its learner")
        given = GivenAnswer(chosen=row.chosen, number=row.number, text=row.text)
        old = self._old[row.instance_id]
        score = new_score(given, old, self._new[row.instance_id if self._is_drawn else None])
        if self._wish.rule == Rule.ACCEPT_BOTH:
            return max(score, score_of(given, old))
        return score

    @property
    def _is_drawn(self) -> bool:
        return self._wish.from_version.is_generated


def _instances(**found: object) -> QuerySet[Instance]:
    return Instance.objects.filter(**found).order_by()


def _asked(version: QuestionVersion, instances: Iterable[int]) -> dict[int | None, AskedQuestion]:
    """Return what a version asks, or each of these sets of numbers of it, by its key."""
    if not version.is_generated:
        options = Option.objects.filter(version=version, instance=None)
        return {None: question_of(version, options, version.answer)}
    found: dict[int | None, AskedQuestion] = {}
    for some in pieces(sorted(instances)):
        offered: dict[int | None, list[Option]] = {}
        for option in Option.objects.filter(instance__in=some):
            offered.setdefault(option.instance_id, []).append(option)
        for one in _instances(pk__in=some):
            found[one.pk] = question_of(version, offered.get(one.pk, ()), one.answer)
    return found


def question_of(
    version: QuestionVersion, options: Iterable[Option], answer: Mapping[str, object] | None
) -> AskedQuestion:
    """Return what a version asks, with these options and this right number."""
    offered = tuple(OfferedOption(one.pk, one.text, one.is_key, one.picture) for one in options)
    return AskedQuestion(version.kind, offered, version.scoring, answer)


def pieces(keys: Sequence[int]) -> Iterable[Sequence[int]]:
    """Yield keys in pieces that one statement may name."""
    for start in range(0, len(keys), AT_ONCE):
        yield keys[start : start + AT_ONCE]
