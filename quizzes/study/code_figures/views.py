"""An exercise's figure with a learner's own numbers: a batch is run, and its pictures are shown.

With a script the page draws the numbers that come as JSON; without one it has a strip of still
pictures. Yours is shown always. The reference and the difference are shown after a graded try where
the solution is not withheld: not while open work of a class counts the exercise.
"""

import json
from http import HTTPStatus
from typing import Any

from django.core.exceptions import ValidationError
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.http import urlencode
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe
from posenc.errors import QueryError
from posenc.figures.palettes import Scheme
from posenc.query import Selection

from quizzes.content_files.typed_text import read_whole_number
from quizzes.courses.addresses import figure_address, share_figure_address
from quizzes.courses.current_course import in_course
from quizzes.courses.models import Course
from quizzes.exercises.forms import CodeForm
from quizzes.exercises.models import Exercise, Submission
from quizzes.exercises.page_context import FIGURE, first_error
from quizzes.exercises.queue.long_poll import wait_for_verdict
from quizzes.exercises.queue.submission_limits import TooMany
from quizzes.exercises.runs.code_figure import (
    batch_frames,
    initial_selection,
    moved,
    place_of,
    selection_at,
    texts_of,
    usable_figure,
)
from quizzes.exercises.runs.rows import wait_facts
from quizzes.exercises.runs.samples import (
    own_sample,
    places_of,
    sample_facts,
    sample_of,
    submit_sample,
)
from quizzes.exercises.services import exercise_to_read, is_kept
from quizzes.exercises.solution import SolutionState, shows_reference_numbers, solution_state
from quizzes.grader.definitions import FigureCall
from quizzes.learners.services import current_learner, kept_learner
from quizzes.limits.limits import SUBMISSION_ROWS, rows_of
from quizzes.limits.seconds import counted_seconds
from quizzes.study.code_figures.controls import texts_from
from quizzes.study.code_figures.pictures import (
    AGAIN,
    FIRST_TRY,
    LAYERS,
    WITHHELD,
    Pictures,
    pictures_of,
)
from quizzes.study.lab.numbers import run_slug

STRIP = 7  # places of the still pictures, and that of the hand
OURS = "Your code did not run. This was our fault, not yours. You can try again."
CHANGED = "The exercise has changed. Run it again."
GONE = "These pictures were deleted because newer ones came. Run it again."


@never_cache
@require_POST
@in_course
def run_figure(request: HttpRequest, course: Course, slug: str) -> HttpResponse:
    """Run the code of an exercise at the places of a slider; answer with what came, or where."""
    exercise, figure = figure_of_exercise(request, course, slug)
    assert exercise.current is not None  # whose figure it is
    form = CodeForm({**request.POST.dict(), "kind": "run", "call": ""})
    if not form.is_valid():
        return _refused(request, exercise, first_error(form), HTTPStatus.BAD_REQUEST)
    slider = request.POST.get("slider", "")
    slider = slider if slider in figure.sliders else next(iter(figure.sliders))
    try:
        start = initial_selection(figure)
        selection = moved(figure, texts_from(request.POST.dict(), figure, start))
    except QueryError as error:
        message = " ".join(error.by_argument().values())
        return _refused(request, exercise, message, HTTPStatus.BAD_REQUEST)
    frames = batch_frames(figure, selection, slider)
    places = [place_of(picture) for picture, _ in frames]
    shapes = [_two_axes(frame.values.shape) for _, frame in frames]
    code = form.cleaned_data["code"]
    stored = json.dumps(sample_facts(slider, places, shapes))
    # Its pictures are no rows: their number is bounded (queue/batch_pictures.py).
    rows = SUBMISSION_ROWS + rows_of(len(code.encode()) + len(stored))
    try:
        with kept_learner(request, rows=rows) as learner:
            row = submit_sample(
                learner=learner,
                code=code,
                call=figure.call,
                slider=slider,
                places=places,
                shapes=shapes,
                version=exercise.current,
                with_reference=not why_no_reference(request, exercise),
                form_key=form.cleaned_data["key"],
            )
    except ValidationError as error:
        return _refused(request, exercise, " ".join(error.messages), HTTPStatus.BAD_REQUEST)
    except TooMany as error:
        response = _refused(request, exercise, str(error), HTTPStatus.TOO_MANY_REQUESTS)
        response["Retry-After"] = str(error.retry_after_seconds)
        return response
    wait_for_verdict(submission=row)
    if not _is_script(request):
        return redirect(figure_address(course.slug, slug, row.pk))
    return JsonResponse(_facts(request, exercise, own_sample(request, row.pk, exercise), polls=0))


@never_cache
@require_safe
@in_course
def figure_run(request: HttpRequest, course: Course, slug: str, number: int) -> HttpResponse:
    """Show its learner what came of a batch: a page with still pictures, or JSON for a script."""
    exercise, _ = figure_of_exercise(request, course, slug)
    row = own_sample(request, number, exercise)
    polls = read_whole_number(request.GET.get("asked", "")) or 0
    if _is_script(request):
        return JsonResponse(_facts(request, exercise, row, polls=polls))
    facts: dict[str, Any] = {
        "exercise": exercise,
        "submission": row,
        "address": figure_address(course.slug, slug, row.pk),
        "came_from": f"?from={FIGURE}{row.pk}",
    }
    if row.graded_at is None:
        facts |= wait_facts(row, polls=polls)
    else:
        facts |= {"is_over": True} | _strip(request, exercise, row)
    return render(request, "study/code_figure.html", facts)


@never_cache
@require_safe
@in_course
def figure_picture(
    request: HttpRequest, course: Course, slug: str, *, number: int, layer: str, place: int
) -> HttpResponse:
    """Draw one layer of one place of a batch for its learner, in light or in dark."""
    exercise, _ = figure_of_exercise(request, course, slug)
    row = own_sample(request, number, exercise)
    scheme: Scheme = "dark" if request.GET.get("scheme") == "dark" else "light"
    name = next((known for known in LAYERS if known == layer), None)
    with counted_seconds(request):
        try:
            why_not = why_no_reference(request, exercise)
            pictures = pictures_for(exercise, row, why_not=why_not)
            if name is None:
                raise LookupError(layer)
            drawn = pictures.draw(place, name, scheme=scheme)
        except (LookupError, ValueError) as error:
            raise Http404(f"run {number} has no picture {layer} of place {place}") from error
    return HttpResponse(drawn.svg, content_type="image/svg+xml")


def stand_of(
    request: HttpRequest, exercise: Exercise, came_from: str
) -> tuple[Selection, str] | None:
    """Return where the sliders of a batch stood, and its slider; None for no such batch."""
    figure = exercise.current.definition.figure if exercise.current else None
    number = read_whole_number(came_from.removeprefix(FIGURE))
    if figure is None or number is None:
        return None
    try:
        run = own_sample(request, number, exercise).run
        stand = texts_of(selection_at(figure, places_of(run)[0]))
        return moved(figure, stand), str((run.sample or {})["slider"])
    except (Http404, ValueError, KeyError, QueryError):
        return None


def figure_of_exercise(
    request: HttpRequest, course: Course, slug: str
) -> tuple[Exercise, FigureCall]:
    """Return an exercise that this request may read, and its figure. Raises Http404."""
    exercise = exercise_to_read(course, slug)
    version = exercise.current if exercise else None
    figure = usable_figure(version.definition) if version else None
    if exercise is None or figure is None:
        raise Http404(f"exercise {slug} has no figure")
    if exercise.withdrawn_at and not is_kept(exercise=exercise, learner=current_learner(request)):
        raise Http404(f"exercise {slug} was withdrawn")
    return exercise, figure


def _two_axes(shape: tuple[int, ...]) -> tuple[int, int]:
    rows, columns = shape
    return rows, columns


def why_no_reference(
    request: HttpRequest, exercise: Exercise, *, state: SolutionState | None = None
) -> str:
    """Return the sentence that says why the reference is not shown now; "" where it is."""
    learner = current_learner(request)
    state = state or solution_state(exercise=exercise, learner=learner)
    if state.withheld:
        return WITHHELD
    is_shown = learner and shows_reference_numbers(state, exercise=exercise, learner=learner)
    return "" if is_shown else FIRST_TRY


def pictures_for(exercise: Exercise, row: Submission, *, why_not: str) -> Pictures:
    """Return what came of a batch. `why_not`: as of `why_no_reference`.

    Raises ValueError before that, for our failure and for another version.
    """
    sample = sample_of(row)
    if sample is None or exercise.current is None or _is_changed(exercise, row):
        raise ValueError(f"run {row.pk} has no pictures")
    return pictures_of(
        exercise.current.definition,
        row.run,
        sample,
        with_reference=row.run.with_reference and not why_not,
        why_not=why_not or AGAIN,
    )


def _is_changed(exercise: Exercise, row: Submission) -> bool:
    return exercise.current is None or row.run.against_id != exercise.current.pk


def _why_none(exercise: Exercise, row: Submission) -> str:
    """Return the sentence for a batch without pictures."""
    if _is_changed(exercise, row):
        return CHANGED
    return GONE if row.run.outcome and row.run.picture is None else OURS


def _explorer_address(
    figure: FigureCall, row: Submission, texts: dict[str, str], at: int, *, with_reference: bool
) -> str:
    """Return where the explorer has the numbers of a place, next to the encoding of the figure.

    "" for a batch that is still under way: its numbers may still change. Where the reference may
    not be shown, its encoding, which has the same numbers, is not named next to them.
    """
    if row.graded_at is None:
        return ""
    pairs = [("enc", f"{run_slug(row, at)}/{figure.view}")]
    if with_reference:
        pairs.append(("enc", f"{figure.encoding}/{figure.view}"))
        pairs += [(f"b.{name}", text) for name, text in texts.items()]
    return f"{reverse('lessons:explore')}?{urlencode(pairs)}"


def _as_json(
    exercise: Exercise, row: Submission, pictures: Pictures, *, may_share: bool
) -> dict[str, Any]:
    """Return what the page draws, with the addresses of each place that has numbers."""
    facts = pictures.as_json()
    figure = exercise.current.definition.figure if exercise.current else None
    for at, place in enumerate(facts["places"]):
        if figure is not None and "yours" in place["numbers"]:
            place["explorer"] = _explorer_address(
                figure, row, place["texts"], at, with_reference="reference" in place["numbers"]
            )
            place["share"] = _share_address(exercise, row, at) if may_share else ""
    return facts


def _facts(
    request: HttpRequest, exercise: Exercise, row: Submission, *, polls: int
) -> dict[str, Any]:
    """Return what a script reads: how the wait goes, the numbers, or both for the learner's own."""
    try:
        why_not = why_no_reference(request, exercise)
        pictures = pictures_for(exercise, row, why_not=why_not)
        numbers = _as_json(exercise, row, pictures, may_share=not why_not)
    except ValueError:
        numbers = {}
    if row.graded_at is None:
        wait = wait_facts(row, polls=polls)
        address = figure_address(exercise.course.slug, exercise.slug, row.pk)
        is_off = "" if wait["grading"].on else "Grading is off, so no code runs now."
        ask = f"{address}?asked={wait['ask_again']}"
        return numbers | {"ask": ask, "ask_after_ms": wait["ask_after_ms"], "words": is_off}
    return numbers or {"message": _why_none(exercise, row)}


def _strip(request: HttpRequest, exercise: Exercise, row: Submission) -> dict[str, Any]:
    """Return a few places for a page without a script: the hand's, and some over the slider."""
    try:
        why_not = why_no_reference(request, exercise)
        pictures = pictures_for(exercise, row, why_not=why_not)
        last = len(pictures.places) - 1
        chosen = sorted({round(last * at / (STRIP - 1)) for at in range(STRIP)} | {pictures.hand})
        strip = [_still(exercise, row, pictures, at, may_share=not why_not) for at in chosen]
    except ValueError:
        return {"problem": _why_none(exercise, row)}
    return {
        "problem": pictures.problem,
        "note": pictures.note,
        "slider": pictures.slider,
        "strip": strip,
    }


def _share_address(exercise: Exercise, row: Submission, at: int) -> str:
    """Return where the numbers of a place are shared; "" for a batch that is under way."""
    if row.graded_at is None:
        return ""
    return share_figure_address(exercise.course.slug, exercise.slug, row.pk, at)


def _still(
    exercise: Exercise, row: Submission, pictures: Pictures, at: int, *, may_share: bool
) -> dict[str, Any]:
    figure = exercise.current.definition.figure if exercise.current else None
    place = pictures.places[at]
    texts = texts_of(place.selection)
    return {
        "value": texts[pictures.slider],
        "words": pictures.words(place),
        "explorer": _explorer_address(
            figure, row, texts, at, with_reference="reference" in place.numbers
        )
        if figure is not None and "yours" in place.numbers
        else "",
        "share": _share_address(exercise, row, at)
        if may_share and "yours" in place.numbers
        else "",
        "layers": [
            {"caption": LAYERS[layer], "file": f"{layer}-{at}.svg"}
            for layer in pictures.layers
            if layer in place.numbers
        ],
    }


def _refused(
    request: HttpRequest, exercise: Exercise, message: str, status: HTTPStatus
) -> HttpResponse:
    if _is_script(request):
        return JsonResponse({"message": message}, status=status)
    facts = {"exercise": exercise, "is_over": True, "problem": message}
    return render(request, "study/code_figure.html", facts, status=status)


def _is_script(request: HttpRequest) -> bool:
    return request.headers.get("Accept") == "application/json"
