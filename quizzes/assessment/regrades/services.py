"""Marking answers anew after a wrong key: the deed, its undoing, and what pages ask.

The preview and the deed are one function (`plan`), the deed asks it once more under the locks: the
learners' rows first, then the attempts', as everywhere. What changed between the preview and the
deed is refused (PlanChangedError), so that an effect is never another than the one that was looked
at. Answers handed in after the preview are left for another regrade: `as_of` bounds both.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
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
from quizzes.assessment.models.attempts import DIGITS_OF_POINTS
from quizzes.assessment.regrades.followers import Followers, follow
from quizzes.assessment.regrades.plan import (
    AT_ONCE,
    Change,
    Counting,
    Plan,
    Scope,
    Wish,
    pieces,
    plan,
    question_of,
    responses_to,
)
from quizzes.assessment.regrades.rules import (
    counterparts,
)
from quizzes.courses.audit import record
from quizzes.learners.models import Learner, User

Rule, Rest = Regrade.Rule, Regrade.Rest
MAX_NOTE = 2000


class PlanChangedError(Exception):
    """What a regrade would do is not what its preview said: somebody was faster."""


class UndoRefusedError(Exception):
    """Later regrades touched the same responses; `later` has them, newest first."""

    def __init__(self, later: Sequence[Regrade]) -> None:
        super().__init__(f"{len(later)} later regrades touched the same responses")
        self.later = later


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
        same_prompt=wish.same_prompt,
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
        at=done.at,
    )
    _keep(done, planned.changes, kept)
    record(
        by=by,
        act="regraded",
        subjects=[wish.question.as_subject()],
        about=f"{done}, {len(planned.changes)} answers",
        course=wish.question.course,
        cohort=wish.scope.cohort,
    )
    return done


def _is_missed(counting: Counting) -> bool:
    return not counting.is_dropped and counting.score is not None and counting.score < 1


def _lock(learners: Sequence[int], attempts: Sequence[int]) -> None:
    """Hold the learners' rows, then the attempts', each in the order of their keys."""
    for some in pieces(learners):
        held = Learner.objects.select_for_update(no_key=True).filter(pk__in=some)
        list(held.order_by("pk").values_list("pk"))
    for some in pieces(attempts):
        list(Attempt.objects.select_for_update().filter(pk__in=some).order_by("pk"))


def _write(countings: Iterable[tuple[int, Counting]]) -> None:
    """Write how responses count, as many at once as count alike."""
    alike: dict[Counting, list[int]] = {}
    for pk, counting in countings:
        alike.setdefault(counting, []).append(pk)
    for counting, keys in alike.items():
        for some in pieces(keys):
            Response.objects.filter(pk__in=some).update(
                is_right=counting.is_right, score=counting.score, is_dropped=counting.is_dropped
            )


def _write_points(attempts: Sequence[int]) -> None:
    """Write what attempts that are written down as handed in earn now."""
    digits = DecimalField(max_digits=12, decimal_places=DIGITS_OF_POINTS)
    none = Value(Decimal(0), output_field=digits)
    counted = Q(responses__is_dropped=False)
    worth = F("responses__points") * F("responses__score")
    for some in pieces(attempts):
        rows = Attempt.objects.filter(pk__in=some, submitted_at__isnull=False).order_by()
        sums = rows.annotate(
            now_earned=Coalesce(Sum(worth, filter=counted, output_field=digits), none),
            now_possible=Coalesce(
                Sum("responses__points", filter=counted, output_field=digits), none
            ),
        )
        for pk, earned, possible in sums.values_list("pk", "now_earned", "now_possible"):
            Attempt.objects.filter(pk=pk).update(earned=earned, possible=possible)


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
def undo(done: Regrade, *, by: User, sittings: Collection[int] | None = None) -> int:
    """Have the responses of a regrade count as before; return how many these are.

    With `sittings` only those of these: a class that declines. Raises UndoRefusedError, with
    nothing changed, when a later regrade touched the same responses.
    """
    question = Question.objects.select_for_update(no_key=True).get(pk=done.question_id)
    rows = RegradedResponse.objects.filter(regrade=done, undone_at=None)
    if sittings is not None:
        rows = rows.filter(response__attempt__sitting__in=list(sittings))
    found = list(rows.select_related("response__attempt"))
    learners = sorted({one.response.learner_key for one in found})
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
            (one.response.learner_key, one.response.attempt.quiz_id)
            for one in found
            if one.response.attempt is not None
        },
        missed={one.response.learner_key for one, before in was if _is_missed(before)},
        at=now,
        before={one.response.learner_key: one.kept for one in found if one.kept},
        regraded_at=done.at,
    )
    rows.filter(pk__in=[one.pk for one in found]).update(undone_at=now)
    if not done.responses.filter(undone_at=None).exists():
        Regrade.objects.filter(pk=done.pk).update(undone_at=now, undone_by=by)
    record(
        by=by,
        act="regrade undone",
        subjects=[question.as_subject()],
        about=f"{done}, {len(found)} answers",
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
    asked = [question_of(one, one.options.all(), None) for one in (old, new)]
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


def regrades_of(question: Question, sittings: Collection[int] | None = None) -> QuerySet[Regrade]:
    """Return the regrades of a question, newest first, each with `changed`: of how many answers.

    With `sittings`: of how many answers in these, whose change was not undone.
    """
    ours = Q(responses__response__attempt__sitting__in=sittings, responses__undone_at=None)
    counted = None if sittings is None else ours
    rows = Regrade.objects.filter(question=question)
    found = rows.select_related("from_version__question", "to_version", "by", "undone_by")
    return found.annotate(changed=Count("responses", filter=counted)).order_by("-pk")  # type: ignore[no-redef]
