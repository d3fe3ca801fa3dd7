"""Beside the grading, in a thread of its own: verify new versions, keep their pools full, tidy.

The sandboxes for it are open only while there is work for them.
"""

import logging
import secrets
import threading
import time
from collections import Counter
from datetime import timedelta
from functools import partial
from typing import Any

from django.db import DatabaseError, connection
from django.utils import timezone

from quizzes.exercises import pools, publishing
from quizzes.exercises.chores import AFTER_FAILURE_SECONDS, Round
from quizzes.exercises.holding import held
from quizzes.exercises.models import ExerciseVersion, Submission
from quizzes.exercises.packs import read_pack
from quizzes.exercises.pools import forget_packs
from quizzes.exercises.workbench import Workbench
from quizzes.grader.case import Case
from quizzes.grader.case_pack import CasePack, IdentifySet
from quizzes.grader.errors import AuthorError, DefinitionError, SandboxBroken, SandboxUnavailable
from quizzes.grader.preparing import prepare
from quizzes.grader.showing import call_text
from quizzes.grader.verifying import verify
from quizzes.grader.wire import BadFrame

LOOK_SECONDS = 0.5
CHECKS_KEPT = timedelta(days=7)
FILL_TRIES = 3
CROWD = 10  # submissions that wait

logger = logging.getLogger(__name__)


class Preparer(threading.Thread):
    """Looks for something to prepare, twice a second while there is nothing.

    A daemon: it never keeps a worker alive.
    """

    def __init__(self, *, stopping: threading.Event) -> None:
        super().__init__(name="preparer", daemon=True)
        self._stopping = stopping
        self._bench = Workbench()
        self._tidied_at = 0.0
        self._do_chores = Round()
        self._failures: Counter[int] = Counter()  # of filling a version's pool

    def run(self) -> None:
        worked = False
        while not self._stopping.wait(0 if worked else LOOK_SECONDS):
            try:
                worked = self._look()
            except SandboxUnavailable as error:
                logger.warning("no author sandbox: %s", error)
                self._stopping.wait(AFTER_FAILURE_SECONDS)
            except DatabaseError:
                logger.exception("the database failed while preparing")
                connection.close()
                self._stopping.wait(AFTER_FAILURE_SECONDS)
            except Exception:
                logger.exception("preparing failed on our side")
                self._stopping.wait(AFTER_FAILURE_SECONDS)
        self._bench.close()
        connection.close()

    def _look(self) -> bool:
        """Say whether there was anything to do."""
        try:
            exercises = self._look_at_exercises()
        finally:  # neither must wait for the other's failures
            chores = self._do_chores()
        return exercises or chores

    def _look_at_exercises(self) -> bool:
        publishing.refuse_unfinished()
        try:
            worked = self._prepare_one()
        except BaseException:
            self._bench.close()
            raise
        if worked:
            return True
        self._bench.close()
        if time.monotonic() - self._tidied_at > CHECKS_KEPT.total_seconds() / 24 / 7:
            forget_what_is_old()
            self._tidied_at = time.monotonic()
        return False

    def _prepare_one(self) -> bool:
        """Verify a version or fill a pool; False when there is nothing to do."""
        version = publishing.lease_unverified()
        if version is not None:
            verify_version(version, self._bench)
            return True
        thin = self._thinnest()
        if thin is not None:
            self._fill(thin)
        return thin is not None

    def _thinnest(self) -> ExerciseVersion | None:
        """Versions that could not be filled come last, and after three times not at all.

        While people wait worn packs do: they harm nobody, and each new one takes a core.
        """
        crowd = Submission.objects.free(timezone.now())[:CROWD].count() == CROWD
        thin = partial(pools.version_with_thin_pool, worn_do=crowd)
        hopeless = [pk for pk, count in self._failures.items() if count >= FILL_TRIES]
        return thin(without=self._failures) or thin(without=hopeless)

    def _fill(self, version: ExerciseVersion) -> None:
        try:
            self._add_packs(version)
        except (AuthorError, SandboxBroken):
            self._failures[version.pk] += 1
            raise
        del self._failures[version.pk]

    def _add_packs(self, version: ExerciseVersion) -> None:
        identify = _identify_set(version)
        while not self._stopping.is_set():
            seed = new_seed()
            pack = prepare(version.definition, self._bench.author, seed=seed, identify=identify)
            pools.add_pack(version=version, seed=seed, data=pack.to_bytes())
            thin = self._thinnest()
            if thin is None or thin.pk != version.pk:
                return


def _identify_set(version: ExerciseVersion) -> IdentifySet | None:
    """Return what all packs of the version share, None where no pack in its pool can be read."""
    while (known := pools.any_pack(version=version)) is not None:
        try:
            return read_pack(known).identify
        except BadFrame:
            logger.exception("pack %s cannot be read; another takes its place", known)
            pools.retire_pack(pk=known)
    return None


def verify_version(version: ExerciseVersion, bench: Workbench) -> None:
    """Verify a leased version; accept it with its first pack, or refuse it with its problems."""
    with held(version):
        try:
            definition = version.definition
            found = verify(definition, bench.author, bench.student)
            seed = new_seed()
            pack = prepare(definition, bench.author, seed=seed) if found.ok else None
        except DefinitionError as error:
            publishing.refuse(version=version, problems=[str(error)])
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
            )
            logger.info("%s is verified", version)


def told_cases(pack: CasePack) -> list[Case]:
    """Return the cases that a Submit tells of; others only measure, or look for a smaller input."""
    return [case for case in pack.cases if case.graded]


def outline_of(pack: CasePack) -> dict[str, Any]:
    """Return what a page says of the cases before anything is submitted."""
    told = told_cases(pack)
    shown = [call_text(pack.entry, case) for case in told if case.shown]
    return {"shown": shown, "hidden": len(told) - len(shown)}


def new_seed() -> int:
    """Return a seed that nobody can guess, small enough for a database's integer."""
    return secrets.randbits(62)


def forget_what_is_old() -> int:
    """Delete graded Checks older than a week, in no history, and the packs they alone named."""
    before = timezone.now() - CHECKS_KEPT
    old = Submission.objects.graded().filter(kind=Submission.Kind.CHECK, submitted_at__lt=before)
    deleted = old.delete()[0]
    return deleted + forget_packs(retired_before=before)
