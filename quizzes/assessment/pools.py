"""Instances of generated questions, prepared ahead: a few before the site starts, then by workers.

Nothing an author wrote runs while a page is made; pages draw from what lies here.
"""

import logging
import secrets
import time
from collections import Counter
from collections.abc import Callable, Collection, Iterable
from contextlib import AbstractContextManager, suppress
from datetime import timedelta

from django.db import DataError, transaction
from django.db.models import Count, F, ProtectedError, Q, QuerySet
from django.utils import timezone

from quizzes.assessment.generated import Generated
from quizzes.assessment.generating import generate
from quizzes.assessment.models import FrozenVersionError, Instance, Option, QuestionVersion
from quizzes.assessment.reading_generator import GENERATOR_FILE
from quizzes.grader.cleaning import clean_line
from quizzes.grader.errors import AuthorError, SandboxBroken
from quizzes.grader.job import Sandbox
from quizzes.grader.sandbox import open_sandbox

POOL_SIZE = 24  # instances that few learners met
START = 3  # of each question before anybody meets it; a generator may refuse one or two seeds
FIRST = 12  # at once, so that all of a new course can be asked soon
WORN_AFTER = 30  # responses
LOOK_SECONDS = 5.0
PIECE_SECONDS = 2.0  # a sandbox takes one to start; who waits for an exercise waits as long
TIDY_SECONDS = 3600.0
OLD_KEPT = timedelta(days=1)  # numbers of an old version, which pages may still show
BREAKS = 3  # of the sandbox under one generator: then it is the generator

Opener = Callable[[str], AbstractContextManager[Sandbox]]
logger = logging.getLogger(__name__)

# What numbers that nobody can read or store do, besides AuthorError: too long, too deep, too large.
UNUSABLE = (ValueError, OverflowError, RecursionError, DataError)


def thin_version(
    *, wanted: int = POOL_SIZE, without: Collection[int] = ()
) -> QuestionVersion | None:
    """Return another version that learners are asked and that lacks instances; one query."""
    generated = _asked().filter(problem="").exclude(generator={}).exclude(pk__in=without)
    used = Instance.objects.annotate(uses=Count("responses")).filter(uses__gte=WORN_AFTER)
    fresh = Count("instances", filter=~Q(instances__in=used))
    thin = generated.annotate(fresh=fresh).filter(fresh__lt=wanted)
    return thin.select_related("question").order_by("fresh", "pk").first()


def _asked() -> QuerySet[QuestionVersion]:
    return QuestionVersion.objects.filter(question__current=F("pk"))


class PoolKeeper:
    """A worker's chore: fills some pools a look, and looks seldom while all are full."""

    def __init__(self, *, opener: Opener = open_sandbox) -> None:
        self._opener = opener
        self._quiet_until = 0.0
        self._tidy_from = 0.0
        self._broke: Counter[int] = Counter()  # the sandbox, by version

    def __call__(self) -> bool:
        """Add instances to versions that lack them, for a moment; False when none does.

        Versions that have hardly any come first, those under which the sandbox broke last. An
        author's fault is noted with the version, which is then left alone until `prepare_questions`
        tries it again; breaking the sandbox three times is one. When no version lacks any, numbers
        of replaced versions are forgotten now and then. Raises SandboxUnavailable, SandboxBroken.
        """
        if time.monotonic() < self._quiet_until:
            return False
        version = self._thinnest() or thin_version()
        if version is None:
            self._quiet_until = time.monotonic() + LOOK_SECONDS
            self._tidy()
            return False
        until = time.monotonic() + PIECE_SECONDS
        with self._opener("author") as author:
            while version is not None:
                try:
                    _fill(version, FIRST, author)
                except SandboxBroken as error:
                    self._note_broken(version, error)
                    raise
                version = self._thinnest() if time.monotonic() < until else None
        return True

    def _thinnest(self) -> QuestionVersion | None:
        return thin_version(wanted=FIRST, without=self._broke) or thin_version(without=self._broke)

    def _tidy(self) -> None:
        if time.monotonic() < self._tidy_from:
            return
        forget_old_instances()
        self._tidy_from = time.monotonic() + TIDY_SECONDS

    def _note_broken(self, version: QuestionVersion, error: SandboxBroken) -> None:
        self._broke[version.pk] += 1
        if self._broke[version.pk] >= BREAKS:
            del self._broke[version.pk]
            words = clean_line(f"the sandbox broke {BREAKS} times while it ran: {error}")
            _leave_alone(version, f"{GENERATOR_FILE}:1: {words}")


def fill_pools(
    *, wanted: int = FIRST, again: bool = False, opener: Opener = open_sandbox
) -> list[str]:
    """Add instances wherever they lack; return the authors' faults, "slug: file:line: what".

    With `again` versions that failed before are tried once more.
    """
    if again:
        _asked().exclude(problem="").update(problem="")
    version = thin_version(wanted=wanted)
    if version is not None:
        with opener("author") as author:
            while version is not None:
                _fill(version, wanted, author)
                version = thin_version(wanted=wanted)
    failing = _asked().exclude(problem="").select_related("question").order_by("question__slug")
    return [f"questions/{one.question.slug}/{one.problem}" for one in failing]


def forget_old_instances() -> int:
    """Delete the numbers of replaced versions that nobody was asked; return how many they were.

    Not before the version in their place has numbers of its own and is a day old. Each in a
    transaction of its own, so that nobody who writes waits for all of them.
    """
    now_asked = _asked().filter(instances__isnull=False)
    replaced = now_asked.filter(created_at__lt=timezone.now() - OLD_KEPT).values("question")
    old = Instance.objects.filter(version__question__in=replaced, responses=None)
    old = old.exclude(version__question__current=F("version"))
    gone = 0
    for one in old.distinct():
        with suppress(ProtectedError, FrozenVersionError):  # asked in this moment: it stays
            gone += one.delete()[1].get(Instance._meta.label, 0)
    return gone


def _fill(version: QuestionVersion, wanted: int, author: Sandbox) -> None:
    seeds = [secrets.randbits(53) for _ in range(wanted)]
    try:
        for one in _generate(version, seeds, author):
            store_instance(version, one)
    except AuthorError as error:
        _leave_alone(version, str(error))
    except UNUSABLE as error:
        words = clean_line(f"{type(error).__name__}: {error}")
        _leave_alone(version, f"{GENERATOR_FILE}:1: its numbers cannot be stored: {words}")


def _generate(version: QuestionVersion, seeds: list[int], author: Sandbox) -> Iterable[Generated]:
    """Run the generator, and once more if it fails: a busy machine is no fault of the author.

    With the same seeds, so that what fails for few of them is not overlooked.
    """
    try:
        return generate(version.generator, version.kind, seeds, author)
    except AuthorError as error:
        logger.warning("question %s is tried once more: %s", version.question.slug, error)
        return generate(version.generator, version.kind, seeds, author)


def _leave_alone(version: QuestionVersion, problem: str) -> None:
    version.problem = problem
    QuestionVersion.objects.filter(pk=version.pk).update(problem=problem)
    logger.error("question %s makes no instances: %s", version.question.slug, problem)


@transaction.atomic
def store_instance(version: QuestionVersion, made: Generated) -> Instance:
    """Store what a seed gave, with its options; a seed that is there already is returned."""
    instance, new = Instance.objects.get_or_create(
        version=version,
        seed=made.seed,
        defaults={"prompt": made.prompt, "facts": made.facts, "answer": made.answer},
    )
    if new:
        Option.objects.bulk_create(
            Option(
                version=version,
                instance=instance,
                order=order,
                text=one.text,
                picture=one.picture,
                is_key=one.is_key,
                reason=one.reason,
                mistake=one.mistake,
            )
            for order, one in enumerate(made.options, start=1)
        )
    return instance
