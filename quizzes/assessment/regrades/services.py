"""Marking answers anew after a wrong key: a preview that stores nothing, the deed, and its undoing.

The preview and the deed are one function (`plan`), the deed asks it once more under the locks: the
learners' rows first, then the attempts', as everywhere. What changed between the preview and the
deed is refused (PlanChangedError), so that an effect is never another than the one that was looked
at. Answers handed in after the preview are left for another regrade: `as_of` bounds both.
"""

import hashlib
import json
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from decimal import Decimal

from django.db import transaction
from django.db.models import Count, DecimalField, F, Prefetch, Q, QuerySet, Sum, Value
from django.db.models.functions import Coalesce
from django.utils import timezone

from quizzes.assessment.models import (
    Attempt,
    Instance,
    Option,
    Question,
    QuestionVersion,
    Regrade,
    RegradedResponse,
    Response,
    WantedInstance,
)
from quizzes.assessment.models.attempts import DIGITS_OF_POINTS, LATE_ANSWERS
from quizzes.assessment.regrades.followers import Followers, follow
from quizzes.assessment.regrades.rules import (
    AskedQuestion,
    GivenAnswer,
    IncomparableError,
    OfferedOption,
    counterparts,
    new_score,
    score_of,
)
from quizzes.courses.audit import record
from quizzes.learners.models import Learner, User

Rule, Rest = Regrade.Rule, Regrade.Rest
AT_ONCE = 500  # rows named in one statement
MAX_NOTE = 2000
ERASED = "deleted"  # what stands for the text of somebody who deleted their data
NOT_DRAWN, OTHER_PROMPT = "its new numbers are not drawn yet", "the new question reads differently"
OTHER_FACTS = "the new version draws other numbers"


class PlanChangedError(Exception):
    """What a regrade would do is not what its preview said: somebody was faster."""


class UndoRefusedError(Exception):
    """Later regrades touched the same responses; `later` has them, newest first."""

    def __init__(self, later: Sequence[Regrade]) -> None:
        super().__init__(f"{len(later)} later regrades touched the same responses")
        self.later = later


@dataclass(frozen=True)
class Scope:
    """Whose answers are marked anew: all of a course, or the attempts of some sittings.

    `cohort` is the class to which the sittings belong, "" for all of the course.
    """

    cohort: str = ""
    sittings: tuple[str, ...] = ()


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
    sitting: str
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


# ---- what would be done


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
        responses_to(wish)
        .select_related("attempt__learner", "learner", "version")
        .order_by("pk")
        .annotate(whose=Coalesce("attempt__learner", "learner"))
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
        learner=vars(row)["whose"],
        attempt=row.attempt_id,
        quiz=attempt.quiz_id if attempt else None,
        sitting=attempt.sitting if attempt else "",
        was=was,
        now=now,
        was_share=shares.share(row, was),
        now_share=shares.share(row, now),
    )


class _Shares:
    """What share of its points an attempt earns, with one response counted in some way."""

    def __init__(self, attempts: Collection[int]) -> None:
        self._others: dict[int, list[tuple[int, Decimal, Decimal]]] = {}
        for some in _pieces(sorted(set(attempts))):
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
        met = [one for some in _pieces(sorted(instances)) for one in _instances(pk__in=some)]
        seeds = sorted({one.seed for one in met})
        drawn = {
            one.seed: one
            for some in _pieces(seeds)
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
            return Counting(None, False), ""
        try:
            return Counting(self._score(row), False), ""
        except IncomparableError as error:
            return self._rest(was), str(error)

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
        return {None: _question(version, options, version.answer)}
    found: dict[int | None, AskedQuestion] = {}
    for some in _pieces(sorted(instances)):
        offered: dict[int | None, list[Option]] = {}
        for option in Option.objects.filter(instance__in=some):
            offered.setdefault(option.instance_id, []).append(option)
        for one in _instances(pk__in=some):
            found[one.pk] = _question(version, offered.get(one.pk, ()), one.answer)
    return found


def _question(
    version: QuestionVersion, options: Iterable[Option], answer: Mapping[str, object] | None
) -> AskedQuestion:
    offered = tuple(OfferedOption(one.pk, one.text, one.is_key, one.picture) for one in options)
    return AskedQuestion(version.kind, offered, version.scoring, answer)


def _pieces(keys: Sequence[int]) -> Iterable[Sequence[int]]:
    for start in range(0, len(keys), AT_ONCE):
        yield keys[start : start + AT_ONCE]


# ---- doing it


def _plan_as_seen(wish: Wish, digest: str) -> Plan:
    planned = plan(wish)
    if planned.digest != digest or not planned.changes:
        raise PlanChangedError(f"{wish.from_version}: its answers changed since the preview")
    return planned


@transaction.atomic
def apply(wish: Wish, *, digest: str, note: str, by: User) -> Regrade:
    """Do what a preview said; `digest` is that of its plan.

    Raises PlanChangedError, with nothing changed, when it would do anything else by now.
    """
    Question.objects.select_for_update(no_key=True).get(pk=wish.question.pk)
    planned = _plan_as_seen(wish, digest)  # of these the rows are locked
    _lock(planned.learners, planned.attempts)
    planned = _plan_as_seen(wish, digest)  # what was planned before the locks may have changed
    done = Regrade.objects.create(
        question=wish.question,
        from_version=wish.from_version,
        to_version=wish.to_version,
        rule=wish.rule,
        rest=wish.rest,
        nobody_loses=wish.nobody_loses,
        cohort=wish.scope.cohort,
        note=note[:MAX_NOTE],
        as_of=wish.as_of,
        by=by,
    )
    _write([(one.response, one.now) for one in planned.changes])
    _write_points(planned.attempts)
    kept = follow(
        wish.question,
        learners=planned.learners,
        quizzes={(one.learner, one.quiz) for one in planned.changes if one.quiz is not None},
        missed={one.learner for one in planned.changes if _is_missed(one.now)},
    )
    _keep(done, planned.changes, kept)
    record(
        by=by,
        act="regraded",
        about=f"question {wish.question.slug}: {done}, {len(planned.changes)} answers",
        course=wish.question.course,
        cohort=wish.scope.cohort,
    )
    return done


def _is_missed(counting: Counting) -> bool:
    return not counting.is_dropped and counting.score is not None and counting.score < 1


def _lock(learners: Sequence[int], attempts: Sequence[int]) -> None:
    """Hold the learners' rows, then the attempts', each in the order of their keys."""
    for some in _pieces(learners):
        held = Learner.objects.select_for_update(no_key=True).filter(pk__in=some)
        list(held.order_by("pk").values_list("pk"))
    for some in _pieces(attempts):
        list(Attempt.objects.select_for_update().filter(pk__in=some).order_by("pk"))


def _write(countings: Iterable[tuple[int, Counting]]) -> None:
    """Write how responses count, as many at once as count alike."""
    alike: dict[Counting, list[int]] = {}
    for pk, counting in countings:
        alike.setdefault(counting, []).append(pk)
    for counting, keys in alike.items():
        for some in _pieces(keys):
            Response.objects.filter(pk__in=some).update(
                is_right=counting.is_right, score=counting.score, is_dropped=counting.is_dropped
            )


def _write_points(attempts: Sequence[int]) -> None:
    """Write what attempts that are written down as handed in earn now."""
    digits = DecimalField(max_digits=12, decimal_places=DIGITS_OF_POINTS)
    none = Value(Decimal(0), output_field=digits)
    counted = Q(responses__is_dropped=False)
    worth = F("responses__points") * F("responses__score")
    for some in _pieces(attempts):
        rows = Attempt.objects.filter(pk__in=some, submitted_at__isnull=False).order_by()
        sums = rows.annotate(
            now_earned=Coalesce(Sum(worth, filter=counted, output_field=digits), none),
            now_possible=Coalesce(
                Sum("responses__points", filter=counted, output_field=digits), none
            ),
        )
        for attempt in sums:
            found = vars(attempt)
            Attempt.objects.filter(pk=attempt.pk).update(
                earned=found["now_earned"], possible=found["now_possible"]
            )


def _keep(done: Regrade, changes: Iterable[Change], kept: Followers) -> None:
    """Store what was before, and what followed with the first response of each learner."""
    left = dict(kept)
    RegradedResponse.objects.bulk_create(
        (
            RegradedResponse(
                regrade=done,
                response_id=one.response,
                was_right=one.was.is_right,
                was_score=one.was.score,
                was_dropped=one.was.is_dropped,
                now_right=one.now.is_right,
                now_score=one.now.score,
                now_dropped=one.now.is_dropped,
                kept=left.pop(one.learner, {}),
            )
            for one in changes
        ),
        batch_size=AT_ONCE,
    )


# ---- undoing it


def later_regrades(done: Regrade) -> list[Regrade]:
    """Return the regrades after this one that touched the same responses, newest first."""
    ours = done.responses.filter(undone_at=None).values("response")
    later = RegradedResponse.objects.filter(regrade__gt=done.pk, undone_at=None, response__in=ours)
    return list(Regrade.objects.filter(pk__in=later.values("regrade")))


@transaction.atomic
def undo(done: Regrade, *, by: User, sittings: Collection[str] | None = None) -> int:
    """Have the responses of a regrade count as before; return how many these are.

    With `sittings` only those of these: a class that declines. Raises UndoRefusedError, with
    nothing changed, when a later regrade touched the same responses.
    """
    question = Question.objects.select_for_update(no_key=True).get(pk=done.question_id)
    rows = RegradedResponse.objects.filter(regrade=done, undone_at=None)
    if sittings is not None:
        rows = rows.filter(response__attempt__sitting__in=list(sittings))
    found = list(
        rows.select_related("response__attempt").annotate(
            whose=Coalesce("response__attempt__learner", "response__learner")
        )
    )
    learners = sorted({vars(one)["whose"] for one in found})
    attempts = sorted({pk for one in found if (pk := one.response.attempt_id) is not None})
    _lock(learners, attempts)
    later = RegradedResponse.objects.filter(
        regrade__gt=done.pk, undone_at=None, response__in=[one.response_id for one in found]
    )
    if later.exists():
        raise UndoRefusedError(list(Regrade.objects.filter(pk__in=later.values("regrade"))))
    now = timezone.now()
    _write((one.response_id, Counting(one.was_score, one.was_dropped)) for one in found)
    _write_points(attempts)
    was = [(one, Counting(one.was_score, one.was_dropped)) for one in found]
    follow(
        question,
        learners=learners,
        quizzes={
            (vars(one)["whose"], one.response.attempt.quiz_id)
            for one in found
            if one.response.attempt is not None
        },
        missed={vars(one)["whose"] for one, before in was if _is_missed(before)},
        before={vars(one)["whose"]: one.kept for one in found if one.kept},
    )
    rows.filter(pk__in=[one.pk for one in found]).update(undone_at=now)
    if not done.responses.filter(undone_at=None).exists():
        Regrade.objects.filter(pk=done.pk).update(undone_at=now, undone_by=by)
    record(
        by=by,
        act="regrade undone",
        about=f"question {question.slug}: {done}, {len(found)} answers",
        course=question.course,
        cohort=done.cohort,
    )
    return len(found)


# ---- what pages ask


@dataclass(frozen=True)
class Drawing:
    """How far the numbers of a generated question's newer version are: of `met` seeds."""

    met: int
    not_asked: tuple[int, ...]  # seeds that no worker was asked for
    waiting: int  # for a worker

    @property
    def done(self) -> int:
        return self.met - len(self.not_asked) - self.waiting


def drawing(wish: Wish) -> Drawing | None:
    """Return how many of the numbers that a comparison needs are drawn; None where none are."""
    new = wish.to_version
    if new is None or not new.is_generated or not wish.from_version.is_generated:
        return None
    met = set(responses_to(wish).order_by().values_list("instance__seed", flat=True))
    lacking = met - set(new.instances.values_list("seed", flat=True))
    known = dict(WantedInstance.objects.filter(version=new).values_list("seed", "problem"))
    waiting = sum(seed in known and not known[seed] for seed in lacking)
    return Drawing(len(met), tuple(sorted(lacking - set(known))), waiting)


def want_instances(wish: Wish) -> int:
    """Ask workers for the numbers that a comparison lacks; return for how many."""
    lacking = drawing(wish)
    if lacking is None or wish.to_version is None:
        return 0
    WantedInstance.objects.bulk_create(
        (WantedInstance(version=wish.to_version, seed=seed) for seed in lacking.not_asked),
        ignore_conflicts=True,
        batch_size=AT_ONCE,
    )
    return len(lacking.not_asked)


@dataclass(frozen=True)
class MarkedOtherwise:
    """Answers that were marked by an older version with another key."""

    version: QuestionVersion
    answers: int


def marked_otherwise(question: Question, scope: Scope | None = None) -> list[MarkedOtherwise]:
    """Return older versions with another key and how many answers they marked, newest first.

    Without the answers that a regrade by the current version looked at already.
    """
    new, scope, found = question.current, scope or Scope(), []
    if new is None:
        return []
    fixed = Prefetch("options", Option.objects.filter(instance=None))
    versions = list(question.versions.prefetch_related(fixed).order_by("-number"))
    current = next(one for one in versions if one.pk == new.pk)
    looked_at = Regrade.objects.filter(question=question, to_version=new, undone_at=None)
    since = {
        one.from_version_id: one.as_of
        for one in looked_at.filter(cohort__in={"", scope.cohort}).order_by("as_of")
    }
    for version in versions:
        if version.pk == new.pk or _same_key(version, current):
            continue
        wish = Wish(question, version, new, Rule.NEW_KEY, as_of=timezone.now(), scope=scope)
        rows = responses_to(wish)
        if (at := since.get(version.pk)) is not None:
            rows = rows.filter(
                Q(attempt__submitted_at__gt=at) | Q(attempt=None, answered_at__gt=at)
            )
        if answers := rows.count():
            found.append(MarkedOtherwise(version, answers))
    return found


def _same_key(old: QuestionVersion, new: QuestionVersion) -> bool:
    """Return whether two versions mark every answer alike, as far as their content says."""
    if (old.kind, old.scoring, old.generator) != (new.kind, new.scoring, new.generator):
        return False
    if old.is_generated:
        return True
    if old.kind in {QuestionVersion.Kind.NUMERIC, QuestionVersion.Kind.TEXT}:
        return _accepted(old) == _accepted(new)
    asked = [_question(one, one.options.all(), None) for one in (old, new)]
    to = counterparts(asked[0].options, asked[1].options)
    return asked[1].keys == {to[pk].pk for pk in asked[0].keys if pk in to}


def _accepted(version: QuestionVersion) -> Mapping[str, object]:
    """Return what an answer says of the numbers or texts that it accepts."""
    told = ("value", "within", "plus_minus", "accepts")
    return {name: (version.answer or {}).get(name) for name in told}


def changed_prompts(wish: Wish) -> tuple[str, str] | None:
    """Return a prompt before and after, where the newer version words a question differently."""
    new = wish.to_version
    if new is None or not new.is_generated:
        return None
    old = Instance.objects.filter(version=wish.from_version, responses__in=responses_to(wish))
    there = {one.seed: one for one in new.instances.all()}
    for one in old.distinct().order_by("pk"):
        other = there.get(one.seed)
        if other is not None and other.facts == one.facts and other.prompt != one.prompt:
            return one.prompt, other.prompt
    return None


def regrades_of(question: Question) -> QuerySet[Regrade]:
    """Return the regrades of a question, newest first, each with `changed`: of how many answers."""
    rows = Regrade.objects.filter(question=question)
    found = rows.select_related("from_version__question", "to_version", "by", "undone_by")
    return found.annotate(changed=Count("responses")).order_by("-pk")
