"""Plots that wait to be drawn: leased, run frame by frame, stored whole or with what is wrong.

A drawing begins after the proofs of exercises, and like these it does what is urgent between two of
its runs. It ends after 120 seconds in the sandbox, or ten minutes by the clock. Frames are stored
together at the end, so a worker that is killed leaves a drawing that another one begins again.
"""

from collections.abc import Callable
from contextlib import AbstractContextManager
from datetime import timedelta
from functools import partial

from django.db import transaction
from django.db.models import F, QuerySet

from quizzes.exercises.models.submission import unleased
from quizzes.exercises.queue.clock import database_time
from quizzes.grader.api import AuthorError, SandboxBroken, SandboxUnavailable
from quizzes.lessons.models import PlotDrawing, PlotFrame
from quizzes.lessons.plots.draw_plot import draw_plot
from quizzes.lessons.plots.drawings import bytes_in_use, keys_in_use
from quizzes.lessons.plots.frames import packed, scales_of, shape_of
from quizzes.lessons.plots.plot_files import plot_file, plot_from
from quizzes.worker.mistake_proofs import (
    ProofSandbox,
    ProofTime,
    StoppedError,
    TooLongError,
    nothing_urgent,
)
from quizzes.worker.pool_keeper import AuthorSandboxes

MOST_TRIES = 3
LEASE_LASTS = timedelta(seconds=30)  # renewed while it goes on
UNFINISHED = "The drawing was started three times but never finished."
MOST_OF_COURSE = 200 * 1024 * 1024  # bytes of the frames of all plots in use
UNUSED_KEPT = timedelta(days=1)  # readers with an older page open move its sliders
KeepLease = Callable[[Callable[[], object]], AbstractContextManager[None]]
State = PlotDrawing.State


def draw_next_plot(
    sandboxes: AuthorSandboxes,
    keep_lease: KeepLease,
    do_urgent_work: Callable[[], bool] = nothing_urgent,
) -> bool:
    """Draw the plot that waits longest; False when none does."""
    drawing = lease_drawing()
    if drawing is None:
        return False
    with keep_lease(partial(_renew, drawing)):
        draw(drawing, sandboxes, do_urgent_work)
    return True


def lease_drawing() -> PlotDrawing | None:
    """Take the plot that waits longest, None when none does."""
    now = database_time()
    free = PlotDrawing.objects.filter(unleased(now), state=State.WAITING)
    free.filter(tries_used__gte=MOST_TRIES).update(state=State.FAILED, problem=UNFINISHED)
    for drawing in free.select_related("course").order_by("asked_at", "pk"):
        same = free.filter(pk=drawing.pk, tries_used=drawing.tries_used)
        if same.update(leased_until=now + LEASE_LASTS, tries_used=F("tries_used") + 1):
            drawing.tries_used += 1
            return drawing
    return None


def draw(
    drawing: PlotDrawing,
    sandboxes: AuthorSandboxes,
    do_urgent_work: Callable[[], bool] = nothing_urgent,
) -> None:
    """Draw a leased plot. Raises our failures."""
    path = plot_file(drawing.slug)
    plot = plot_from(drawing.slug, drawing.text, [], path=path)
    places = plot.header.places()
    author = ProofSandbox(
        lambda: sandboxes.author, ProofTime(), {}, lambda _stage: None, do_urgent_work
    )
    try:
        frames = draw_plot(plot, places, author, note=partial(_note, drawing, len(places)))
        rows = [PlotFrame(number=at, data=packed(frame)) for at, frame in enumerate(frames)]
        size = sum(len(row.data) for row in rows)
        _refuse_too_much(drawing, size, path, plot.line)
    except AuthorError as error:
        _end(drawing, state=State.REFUSED, problem=error.message, line=error.line)
    except TooLongError as error:
        words = f"drawing took {error}; expected less"
        _end(drawing, state=State.REFUSED, problem=words, line=plot.line)
    except StoppedError:
        return
    except SandboxUnavailable:
        _own(drawing).update(leased_until=None, stage="", tries_used=F("tries_used") - 1)
        raise
    except SandboxBroken as error:
        problem = f"The sandbox broke: {error}"
        _own(drawing).update(leased_until=None, stage="", problem=problem)
        raise
    else:
        shape, scales = shape_of(frames[0]), scales_of(frames)
        facts = {"shape": shape, "scales": scales, "frames": len(rows), "size": size}
        _end(drawing, rows, state=State.DRAWN, problem="", line=1, **facts)


def _refuse_too_much(drawing: PlotDrawing, size: int, path: str, line: int) -> None:
    others = bytes_in_use(drawing.course_id, but=drawing.pk)
    if size + others > MOST_OF_COURSE:
        of_all = f"the plots of this course have {(size + others) // 1024**2} MB of frames"
        raise AuthorError(path, line, f"{of_all}, at most {MOST_OF_COURSE // 1024**2} are allowed")


def _note(drawing: PlotDrawing, most: int, done: int) -> None:
    """Note how far it is. Raises StoppedError where it is no longer wanted."""
    if not _own(drawing).update(stage=f"{done} of {most} frames"):
        raise StoppedError


def _renew(drawing: PlotDrawing) -> bool:
    return bool(_own(drawing).update(leased_until=database_time() + LEASE_LASTS))


@transaction.atomic
def _end(drawing: PlotDrawing, rows: list[PlotFrame] | None = None, **facts: object) -> None:
    """Write what came of a drawing, if this lease still holds."""
    if _own(drawing).update(leased_until=None, stage="", **facts):
        PlotFrame.objects.filter(drawing=drawing).delete()
        for row in rows or ():
            row.drawing = drawing
        PlotFrame.objects.bulk_create(rows or (), batch_size=20)


def _own(drawing: PlotDrawing) -> QuerySet[PlotDrawing]:
    return PlotDrawing.objects.filter(
        pk=drawing.pk,
        state=State.WAITING,
        tries_used=drawing.tries_used,
        leased_until__isnull=False,
    )


def forget_unused_drawings() -> int:
    """Delete drawings that no plot and no draft has named for a day; return their number."""
    old = PlotDrawing.objects.filter(asked_at__lt=database_time() - UNUSED_KEPT)
    rows = dict(old.values_list("pk", "key"))
    if not rows:
        return 0
    used = keys_in_use()
    gone = [pk for pk, key in rows.items() if key not in used]
    for pk in gone:
        PlotDrawing.objects.filter(pk=pk).delete()
    return len(gone)
