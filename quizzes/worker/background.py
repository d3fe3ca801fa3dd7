"""Beside the grading, in a thread of its own: verify versions and fill pools.

Verifying an exercise takes seconds, and a submission must not wait for that; so all that runs
authors' code stands here and never in the worker's main thread. One kind of work must not wait for
the failures of another: each is guarded by itself. The sandboxes are open only while there is work
for them, since each of them holds the memory of a started interpreter.
"""

import logging
import secrets
import threading
import time
from collections.abc import Callable, Collection, Sequence
from functools import partial
from typing import Any
from uuid import UUID, uuid4

from django.db import DatabaseError, connection
from django.utils import timezone

from quizzes.exercises import case_pack_pool, publishing, reserved_packs
from quizzes.exercises.case_pack_pool import can_be_graded, read_pack
from quizzes.exercises.models import ExerciseVersion, Submission
from quizzes.exercises.queue.engine import engine
from quizzes.grader.api import (
    BadFrame,
    Case,
    DefinitionError,
    Sandbox,
    SandboxBroken,
    SandboxUnavailable,
)
from quizzes.grader.definitions import build_case_pack, verify
from quizzes.grader.judge import CasePack, FingerprintSet, call_text, digest_of_cases
from quizzes.worker.listing_runs import run_next_listing
from quizzes.worker.mistake_proofs import prove_next
from quizzes.worker.periodic_tasks import KeepLease, PeriodicWork
from quizzes.worker.plot_drawing import draw_next_plot
from quizzes.worker.pool_keeper import REST_SECONDS, AuthorSandboxes, Pool, PoolKeeper, Trouble
from quizzes.worker.question_draws import draw_next_question
from quizzes.worker.question_pool import InstancePool, WantedInstances
from quizzes.worker.work_signs import WorkSigns

LOOK_SECONDS = 1.0
CROWD = 10  # submissions that wait

logger = logging.getLogger(__name__)


class Preparer(threading.Thread):
    """Looks for something to prepare, once a second if there are signs of it (`work_signs`).

    `keep_lease`: renews a lease while a block runs. `packs_used`: set by the thread that grades
    when a submission has taken a pack. A daemon: it never keeps a worker alive.
    """

    def __init__(
        self,
        *,
        stopping: threading.Event,
        keep_lease: KeepLease,
        process: UUID | None = None,
        packs_used: threading.Event | None = None,
    ) -> None:
        super().__init__(name="preparer", daemon=True)
        self._stopping = stopping
        self._keep_lease = keep_lease
        self._sandboxes = AuthorSandboxes()
        self._packs_used = packs_used or threading.Event()
        self._is_at_work = False
        self._urgent_at = 0.0  # when a proof that runs next gives way
        self._periodic_work = PeriodicWork(process=process or uuid4(), keep_lease=keep_lease)
        packs = self._keeper(CasePackPool(), "fill pools of case packs")
        troubles: dict[int, Trouble] = {}  # of one reserve, which two keepers fill
        reserved = self._keeper(ReservedPacks(), "fill reserves of case packs", troubles)
        early = self._keeper(EarlyPacks(), "fill reserves of case packs", troubles)
        instances = self._keeper(InstancePool(), "fill pools of questions")
        wanted = self._keeper(WantedInstances(), "draw numbers for regrades")
        self._signs = WorkSigns()
        self._reading = self._guarded("looking for work", self._signs.read)
        self._reading_ahead = self._guarded("reading case packs", _read_ahead)
        self._verification = self._guarded("verifying exercises", self._verify_next)
        self._listings = self._guarded("running listings", self._run_next_listing)
        self._proofs = self._guarded("proving what is written in the browser", self._prove_next)
        self._draws = self._guarded("drawing questions being written", self._draw_question)
        self._plots = self._guarded("drawing plots", self._draw_plot)
        self._packs = self._guarded("filling pools of case packs", packs.fill)
        self._reserved = self._guarded("filling reserves of case packs", reserved.fill)
        self._instances = self._guarded("filling pools of questions", instances.fill)
        self._wanted = self._guarded("drawing numbers for regrades", wanted.fill)
        self._early = self._guarded("filling reserves for work due soon", early.fill)

    def run(self) -> None:
        worked = False
        while not self._stopping.wait(0 if worked else LOOK_SECONDS):
            worked = self._look_safely()
        self._sandboxes.close()
        connection.close()

    def _look_safely(self) -> bool:
        """Look; rest after a failure outside the guarded work, such as ending a broken sandbox.

        A worker whose thread had died here would go on grading and verify nothing, unseen.
        """
        try:
            return self._look()
        except Exception:
            logger.exception("looking for something to prepare failed, tried again later")
            self._stopping.wait(REST_SECONDS)
            return False

    def _look(self) -> bool:
        """Say whether there was anything to do. Verifying comes before packs of cases."""
        if not self._reading():
            return False
        everything = self._is_at_work or self._signs.is_look_due()
        is_pack_used = self._is_pack_used()
        packs = is_pack_used or self._signs.is_pack_waited_for or everything
        if is_pack_used:
            self._reading_ahead()
        worked = self._signs.is_version_waiting and self._verification()
        # One next to any other work: verifying a whole course would keep its author waiting.
        listed = self._signs.is_listing_waiting and self._listings()
        worked = worked or (packs and self._reserved())
        worked = worked or (self._signs.is_proof_waiting and self._proofs())
        worked = worked or (self._signs.is_draw_waiting and self._draws())
        worked = worked or (self._signs.is_plot_waiting and self._plots())
        worked = worked or (packs and self._packs())
        if everything:
            worked = self._instances() or worked
            worked = self._wanted() or worked
            worked = worked or self._early()
        worked = worked or listed
        self._is_at_work = worked
        if not worked:
            self._sandboxes.close()
        return worked

    def _is_pack_used(self) -> bool:
        if not self._packs_used.is_set():
            return False
        self._packs_used.clear()
        return True

    def _verify_next(self) -> bool:
        publishing.refuse_unfinished()
        version = publishing.lease_unverified()
        if version is None:
            return False
        with self._keep_lease(partial(publishing.renew_preparation, version=version)):
            verify_version(version, self._sandboxes)
        return True

    def _run_next_listing(self) -> bool:
        return run_next_listing(self._sandboxes, self._keep_lease)

    def _prove_next(self) -> bool:
        return prove_next(self._sandboxes, self._keep_lease, self._do_urgent_work)

    def _draw_question(self) -> bool:
        return draw_next_question(self._sandboxes, self._keep_lease, self._do_urgent_work)

    def _draw_plot(self) -> bool:
        return draw_next_plot(self._sandboxes, self._keep_lease, self._do_urgent_work)

    def _do_urgent_work(self) -> bool:
        """Do what comes before a proof, once a second at most, while one runs."""
        if time.monotonic() < self._urgent_at or not self._reading():
            return False
        worked = self._signs.is_version_waiting and self._verification()
        if self._signs.is_pack_waited_for:
            worked = self._reserved() or worked
        if self._signs.is_listing_waiting:
            worked = self._listings() or worked
        self._urgent_at = time.monotonic() + LOOK_SECONDS
        return worked

    def _keeper(
        self, pool: Pool[Any], name: str, troubles: dict[int, Trouble] | None = None
    ) -> PoolKeeper[Any]:
        """Fill a kind of pool in one process of all hosts: two would draw for the same version."""
        return PoolKeeper(
            pool,
            self._sandboxes,
            stopping=self._stopping,
            alone=partial(self._periodic_work.alone, name),
            troubles=troubles,
        )

    def _guarded(self, name: str, work: Callable[[], bool]) -> "GuardedWork":
        return GuardedWork(name, work, after_failure=self._sandboxes.close)


class GuardedWork:
    """One kind of background work, which rests for a while when it fails on our side.

    Our failure is logged once, not at every try, until the work ends without one.
    """

    def __init__(
        self, name: str, work: Callable[[], bool], *, after_failure: Callable[[], None]
    ) -> None:
        self._name = name
        self._work = work
        self._after_failure = after_failure
        self._rests_until = 0.0
        self._logged: type[Exception] | None = None

    def __call__(self) -> bool:
        """Say whether there was anything to do; it is not tried while it rests."""
        if time.monotonic() < self._rests_until:
            return False
        try:
            worked = self._work()
        except Exception as error:
            self._rest(error)
            return False
        self._logged = None
        return worked

    def _rest(self, error: Exception) -> None:
        self._rests_until = time.monotonic() + REST_SECONDS
        self._log_once(error)
        self._after_failure()
        if isinstance(error, DatabaseError):
            connection.close()

    def _log_once(self, error: Exception) -> None:
        if type(error) is not self._logged:
            self._logged = type(error)
            known = isinstance(error, SandboxUnavailable | SandboxBroken)
            trace = None if known else error
            logger.error("%s failed, tried again later: %s", self._name, error, exc_info=trace)


class CasePackPool:
    """The pools of case packs, as the keeper asks of them; the emptiest comes first."""

    def lowest(self, *, without: Collection[int] = ()) -> ExerciseVersion | None:
        """Return the version that lacks most packs, None when all pools are full.

        While many submissions wait, exhausted packs do: they harm nobody, and drawing takes a core.
        """
        crowd = Submission.objects.free(timezone.now())[:CROWD].count() == CROWD
        return case_pack_pool.version_with_low_pool(without=without, allow_reused=crowd)

    def new_seeds(self) -> list[int]:
        """Return the seed of one pack."""
        return [new_seed()]

    def draw(self, version: ExerciseVersion, seeds: Sequence[int], author: Sandbox) -> None:
        """Store the packs of these seeds. Raises DefinitionError, SandboxBroken."""
        definition, fingerprints = version.definition, _fingerprints(version)
        for seed in seeds:
            pack = build_case_pack(definition, author, seed=seed, fingerprints=fingerprints)
            case_pack_pool.add_pack(version=version, seed=seed, data=pack.to_bytes())

    def mark(self, version: ExerciseVersion, problem: str) -> None:
        """Note why no pack can be drawn; see `publishing`."""
        publishing.note_problem(version=version, problem=problem)


class ReservedPacks:
    """The packs of work that counts in a class, as the keeper asks of them.

    One that a submission waits for comes first, however many wait: nobody else can get it.
    """

    def lowest(self, *, without: Collection[int] = ()) -> ExerciseVersion | None:
        """Return the version that lacks most, None when none lacks any."""
        return reserved_packs.version_in_need(without=without)

    def new_seeds(self) -> list[int]:
        """Return the seed of one pack."""
        return [new_seed()]

    def draw(self, version: ExerciseVersion, seeds: Sequence[int], author: Sandbox) -> None:
        """Store the pack of a seed; first one that was drawn before. Raises DefinitionError."""
        (seed,) = seeds
        again = reserved_packs.seed_to_draw_again(version)
        seed = seed if again is None else again
        known = _fingerprints(version)
        pack = build_case_pack(version.definition, author, seed=seed, fingerprints=known)
        is_waited_for = reserved_packs.is_waited_for(version)
        reserved_packs.store(version=version, seed=seed, data=pack.to_bytes())
        if is_waited_for:
            engine().put_missing()

    def mark(self, version: ExerciseVersion, problem: str) -> None:
        """Note why no pack can be drawn; see `publishing`."""
        publishing.note_problem(version=version, problem=problem)


def _read_ahead() -> bool:
    case_pack_pool.read_ahead()
    return False


class EarlyPacks(ReservedPacks):
    """The packs of counted work that is due soon, drawn while no quick code waits.

    Slow code does not hold them up, nor what is being graded or cannot be: a class whose exercise
    is due would find none after one endless loop on the site.
    """

    def lowest(self, *, without: Collection[int] = ()) -> ExerciseVersion | None:
        """Return the version that lacks most, None when none lacks any or quick code waits."""
        waiting = Submission.objects.waiting(timezone.now()).filter(can_be_graded(), slow=False)
        if waiting.exists():
            return None
        return reserved_packs.version_in_need(without=without, early=True)


def _fingerprints(version: ExerciseVersion) -> FingerprintSet | None:
    """Return the data that all packs of the version share, None where none of them can be read."""
    while (known := case_pack_pool.any_pack(version=version)) is not None:
        try:
            return read_pack(known).fingerprints
        except BadFrame:
            logger.exception("pack %s cannot be read; another takes its place", known)
            case_pack_pool.retire_pack(pk=known)
    return None


def verify_version(version: ExerciseVersion, sandboxes: AuthorSandboxes) -> None:
    """Verify a leased version; accept it with its first pack, or refuse it with its problems.

    Raises our failures. A sandbox that broke is counted in the row, unlike with pools: the
    verification may take its worker down as well, and after three times must end.
    """
    try:
        definition = version.definition
        was_published = publishing.was_published(content_hash=version.content_hash)
        found = verify(definition, sandboxes.author, sandboxes.student, was_published=was_published)
        seed = new_seed()
        pack = build_case_pack(definition, sandboxes.author, seed=seed) if found.ok else None
    except DefinitionError as error:
        publishing.refuse(version=version, problems=list(map(str, error.problems)))
    except SandboxUnavailable:
        publishing.give_back_version(version=version)
        raise
    except SandboxBroken as error:
        publishing.give_back_version(version=version, failure=f"The sandbox broke: {error}")
        raise
    else:
        proof = found.proof.as_json()
        if pack is None:
            publishing.refuse(version=version, problems=found.problems, proof=proof)
            logger.error("%s is refused: %s", version, "; ".join(found.problems))
            return
        publishing.accept(
            version=version,
            seed=seed,
            data=pack.to_bytes(),
            outline=outline_of(pack),
            proof=proof,
            fingerprints=found.fingerprints,
        )
        logger.info("%s is verified", version)


def reported_cases(pack: CasePack) -> list[Case]:
    """Return the cases that a Submit reports; others only measure, or look for a smaller input."""
    return [case for case in pack.cases if case.graded]


def outline_of(pack: CasePack) -> dict[str, Any]:
    """Return the description of the cases for a page, before anything is submitted.

    `identify`: the digest with which every fingerprint of the version begins.
    """
    reported = reported_cases(pack)
    shown = [call_text(pack.entry, case) for case in reported if case.shown]
    return {
        "shown": shown,
        "hidden": len(reported) - len(shown),
        "identify": digest_of_cases(pack),
    }


def new_seed() -> int:
    """Return a seed that nobody can guess, small enough for a database's integer."""
    return secrets.randbits(62)
