"""Proofs of what is written in the browser: an exercise, or one with the file of a new mistake.

A proof begins after the verification of what is published and after the cases that somebody's
counted code waits for, but before pools are filled: at a first start they take an hour. An exercise
is verified in one go, so a proof keeps this worker's preparer until it ends; but between two of its
runs, which take a second or two, the preparer does what is urgent by then: versions that learners
wait for, and cases for counted code. A proof ends after 120 seconds in the sandbox, or ten minutes
by the clock without that work.
"""

import time
from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from functools import partial
from pathlib import PurePosixPath

from quizzes.exercises.models import MistakeDraft
from quizzes.exercises.naming.drafts import DraftRefusedError
from quizzes.exercises.proofs import leases
from quizzes.grader.api import (
    DefinitionError,
    Job,
    Run,
    Sandbox,
    SandboxBroken,
    SandboxUnavailable,
)
from quizzes.grader.definitions import ExerciseDefinition, verify
from quizzes.worker.pool_keeper import AuthorSandboxes

CASES = "cases.py"  # runs in each proof
MOST_SECONDS = 120.0  # in the sandbox
LONGEST = 600.0  # by the clock
OUTDATED = "A new version of the exercise was verified while the proof ran. Prove it again."
KeepLease = Callable[[Callable[[], object]], AbstractContextManager[None]]


class TooLongError(Exception):
    """A proof used up its time; the message says which."""


class OutdatedError(Exception):
    """A version was verified while a proof ran: nothing that it could find would hold."""


class StoppedError(Exception):
    """Somebody stopped a proof, or edits the draft."""


@dataclass
class ProofTime:
    """The time that all runs of one proof have together."""

    seconds: float = 0.0
    began: float = field(default_factory=time.monotonic)
    stage: str = ""  # the file that ran last

    def check(self) -> None:
        """Raise TooLongError once it is used up."""
        if self.seconds > MOST_SECONDS:
            raise TooLongError(f"longer than {MOST_SECONDS:g} seconds of running code")
        if time.monotonic() - self.began > LONGEST:
            raise TooLongError(f"longer than {LONGEST / 60:g} minutes by the clock")

    def wait_for(self, work: Callable[[], bool]) -> bool:
        """Do work of others, whose time does not count; say whether there was any."""
        began = time.monotonic()
        worked = work()
        self.began += time.monotonic() - began
        return worked


@dataclass
class ProofSandbox:
    """A sandbox whose runs say which file they run, and use up the time of a proof.

    `open_sandbox` returns it: `do_urgent_work`, called before each run, may have closed it.
    """

    open_sandbox: Callable[[], Sandbox]
    spent: ProofTime
    files: Mapping[str, str]  # names by text
    note: Callable[[str], object]
    do_urgent_work: Callable[[], bool]
    noted: str = ""

    def run(self, job: Job) -> Run:
        """Run one job. Raises TooLongError, and what `note` raises."""
        self.spent.check()
        worked = self.spent.wait_for(self.do_urgent_work)
        stage = self.files.get(job.source, "")
        self.spent.stage = stage or self.spent.stage
        if worked or (stage and stage != self.noted):
            self.noted = stage
            self.note(stage)
        run = self.open_sandbox().run(job)
        self.spent.seconds += run.seconds
        self.spent.check()
        return run


def nothing_urgent() -> bool:
    """Do nothing between the runs of a proof."""
    return False


def timed(sandbox: Sandbox) -> ProofSandbox:
    """Return a sandbox whose runs have together as much time as those of a proof."""
    return ProofSandbox(lambda: sandbox, ProofTime(), {}, lambda _stage: None, nothing_urgent)


def prove_next(
    sandboxes: AuthorSandboxes,
    keep_lease: KeepLease,
    do_urgent_work: Callable[[], bool] = nothing_urgent,
) -> bool:
    """Prove the draft that waits longest; False when none does.

    `do_urgent_work`: called before each of its runs; says whether there was any.
    """
    draft = leases.lease_proof()
    if draft is None:
        return False
    with keep_lease(partial(leases.renew_proof, draft=draft)):
        prove(draft, sandboxes, do_urgent_work)
    return True


def prove(
    draft: leases.Provable,
    sandboxes: AuthorSandboxes,
    do_urgent_work: Callable[[], bool] = nothing_urgent,
) -> None:
    """Prove a leased draft. Raises our failures."""
    fingerprint, report, spent = "", None, ProofTime()
    try:
        definition, note = leases.definition_with(draft), partial(_note, draft)
        files = _names_by_text(definition)
        verified = verify(
            definition,
            ProofSandbox(lambda: sandboxes.author, spent, files, note, do_urgent_work),
            ProofSandbox(lambda: sandboxes.student, spent, files, note, do_urgent_work),
        )
        problems, report = list(verified.problems), verified.proof.as_json()
        if isinstance(draft, MistakeDraft):
            fingerprint = verified.fingerprints.get(PurePosixPath(draft.path).stem, "")
    except DefinitionError as error:
        problems = list(map(str, error.problems))
    except DraftRefusedError as error:  # the exercise has a file of this name by now
        problems = [str(error)]
    except TooLongError as error:
        path = draft.path if isinstance(draft, MistakeDraft) else spent.stage or CASES
        problems = [f"{path}: the proof took {error}; expected less"]
    except OutdatedError:
        problems = [OUTDATED]
    except StoppedError:
        return
    except SandboxUnavailable:
        leases.give_back_proof(draft=draft)
        raise
    except SandboxBroken as error:
        leases.give_back_proof(draft=draft, failure=f"The sandbox broke: {error}")
        raise
    leases.end_proof(draft=draft, problems=problems, fingerprint=fingerprint, report=report)


def _note(draft: leases.Provable, stage: str) -> None:
    """Note which file is run. Raises StoppedError, OutdatedError."""
    if not leases.note_stage(draft=draft, stage=stage):
        raise StoppedError
    if leases.is_outdated(draft):
        raise OutdatedError


def _names_by_text(definition: ExerciseDefinition) -> dict[str, str]:
    names = {definition.reference: "reference.py", definition.starter: "starter.py"}
    return names | {wrong.source: f"wrong/{slug}.py" for slug, wrong in definition.wrong.items()}
