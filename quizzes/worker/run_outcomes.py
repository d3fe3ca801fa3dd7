"""What comes of a Run, by its kind: a call, places of a slider, an X-ray, a counterexample."""

import logging

from quizzes.exercises.models import CodeRun, Submission
from quizzes.exercises.queue import lanes
from quizzes.exercises.queue.port import Lease
from quizzes.exercises.runs.samples import places_of, shapes_of
from quizzes.grader.api import Sandbox
from quizzes.grader.programs import (
    RUN_LIMITS,
    Counterexample,
    ProgramRun,
    Sample,
    XRay,
    run_program,
    sample,
)
from quizzes.worker.reference_sandbox import NoReferenceError, ReferenceSandbox

logger = logging.getLogger(__name__)

Outcome = ProgramRun | Counterexample | Sample | XRay


def run_of(lease: Lease) -> CodeRun:
    """Return the rest of a Run; an empty one if it was deleted: no outcome will be kept.

    It is read once for a lease: a row that is set aside is looked at ten times a second.
    """
    row = lease.submission
    if not Submission.run.is_cached(row):
        versions = ("against__exercise", "looks_into__exercise")
        rows = CodeRun.objects.select_related(*versions).filter(submission=row.pk)
        row.run = rows.first() or CodeRun(submission=row)
    run: CodeRun = row.run
    return run


def library_of(run: CodeRun) -> str:
    """Return the library of the exercise that a Run is about, "" for none."""
    version = run.against or run.looks_into
    return version.definition.library if version else ""


def outcome_of(
    run: CodeRun, *, code: str, is_slow: bool, sandbox: Sandbox, references: ReferenceSandbox
) -> Outcome:
    """Run a learner's code for its own sake. Raises NoReferenceError, SandboxBroken."""
    if run.looks_into is not None:
        return references.look_inside(run, sandbox, is_slow=is_slow)
    if run.sample is not None:
        return _sample(code, run, sandbox, references)
    if run.against is not None:
        return references.try_call(run, sandbox)
    limits = RUN_LIMITS if is_slow else lanes.quick_limits(RUN_LIMITS)
    return run_program(code, run.call, sandbox, limits=limits)


def needs_slow_lane(outcome: Outcome) -> bool:
    """Say whether this run of the quick lane is not the outcome yet."""
    waits = isinstance(outcome, XRay) and outcome.waits_for_place
    return waits or outcome.ran_out_of_time


def own_sample(code: str, run: CodeRun, sandbox: Sandbox) -> Sample:
    """Evaluate a call at the places of a slider for the learner's code alone."""
    library, limits = library_of(run) or "numpy", lanes.quick_limits(RUN_LIMITS)
    yours = sample(code, run.call, places_of(run), sandbox, library=library, limits=limits)
    return yours.in_shapes(shapes_of(run))


def _sample(code: str, run: CodeRun, sandbox: Sandbox, references: ReferenceSandbox) -> Sample:
    """Evaluate it for the reference too where that is shown."""
    yours = own_sample(code, run, sandbox)
    if not run.with_reference:
        return yours
    try:
        return yours.beside(references.sample(run, places_of(run)))
    except NoReferenceError:
        logger.exception("run %s is shown without the reference", run.pk)
        return yours
