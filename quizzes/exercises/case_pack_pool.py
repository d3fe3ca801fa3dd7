"""The pool of case packs of each version: which one a submission gets, and what it lacks.

A learner meets no pack of an exercise twice while there is another, so a pool grows with the
learner that has met most of it. A pool of the largest size renews itself, as many packs a day.

Work that counts in a class takes its packs from the reserve (`reserved_packs`).
"""

import random
from collections.abc import Collection
from contextlib import suppress
from datetime import datetime, timedelta
from functools import cache, lru_cache

from django.conf import settings
from django.db import transaction
from django.db.models import Exists, Expression, F, OuterRef, Q, Value
from django.db.models.functions import Greatest, Least
from django.utils import timezone

from quizzes import statements
from quizzes.exercises import reserved_packs
from quizzes.exercises.models import CasePack, Exercise, ExerciseVersion, Submission
from quizzes.exercises.models.exercise import CasePackQuerySet
from quizzes.exercises.stored_packs import compressed
from quizzes.grader import judge
from quizzes.grader.api import BadFrame
from quizzes.statements import Param, Statement

_known: dict[str, judge.FingerprintSet] = {}  # by the hash of a version: there are few
EXHAUSTED_AFTER = 48  # submissions that drew a pack; then another takes its place
AHEAD = 4  # packs that a learner has not met: as many as they may have waiting submissions
A_DAY = timedelta(days=1)
READ_AHEAD = 16  # packs of a pool, a quarter of those that a worker keeps
READ_AT_ONCE = 4


def _read(pk: int) -> judge.CasePack:
    """Return a pack of cases, ready for the judge; raises BadFrame for one that is damaged."""
    data, version = CasePack.objects.values_list("data", "version__content_hash").get(pk=pk)
    if data is None:
        raise BadFrame("a case pack whose data is gone")
    pack = judge.CasePack.from_bytes(bytes(data), fingerprints=_known.get(version))
    if pack.content_hash == version:
        _known[version] = pack.fingerprints
    return pack


read_pack = lru_cache(maxsize=64)(_read)
# Packs that serve one submission are read for that alone: they must not push the others out.
read_own_pack = lru_cache(maxsize=2 * reserved_packs.CANDIDATES)(_read)


def read_ahead() -> None:
    """Read packs that the next submission to the exercise of the last one may be graded with.

    The first submission that met a pack waited until it was read and decompressed, which takes
    longer than all else of a verdict (docs/benchmarks.md). At most four at a time.
    """
    rows = Submission.objects.exclude(exercise_version=None).order_by("-pk")
    last = rows.values_list("exercise_version", flat=True).first()
    reserve = reserved_packs.in_reserve().filter(version=last).order_by("pk")
    pool = in_pools().filter(version=last).order_by("-pk")
    left = READ_AT_ONCE
    for read, packs in (
        (read_own_pack, reserve[: reserved_packs.CANDIDATES]),
        (read_pack, pool[:READ_AHEAD]),
    ):
        for pk in packs.values_list("pk", flat=True):
            misses = read.cache_info().misses
            with suppress(BadFrame, CasePack.DoesNotExist):  # who draws it says so
                read(pk)
            left -= read.cache_info().misses - misses
            if left <= 0:
                return


def pack_for(row: Submission) -> int | None:
    """Return the pack of a row that is graded again, else one drawn now: the code is stored.

    A pack of its own stays with a row. None where it has to be made first; 0 for a Run.
    """
    if row.is_run:
        return 0
    if row.pack_id is not None and (row.own_pack or row.tries_used == 0):
        if reserved_packs.has_data(row.pack_id):
            return row.pack_id
        if not reserved_packs.is_stuck(row):
            return None
    return draw_pack(submission=row)


def draw_pack(*, submission: Submission) -> int | None:
    """Draw a pack from the version's pool: one new to the learner, else the one met longest ago.

    For work that counts in a class take one that no run has used, while any can be made.
    """
    version, learner = submission.exercise_version_id, submission.learner_id
    assert version is not None  # a Run meets no pack
    if submission.own_pack:
        own = reserved_packs.take(version=version)
        if own is not None or not reserved_packs.is_stuck(submission):
            return own
    pool: set[int] = {pk for (pk,) in _pool().rows(version=version)}
    had: list[int] = [pk for (pk,) in _packs_had().rows(version=version, learner=learner)]
    new = pool.difference(had)
    if had and pool and len(new) <= AHEAD:
        _ask_for_more(version, pool, missing=2 * AHEAD - len(new))
    if new:
        return random.SystemRandom().choice(sorted(new))
    longest_ago = reversed(dict.fromkeys(had))
    return next((pk for pk in longest_ago if pk in pool), None)


def can_be_graded() -> Q:
    """Hold for waiting rows that `pack_for` has an answer for, whatever else they wait for."""
    version = OuterRef("exercise_version")
    pool = Q(Exists(in_pools().filter(version=version)))
    reserve = Q(Exists(reserved_packs.in_reserve().filter(version=version)))
    keeps = reserved_packs.keeps_its_pack()
    stuck = ~Q(exercise_version__problems=[]) & pool
    return (
        Q(kind=Submission.Kind.RUN)
        | stuck
        | (keeps & Q(pack__data__isnull=False))
        | (~keeps & Q(own_pack=False) & pool)
        | (~keeps & Q(own_pack=True) & reserve)
    )


def version_with_low_pool(
    *, without: Collection[int] = (), allow_reused: bool = False
) -> ExerciseVersion | None:
    """Return a version that lacks fresh packs, None when all other pools are full.

    Of versions that are no longer current those that somebody's code waits for: an upgrade that
    retires all packs may bring a newer version too. One with a noted problem is left alone. With
    `allow_reused` only one that has hardly any packs at all.
    """
    pool = in_pools()
    wanted: Expression = Value(min(AHEAD, settings.CASE_PACKS))
    if not allow_reused:
        pool = pool.filter(uses__lt=EXHAUSTED_AFTER)
        wanted = _wanted()
    waiting = Submission.objects.ungraded().filter(exercise_version=OuterRef("pk"))
    current = ExerciseVersion.objects.filter(
        Q(pk__in=Exercise.objects.values("current")) | Exists(waiting),
        verification=ExerciseVersion.Verification.OK,
        problems=[],
    )
    counted = current.annotate(usable=pool.count_of("pk")).exclude(pk__in=without)
    low = counted.filter(usable__lt=wanted)
    return low.select_related("exercise").order_by("usable", "pk").first()


def any_pack(*, version: ExerciseVersion) -> int | None:
    """Return a pack in the version's pool: all share their fingerprint cases."""
    return in_pools().filter(version=version).values_list("pk", flat=True).first()


def retire_pack(*, pk: int) -> None:
    """Take a pack that cannot be read out of its pool; another will be made.

    One that serves a single submission is made again from its seed, for the same cases.
    """
    CasePack.objects.filter(pk=pk).update(retired_at=timezone.now())
    CasePack.objects.filter(pk=pk, is_reserved=True).update(data=None)


def add_pack(*, version: ExerciseVersion, seed: int, data: bytes) -> None:
    """Put a pack into the version's pool, and take an exhausted one out when the pool is full."""
    _store(version, seed, compressed(data))


@transaction.atomic
def _store(version: ExerciseVersion, seed: int, data: bytes) -> None:
    CasePack.objects.create(version=version, seed=seed, data=data)
    pool = in_pools().filter(version=version)
    same = ExerciseVersion.objects.filter(pk=version.pk)
    if pool.count() > same.values_list(_wanted(), flat=True).get():
        exhausted = pool.filter(uses__gte=EXHAUSTED_AFTER).order_by("-uses").values("pk")[:1]
        CasePack.objects.filter(pk__in=list(exhausted.values_list("pk", flat=True))).update(
            retired_at=timezone.now()
        )


def forget_packs(*, retired_before: datetime) -> int:
    """Delete packs that are out of their pools since then and that no submission names.

    Nor a regrade, which may still put them into submissions.
    """
    unnamed = CasePack.objects.filter(
        retired_at__lt=retired_before, submissions=None, code_regrades=None
    )
    return unnamed.only("pk").delete()[0]  # what they hold is large, and deleting reads the rows


def in_pools() -> CasePackQuerySet:
    """Return the packs that are drawn for every submission without a pack of its own."""
    return CasePack.objects.in_pools()


def _wanted() -> Expression:
    """Return the number of packs that a version's pool should hold."""
    asked = Least(F("packs_wanted"), Value(settings.MOST_CASE_PACKS))
    return Greatest(asked, Value(settings.CASE_PACKS))


def _ask_for_more(version: int, pool: set[int], *, missing: int) -> None:
    """Have the preparer make `missing` packs; the oldest ones make way in a pool that is full.

    Every pack that somebody met is kept: a bound for each day is one for what is stored.
    """
    most, now = settings.MOST_CASE_PACKS, timezone.now()
    wanted = min(len(pool) + missing, most)
    ExerciseVersion.objects.filter(pk=version, packs_wanted__lt=wanted).update(packs_wanted=wanted)
    if len(pool) + missing > most:
        met_by_many = CasePack.objects.filter(version=version, is_reserved=False)
        made = met_by_many.filter(made_at__gt=now - A_DAY).count()
        to_make = max(0, wanted - len(pool))
        excess = min(len(pool) + missing - most, max(0, most - made - to_make), len(pool) - 1)
        oldest = CasePack.objects.filter(pk__in=sorted(pool)[:excess], retired_at=None)
        oldest.update(retired_at=now)


@cache
def _pool() -> Statement:
    pool = in_pools().filter(version=Param("version"))
    return statements.select(pool.values_list("pk"))


@cache
def _packs_had() -> Statement:
    """Return a statement that selects packs this learner met in this version, newest first."""
    had = Submission.objects.filter(
        learner=Param("learner"), exercise_version=Param("version"), pack__isnull=False
    )
    return statements.select(had.order_by("-pk").values_list("pack_id"))
