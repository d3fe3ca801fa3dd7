"""Draws of generated questions that are being written, for the page on which they are written.

A draw has the turn and the time of a proof (`mistake_proofs`): behind what learners wait for, in at
most 120 seconds in the sandbox and ten minutes by the clock. A run makes twelve seeds at most, and
between two runs the preparer does what is urgent. A worker that is killed leaves a lease, after
which another begins the draw again; the third time it is said that it failed.
"""

from collections.abc import Callable, Iterable
from datetime import timedelta
from functools import partial
from typing import Any

from django.db import transaction
from django.db.models import F, QuerySet

from quizzes.assessment.drawing.report import report_of
from quizzes.assessment.generator.generated_question import Generated
from quizzes.assessment.generator.generator_files import GENERATOR_FILE
from quizzes.assessment.generator.run_generator import (
    RefusedSeed,
    draw_run,
    refuse_useless,
    runs_of,
)
from quizzes.assessment.models import QuestionDraw
from quizzes.exercises.models.submission import unleased
from quizzes.exercises.queue.clock import database_time
from quizzes.grader.api import (
    DefinitionError,
    SandboxBroken,
    SandboxUnavailable,
    clean_line,
    storable,
)
from quizzes.worker.mistake_proofs import (
    KeepLease,
    ProofSandbox,
    ProofTime,
    StoppedError,
    TooLongError,
    nothing_urgent,
)
from quizzes.worker.pool_keeper import AuthorSandboxes
from quizzes.worker.question_pool import UNUSABLE

MOST_TRIES = 3
LEASE_LASTS = timedelta(seconds=30)  # renewed while it goes on
UNFINISHED = "The draw was started three times but never finished."
State = QuestionDraw.State


def draw_next_question(
    sandboxes: AuthorSandboxes,
    keep_lease: KeepLease,
    do_urgent_work: Callable[[], bool] = nothing_urgent,
) -> bool:
    """Carry out the draw that waits longest; False when none does."""
    draw = lease_draw()
    if draw is None:
        return False
    with keep_lease(partial(renew_draw, draw)):
        carry_out(draw, sandboxes, do_urgent_work)
    return True


def carry_out(
    draw: QuestionDraw,
    sandboxes: AuthorSandboxes,
    do_urgent_work: Callable[[], bool] = nothing_urgent,
) -> None:
    """Draw the seeds of a leased draw, and write what came of it. Raises our failures."""
    drawn: list[Generated] = []
    refused: list[RefusedSeed] = []
    problems: list[str] = []
    spent = ProofTime()
    author = ProofSandbox(
        lambda: sandboxes.author, spent, {}, lambda _: _note(draw, drawn, refused), do_urgent_work
    )
    try:
        for some in runs_of(range(1, draw.seeds + 1)):
            _note(draw, drawn, refused)
            for result in draw_run(draw.files, draw.kind, some, author):
                if isinstance(result, Generated):
                    drawn.append(result)
                else:
                    refused.append(result)
        refuse_useless(draw.files, drawn, refused)
    except DefinitionError as error:
        problems = list(map(str, error.problems))
    except TooLongError as error:
        problems = [f"{GENERATOR_FILE}: drawing took {error}; expected less"]
    except UNUSABLE as error:
        problems = [_cannot_be_stored(error)]
    except StoppedError:
        return
    except SandboxUnavailable:
        _own(draw).update(leased_until=None, tries_used=F("tries_used") - 1)
        raise
    except SandboxBroken:
        _own(draw).update(leased_until=None)
        raise
    try:
        with transaction.atomic():
            _end(draw, report_of(draw.files, drawn, refused), problems)
    except UNUSABLE as error:
        _end(draw, {}, [_cannot_be_stored(error)])


def _cannot_be_stored(error: Exception) -> str:
    words = clean_line(f"{type(error).__name__}: {error}")
    return f"{GENERATOR_FILE}: its numbers cannot be stored: {words}"


def lease_draw() -> QuestionDraw | None:
    """Take the draw that was asked for first, None when none waits."""
    now = database_time()
    waiting = QuestionDraw.objects.filter(unleased(now), state=State.WAITING)
    waiting.filter(tries_used__gte=MOST_TRIES).update(state=State.FAILED, problems=[UNFINISHED])
    for draw in waiting.order_by("requested_at", "pk"):
        same = waiting.filter(
            pk=draw.pk, requested_at=draw.requested_at, tries_used=draw.tries_used
        )
        if same.update(leased_until=now + LEASE_LASTS, tries_used=F("tries_used") + 1):
            draw.tries_used += 1
            return draw
    return None


def renew_draw(draw: QuestionDraw) -> bool:
    """Hold a draw for another while; False when somebody stopped it."""
    return bool(_own(draw).update(leased_until=database_time() + LEASE_LASTS))


def _note(draw: QuestionDraw, drawn: list[Generated], refused: list[RefusedSeed]) -> None:
    """Note how many seeds are drawn. Raises StoppedError."""
    if not _own(draw).update(done=len(drawn) + len(refused)):
        raise StoppedError


def _end(draw: QuestionDraw, report: dict[str, Any], problems: Iterable[str]) -> None:
    faults = storable(list(problems))
    _own(draw).update(
        state=State.REFUSED if faults else State.DRAWN,
        report=report,
        problems=faults,
        done=report["counts"]["questions"] + len(report["refused"]) if report else 0,
        leased_until=None,
    )


def _own(draw: QuestionDraw) -> QuerySet[QuestionDraw]:
    return QuestionDraw.objects.filter(
        pk=draw.pk,
        state=State.WAITING,
        requested_at=draw.requested_at,
        tries_used=draw.tries_used,
        leased_until__isnull=False,
    )
