"""The pool of instances of each generated question, and what a version's lacks.

A few are drawn before the site starts, more by workers (`pool_keeper`). Nothing an author wrote
runs while a page is made; pages choose from these instances.
"""

import logging
import secrets
from collections.abc import Collection, Sequence
from contextlib import suppress
from datetime import timedelta

from django.db import DataError
from django.db.models import Count, F, ProtectedError, Q, QuerySet
from django.utils import timezone

from quizzes.assessment.generator.generated_question import Generated
from quizzes.assessment.generator.generator_files import GENERATOR_FILE
from quizzes.assessment.generator.instances import store_instance
from quizzes.assessment.generator.run_generator import SEEDS_A_RUN, generate
from quizzes.assessment.models import (
    FrozenVersionError,
    Instance,
    QuestionVersion,
    WantedInstance,
)
from quizzes.grader.api import (
    AuthorError,
    DefinitionError,
    Sandbox,
    SandboxBroken,
    clean_line,
)
from quizzes.grader.sandbox import open_sandbox
from quizzes.worker.pool_keeper import AuthorSandboxes, Opener

POOL_SIZE = 24  # instances that few learners met
START = 3  # of each question before anybody meets it; a generator may refuse one or two seeds
FIRST = 12  # at once, so that all of a new course can be asked soon
EXHAUSTED_AFTER = 30  # responses
OLD_KEPT = timedelta(days=1)  # numbers of an old version, which pages may still show
# What numbers that nobody can read or store do, besides AuthorError: too long, too deep, too large.
UNUSABLE = (ValueError, OverflowError, RecursionError, DataError)
logger = logging.getLogger(__name__)


def question_to_fill(
    *, size: int = POOL_SIZE, without: Collection[int] = ()
) -> QuestionVersion | None:
    """Return another version that learners are asked and that lacks instances; one query."""
    generated = _asked().filter(problem="").exclude(generator={}).exclude(pk__in=without)
    used = Instance.objects.annotate(uses=Count("responses")).filter(uses__gte=EXHAUSTED_AFTER)
    fresh = Count("instances", filter=~Q(instances__in=used))
    low = generated.annotate(fresh=fresh).filter(fresh__lt=size)
    return low.select_related("question__course").order_by("fresh", "pk").first()


def _asked() -> QuerySet[QuestionVersion]:
    return QuestionVersion.objects.filter(question__current=F("pk"), question__withdrawn_at=None)


class InstancePool:
    """The pools of instances, as the keeper asks of them; versions with hardly any come first.

    `first`: instances that every version gets before any gets `wanted`.
    """

    def __init__(self, *, first: int = FIRST, size: int = POOL_SIZE) -> None:
        self._first, self._size = first, size

    def lowest(self, *, without: Collection[int] = ()) -> QuestionVersion | None:
        """Return the version that lacks most, None when all pools are full."""
        return question_to_fill(size=self._first, without=without) or question_to_fill(
            size=self._size, without=without
        )

    def new_seeds(self) -> list[int]:
        """Return the seeds of one draw, which the numbers of JSON can hold."""
        return [secrets.randbits(53) for _ in range(self._first)]

    def draw(self, version: QuestionVersion, seeds: Sequence[int], author: Sandbox) -> None:
        """Store what the generator makes of these seeds. Raises AuthorError, SandboxBroken."""
        try:
            for made in _generate(version, seeds, author):
                store_instance(version, made)
        except UNUSABLE as error:
            words = clean_line(f"{type(error).__name__}: {error}")
            words = f"its numbers cannot be stored: {words}"
            raise AuthorError(GENERATOR_FILE, 1, words) from error

    def mark(self, version: QuestionVersion, problem: str) -> None:
        """Note why the generator makes no instances; it is left alone until somebody asks."""
        version.problem = problem
        QuestionVersion.objects.filter(pk=version.pk).update(problem=problem)


def _generate(version: QuestionVersion, seeds: Sequence[int], author: Sandbox) -> list[Generated]:
    """Make the questions of these seeds; a version with instances stands, whatever rules came."""
    stands = version.instances.exists()
    return generate(version.generator, version.kind, seeds, author, is_published=stands)


REFUSED = "the new version refuses these numbers"


class WantedInstances:
    """The numbers that regrades need of a newer version, as the keeper asks of them.

    The seeds are those that learners met. Where a run of several fails each is tried by itself, so
    that one bad seed holds up no other.
    """

    def lowest(self, *, without: Collection[int] = ()) -> QuestionVersion | None:
        """Return a version with numbers that are still to be drawn, the longest wanted first."""
        open_rows = WantedInstance.objects.filter(problem="").exclude(version__in=without)
        first = open_rows.select_related("version__question__course").order_by("pk").first()
        return first.version if first else None

    def new_seeds(self) -> list[int]:
        """Return nothing: which seeds are wanted depends on the version."""
        return []

    def draw(self, version: QuestionVersion, seeds: Sequence[int], author: Sandbox) -> None:
        """Store what the generator makes of wanted seeds. Raises AuthorError, SandboxBroken."""
        wanted = WantedInstance.objects.filter(version=version, problem="").order_by("pk")
        some = list(seeds) or list(wanted.values_list("seed", flat=True)[:SEEDS_A_RUN])
        try:
            self._draw(version, some, author)
        except AuthorError:
            failed: AuthorError | None = None
            for seed in some:
                try:
                    self._draw(version, [seed], author)
                except AuthorError as error:
                    failed = error
            if failed is not None:
                raise failed from None

    def _draw(self, version: QuestionVersion, seeds: Sequence[int], author: Sandbox) -> None:
        try:
            found = _generate(version, seeds, author)
            for made in found:
                store_instance(version, made)
        except UNUSABLE as error:
            words = clean_line(f"{type(error).__name__}: {error}")
            words = f"its numbers cannot be stored: {words}"
            raise AuthorError(GENERATOR_FILE, 1, words) from error
        rows = WantedInstance.objects.filter(version=version, seed__in=seeds)
        rows.filter(seed__in=[made.seed for made in found]).delete()
        rows.update(problem=REFUSED)

    def mark(self, version: QuestionVersion, problem: str) -> None:
        """Note why the generator makes none of the numbers that are left."""
        WantedInstance.objects.filter(version=version, problem="").update(problem=problem)


def fill_pools(
    *, size: int = FIRST, again: bool = False, opener: Opener = open_sandbox
) -> list[str]:
    """Add instances wherever they lack; return the authors' faults, "slug: file:line: what".

    With `again` versions that failed before are tried once more. A version that fails is left to
    the workers, which mark it if it goes on failing (`pool_keeper`): one failure at the start of a
    busy site proves nothing. Raises our failures; SandboxBroken after all others had their turn.
    """
    if again:
        _asked().exclude(problem="").update(problem="")
    pool = InstancePool(first=size, size=size)
    faults, broken = _fill(pool, opener)
    if broken:
        raise broken[0]
    for version in _asked().exclude(problem="").select_related("question__course"):
        faults[_folder(version)] = version.problem
    return [f"{folder}/{problem}" for folder, problem in sorted(faults.items())]


def _folder(version: QuestionVersion) -> str:
    return f"{version.question.course.slug}/questions/{version.question.slug}"


def _fill(pool: InstancePool, opener: Opener) -> tuple[dict[str, str], list[SandboxBroken]]:
    """Fill what can be filled; return faults by question folder, and what broke the sandbox."""
    faults: dict[str, str] = {}
    broken: list[SandboxBroken] = []
    without: set[int] = set()
    with AuthorSandboxes(opener) as sandboxes:
        while (version := pool.lowest(without=without)) is not None:
            try:
                pool.draw(version, pool.new_seeds(), sandboxes.author)
            except DefinitionError as error:
                faults[_folder(version)] = str(error)
                without.add(version.pk)
            except SandboxBroken as error:
                logger.warning("%s broke the sandbox: %s", version, error)
                broken.append(error)
                without.add(version.pk)
                sandboxes.close()
    return faults, broken


def forget_old_instances() -> int:
    """Delete the numbers of replaced versions that nobody was asked; return how many they were.

    Not before the version in their place has numbers of its own and is a day old. Each in a
    transaction of its own, so that other writers never wait for all of them.
    """
    now_asked = _asked().filter(instances__isnull=False)
    replaced = now_asked.filter(created_at__lt=timezone.now() - OLD_KEPT).values("question")
    old = Instance.objects.filter(version__question__in=replaced, responses=None)
    old = old.exclude(version__question__current=F("version"))
    gone = 0
    for instance in old.distinct():
        with suppress(ProtectedError, FrozenVersionError):  # asked in this moment: it stays
            gone += instance.delete()[1].get(Instance._meta.label, 0)
    return gone
