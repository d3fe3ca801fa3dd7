"""Packs of cases for work that counts in a class: one for each submission, and for no other.

A pack that many have met can be learned bit by bit. So counted work is graded with a pack that no
run has used, whose seed stays with the submission: a complaint or a regrade has the same cases. To
draw one takes a processor for about a tenth of a second, so some wait ahead for each assignment
that is open; where none is left, the preparer draws one while the submission waits. A class of 200
waited for 400 of these in the last minutes, so for work that is due soon as many as it needs are
drawn before, while no submission waits (docs/scaling.md, "Packs of counted work"). When work has
been closed for a while the data of its packs goes, and is drawn again from the seed when asked for.
"""

import random
from collections import Counter
from collections.abc import Collection, Mapping
from datetime import datetime

from django.conf import settings
from django.db import transaction
from django.db.models import Count, Exists, OuterRef, Q, QuerySet
from django.utils import timezone

from quizzes.exercises.assigned_work import assignments_open_since, submits_expected
from quizzes.exercises.models import CasePack, Exercise, ExerciseVersion, Submission
from quizzes.exercises.stored_packs import compressed

AHEAD = 8  # packs for each open assignment
MOST_EARLY = 400  # packs of an exercise for work due soon: 118 MB of the sinusoidal table's
FIRST_IN_POOL = 4  # packs of the pool that are drawn before those
CANDIDATES = 8  # packs looked at when other workers take the first ones


def in_reserve() -> QuerySet[CasePack]:
    """Return the packs that no run has used yet."""
    return CasePack.objects.filter(is_reserved=True, retired_at=None)


def count_in_reserve() -> Counter[int]:
    """Count the packs that no run has used yet, by version."""
    return Counter(dict(in_reserve().values_list("version").annotate(Count("pk"))))


def take(*, version: int) -> int | None:
    """Take a pack out of the reserve of a version, for one submission; None where none is left."""
    ahead = in_reserve().filter(version=version).order_by("pk")
    some = list(ahead.values_list("pk", flat=True)[:CANDIDATES])
    random.shuffle(some)  # or all workers would ask for the same one
    for pk in some:
        if in_reserve().filter(pk=pk).update(retired_at=timezone.now()):
            return pk
    return None


def has_data(pk: int) -> bool:
    """Say whether a pack can be read now; what has no data is drawn again when it is asked for."""
    return CasePack.objects.filter(pk=pk, data__isnull=False).exists()


def is_stuck(row: Submission) -> bool:
    """Say whether no pack can be drawn for a row, since its author's code failed."""
    broken = ExerciseVersion.objects.filter(pk=row.exercise_version_id or 0).exclude(problems=[])
    return broken.exists()


def version_in_need(
    *, without: Collection[int] = (), early: bool = False
) -> ExerciseVersion | None:
    """Return the version that lacks most reserved packs, first one that somebody waits for.

    None when none lacks any. One with a noted problem is left alone. `early`: a version lacks all
    the packs that work which is due soon will need, not only the next ones.
    """
    now = timezone.now()
    expected = submits_expected(now) if early else {}
    if early and not expected:
        return None
    gone, waiting = map(_rows_by_version, (_waiting_for_data(now), _waiting_for_a_pack(now)))
    ahead = _ahead(expected, now)
    if not (gone or waiting or ahead):
        return None
    kept = count_in_reserve()
    urgent = gone + (waiting - kept)
    lacking = gone + (waiting + ahead - kept)
    usable = ExerciseVersion.objects.filter(
        pk__in=set(lacking).difference(without),
        verification=ExerciseVersion.Verification.OK,
        problems=[],
    )
    keys = list(usable.values_list("pk", flat=True)) if lacking else []
    most = max(keys, key=lambda pk: (urgent[pk] > 0, lacking[pk], -pk), default=None)
    versions = ExerciseVersion.objects.select_related("exercise")
    return None if most is None else versions.get(pk=most)


def seed_to_draw_again(version: ExerciseVersion) -> int | None:
    """Return the seed of a pack whose data is gone and that a submission waits for."""
    rows = _waiting_for_data(timezone.now()).filter(exercise_version=version)
    return rows.values_list("pack__seed", flat=True).first()


def store(*, version: ExerciseVersion, seed: int, data: bytes) -> None:
    """Put a pack into the reserve, or give one whose data is gone its data again."""
    same, stored = CasePack.objects.filter(version=version, seed=seed), compressed(data)
    with transaction.atomic():
        if not same.update(data=stored):
            CasePack.objects.create(version=version, seed=seed, data=stored, is_reserved=True)


def is_waited_for(version: ExerciseVersion) -> bool:
    """Say whether a submission to this version waits for a pack of its own."""
    now = timezone.now()
    rows = _waiting_for_a_pack(now) | _waiting_for_data(now)
    return rows.filter(exercise_version=version).exists()


def forget(*, now: datetime, closed_before: datetime) -> None:
    """Let go of what no open work needs: packs ahead, and data of packs of work closed since then.

    Old packs ahead go with the version or the last assignment of an exercise, and those for work
    that was due soon once it is over. Each row that waits for a pack keeps one. `now` is the
    database's time: by a host whose clock is ahead, all packs of a class at work would go.
    """
    open_now = Exercise.objects.filter(pk__in=assignments_open_since(now))
    current = set(open_now.filter(current__isnull=False).values_list("current", flat=True))
    ahead = _ahead(submits_expected(now), now)
    needed = ahead + _rows_by_version(_waiting_for_a_pack(now))
    for version, count in count_in_reserve().items():
        if version in current and version not in ahead:
            continue  # its pool is still to be filled, and then it needs them
        if count > needed[version]:
            oldest_first = in_reserve().filter(version=version).order_by("pk")
            surplus = list(oldest_first.values_list("pk", flat=True)[needed[version] :])
            in_reserve().filter(pk__in=surplus).update(retired_at=now)
    waiting = Submission.objects.ungraded().filter(pack=OuterRef("pk"))
    used = CasePack.objects.filter(
        ~Exists(waiting), is_reserved=True, data__isnull=False, retired_at__lt=closed_before
    )
    used.exclude(version__exercise__in=assignments_open_since(closed_before)).update(data=None)


def _ahead(expected: Mapping[int, int], now: datetime) -> Counter[int]:
    """Count the packs that should wait, by version; `expected`: Submits by exercise.

    None of a version whose pool is still to be filled: Checks of everybody come first.
    """
    open_now = assignments_open_since(now)
    if not open_now:
        return Counter()
    pool = CasePack.objects.in_pools()
    current = (
        Exercise.objects.filter(pk__in=open_now, current__isnull=False)
        .order_by()
        .annotate(usable=pool.count_of("current"))
        .filter(usable__gte=min(FIRST_IN_POOL, settings.CASE_PACKS))
    )
    return Counter(
        {
            version: max(AHEAD * open_now[pk], min(expected.get(pk, 0), MOST_EARLY))
            for pk, version in current.values_list("pk", "current")
        }
    )


def keeps_its_pack() -> Q:
    """Hold for rows that are graded with the pack that they have."""
    return Q(pack__isnull=False) & (Q(own_pack=True) | Q(tries_used=0))


def _waiting_for_a_pack(now: datetime) -> QuerySet[Submission]:
    return Submission.objects.free(now).filter(own_pack=True, pack=None)


def _waiting_for_data(now: datetime) -> QuerySet[Submission]:
    return Submission.objects.free(now).filter(keeps_its_pack(), pack__data=None)


def _rows_by_version(rows: QuerySet[Submission]) -> Counter[int]:
    return Counter(dict(rows.order_by().values_list("exercise_version").annotate(Count("pk"))))
