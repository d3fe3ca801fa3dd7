"""What waits to be regraded, and what a comparison of generated questions lacks."""

from collections.abc import Mapping
from dataclasses import dataclass

from django.db.models import Prefetch, Q, QuerySet
from django.utils import timezone

from quizzes.assessment.corrections.comparison import counterparts, question_of
from quizzes.assessment.corrections.keys import AT_ONCE
from quizzes.assessment.models import (
    Instance,
    Option,
    Question,
    QuestionVersion,
    Regrade,
    WantedInstance,
)
from quizzes.exercises.models import Exercise, Submission
from quizzes.exercises.models.submission import ERASED_CODES
from quizzes.regrades.answers import Rule, Wish, responses_to
from quizzes.regrades.scope import WHOLE_COURSE, Scope


def older_submissions(exercise: Exercise) -> QuerySet[Submission]:
    """Return the submissions that an older version graded, without code that was deleted."""
    rows = Submission.objects.graded().filter(
        exercise_version__exercise=exercise, kind=Submission.Kind.SUBMIT
    )
    return rows.exclude(exercise_version=exercise.current_id).exclude(code__in=ERASED_CODES)


@dataclass(frozen=True)
class OutdatedAnswers:
    """Answers that were marked by an older version with another key."""

    version: QuestionVersion
    answers: int


def outdated_answers(question: Question, scope: Scope = WHOLE_COURSE) -> list[OutdatedAnswers]:
    """Return older versions with another key and the number of their answers, newest first.

    Without the answers that a regrade by the current version looked at already.
    """
    new, outdated = question.current, []
    if new is None:
        return []
    fixed = Prefetch("options", Option.objects.filter(instance=None))
    versions = list(question.versions.prefetch_related(fixed).order_by("-number"))
    current = next(version for version in versions if version.pk == new.pk)
    looked_at = Regrade.objects.filter(question=question, to_version=new, undone_at=None)
    scopes = Q(cohort_id=None) | Q(cohort_id=scope.cohort_id)
    since = {row.from_version_id: row.as_of for row in looked_at.filter(scopes).order_by("as_of")}
    for version in versions:
        if version.pk == new.pk or _same_key(version, current):
            continue
        wish = Wish(question, version, new, Rule.NEW_KEY, as_of=timezone.now(), scope=scope)
        rows = responses_to(wish)
        if (at := since.get(version.pk)) is not None:
            later = Q(attempt__submitted_at__gt=at) | Q(attempt=None, answered_at__gt=at)
            rows = rows.filter(later)
        if answers := rows.count():
            outdated.append(OutdatedAnswers(version, answers))
    return outdated


def _same_key(old: QuestionVersion, new: QuestionVersion) -> bool:
    """Return whether two versions mark every answer alike, as far as their content says."""
    if (old.kind, old.scoring, old.generator) != (new.kind, new.scoring, new.generator):
        return False
    if old.is_generated:
        return True
    if old.kind in {QuestionVersion.Kind.NUMERIC, QuestionVersion.Kind.TEXT}:
        return _accepted(old) == _accepted(new)
    before, after = (question_of(version, version.options.all(), None) for version in (old, new))
    to = counterparts(before.options, after.options)
    return after.keys == {to[pk].pk for pk in before.keys if pk in to}


def _accepted(version: QuestionVersion) -> Mapping[str, object]:
    """Describe the numbers or texts that an answer accepts."""
    names = ("value", "within", "plus_minus", "accepts")
    return {name: (version.answer or {}).get(name) for name in names}


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
    """Return the progress of drawing the numbers for a comparison; None if it needs none."""
    new = wish.to_version
    if new is None or not new.is_generated or not wish.from_version.is_generated:
        return None
    met = set(responses_to(wish).order_by().values_list("instance__seed", flat=True))
    lacking = met - set(new.instances.values_list("seed", flat=True))
    known = dict(WantedInstance.objects.filter(version=new).values_list("seed", "problem"))
    waiting = sum(seed in known and not known[seed] for seed in lacking)
    return Drawing(len(met), tuple(sorted(lacking - set(known))), waiting)


def want_instances(wish: Wish) -> int:
    """Ask workers for the numbers that a comparison lacks; return their number."""
    lacking = drawing(wish)
    if lacking is None or wish.to_version is None:
        return 0
    WantedInstance.objects.bulk_create(
        (WantedInstance(version=wish.to_version, seed=seed) for seed in lacking.not_asked),
        ignore_conflicts=True,
        batch_size=AT_ONCE,
    )
    return len(lacking.not_asked)


def changed_prompts(wish: Wish) -> tuple[str, str] | None:
    """Return a prompt before and after, where the newer version words a question differently."""
    new = wish.to_version
    if new is None or not new.is_generated:
        return None
    old = Instance.objects.filter(version=wish.from_version, responses__in=responses_to(wish))
    by_seed = {instance.seed: instance for instance in new.instances.all()}
    for instance in old.distinct().order_by("pk"):
        other = by_seed.get(instance.seed)
        if other and other.facts == instance.facts and other.prompt != instance.prompt:
            return instance.prompt, other.prompt
    return None
