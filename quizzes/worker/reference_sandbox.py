"""Where references are called for a learner: a counterexample, a figure, an X-ray.

A reference never enters the sandbox of submissions, where what a learner types runs. The author's
sandbox takes 0.3 s to start, 3 s with torch, and holds the memory of an interpreter; few learners
need it, and nobody else's code may wait for it. So it starts during the grading when a row comes
that needs it, that row is set aside meanwhile, and it ends once it was unused for a minute. If it
breaks, that is our failure with this row alone: the sandbox of submissions is well.

A figure begins at the same places for everybody, and a hand waits for its first picture: what
references gave lately is remembered, so that only the first learner waits for the author's sandbox.
A batch with a problem is not: a reference that had no time while the host was busy runs the next
time.
"""

import json
import logging
import time
from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import replace

from quizzes.exercises.case_pack_pool import any_pack, read_pack, retire_pack
from quizzes.exercises.models import CodeRun, ExerciseVersion
from quizzes.exercises.queue import lanes
from quizzes.exercises.runs.samples import places_of, shapes_of
from quizzes.grader.api import (
    BadFrame,
    Job,
    MachineTooBusy,
    Run,
    Sandbox,
    SandboxBroken,
    SandboxUnavailable,
)
from quizzes.grader.judge import CasePack
from quizzes.grader.programs import (
    Counterexample,
    Place,
    Sample,
    XRay,
    look_inside,
    sample,
    try_arguments,
)
from quizzes.grader.sandbox import LateSandbox, author_sandbox_later

logger = logging.getLogger(__name__)

UNUSED_SECONDS = 60.0
MOST_REMEMBERED = 32  # batches, at most 1 MB each, most have a tenth of it


class NoReferenceError(Exception):
    """No reference could be called, by our failure."""


class ReferenceSandbox:
    """The author's sandbox for each library that was asked for lately."""

    def __init__(self) -> None:
        self._sandboxes: dict[str, LateSandbox] = {}
        self._used_at = 0.0
        self._samples: OrderedDict[tuple[int, str, str], Sample] = OrderedDict()

    def can_run_soon(self, run: CodeRun) -> bool:
        """Say whether it serves a row; if not, it is being started.

        Also where it cannot be: `try_call` says so, of this row alone.
        """
        version = _version_called(run)
        if version is None or _batch_key(run) in self._samples:
            return True
        try:
            sandbox = self._of(version)
            if sandbox.can_run_soon():
                return True
            sandbox.start_soon()
        except (OSError, SandboxBroken, SandboxUnavailable):
            logger.exception("the author's sandbox for submission %s did not start", run.pk)
            return True
        return False

    def try_call(self, run: CodeRun, student: Sandbox) -> Counterexample:
        """Try what a learner typed. Raises NoReferenceError, SandboxBroken, MachineTooBusy."""
        version = run.against
        assert version is not None
        read = _pack_of(version)
        return try_arguments(
            run.call,
            wrong=run.submission.code,
            reference=version.definition.reference,
            pack=read,
            student=student,
            author=_Ours(self._of(version)),
            limits=lanes.quick_limits(read.entry.limits),
        )

    def sample(self, run: CodeRun, places: Sequence[Place]) -> Sample:
        """Evaluate a batch for the reference. Raises NoReferenceError, MachineTooBusy."""
        version, key = run.against, _batch_key(run)
        assert version is not None
        order = _order_of(places)
        if key in self._samples:
            self._samples.move_to_end(key)
            return _back(self._samples[key], order)
        definition = version.definition
        try:
            author = _Ours(self._of(version))
        except (OSError, SandboxBroken, SandboxUnavailable) as error:
            raise NoReferenceError(f"the author's sandbox did not start: {error}") from error
        batch = sample(
            definition.reference,
            run.call,
            [places[at] for at in order],
            author,
            library=definition.library,
            limits=definition.limits,
        ).in_shapes([shapes_of(run)[at] for at in order])
        if not batch.is_whole:
            problem = next(filter(None, (batch.problem, *batch.problems)))
            logger.error("the reference of %s failed for run %s: %s", version, run.pk, problem)
            return _back(batch, order)
        self._samples[key] = batch
        if len(self._samples) > MOST_REMEMBERED:
            self._samples.popitem(last=False)
        return _back(batch, order)

    def look_inside(self, run: CodeRun, student: Sandbox, *, is_slow: bool) -> XRay:
        """Run a learner's code on one case and see what its expressions were.

        Right solutions run on the same case where the row says so, and its sandbox is well. Raises
        NoReferenceError without a pack, SandboxBroken and MachineTooBusy of the student's.
        """
        version = run.looks_into
        assert version is not None
        pack = _pack_of(version)
        limits = pack.entry.limits
        return look_inside(
            run.submission.code,
            run.call if run.shown_case is None else run.shown_case,
            pack=pack,
            student=student,
            author=self._of(version) if run.compares else None,
            right=version.definition.right_sources,
            limits=limits if is_slow else lanes.quick_limits(limits),
            seeks_place=is_slow,
        )

    def end_unused(self) -> None:
        """End it once it was unused for a minute."""
        if self._sandboxes and time.monotonic() - self._used_at > UNUSED_SECONDS:
            self.close()

    def close(self) -> None:
        """End it; asked again, it starts again."""
        for sandbox in self._sandboxes.values():
            sandbox.close()
        self._sandboxes.clear()

    def _of(self, version: ExerciseVersion) -> LateSandbox:
        self._used_at = time.monotonic()
        library = version.definition.library
        if library not in self._sandboxes:
            self._sandboxes[library] = author_sandbox_later(library)
        return self._sandboxes[library]


def _version_called(run: CodeRun) -> ExerciseVersion | None:
    """Return the version whose reference a row needs, None where it needs none."""
    if run.looks_into is not None:
        return run.looks_into if run.compares else None
    return run.against if run.calls_reference else None


def _batch_key(run: CodeRun) -> tuple[int, str, str]:
    """Return what a reference's numbers depend on: not where on its slider a hand stands."""
    places = places_of(run) if run.sample is not None else []
    same_order = [places[at] for at in _order_of(places)]
    return run.against_id or 0, run.call, json.dumps(same_order, sort_keys=True)


def _order_of(places: Sequence[Place]) -> list[int]:
    return sorted(range(len(places)), key=lambda at: json.dumps(places[at], sort_keys=True))


def _back(batch: Sample, order: Sequence[int]) -> Sample:
    """Return what came of places in this order as it was before they were sorted."""
    at = sorted(range(len(order)), key=order.__getitem__)
    return replace(
        batch,
        arrays=tuple(batch.arrays[place] for place in at),
        problems=tuple(batch.problems[place] for place in at),
    )


def _pack_of(version: ExerciseVersion) -> CasePack:
    """Return any pack of a version; those that cannot be read leave its pool, as in grading."""
    while (pack := any_pack(version=version)) is not None:
        try:
            return read_pack(pack)
        except BadFrame:
            logger.exception("pack %s cannot be read; another takes its place", pack)
            retire_pack(pk=pack)
    raise NoReferenceError(f"{version} has no pack of cases")


class _Ours:
    """A sandbox whose failure is none of the one for submissions."""

    def __init__(self, sandbox: LateSandbox) -> None:
        self._sandbox = sandbox

    def run(self, job: Job) -> Run:
        try:
            return self._sandbox.run(job)
        except MachineTooBusy:
            raise
        except (OSError, SandboxBroken, SandboxUnavailable) as error:
            raise NoReferenceError(f"the author's sandbox broke: {error}") from error
