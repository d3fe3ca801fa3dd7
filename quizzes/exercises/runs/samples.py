"""Batches of calls: what a learner's code returns at the places of a slider, for a figure.

A batch is a Run: a row of the queue under the limits of a Check, read by its learner alone, deleted
after an hour. It runs in the quick lane only. Places are numbers and texts by name, those that
matter most first. Nothing here knows what they mean: `places` may be of any function.
"""

import math
from collections.abc import Sequence
from typing import Any
from uuid import UUID

from django.core.exceptions import ValidationError
from django.http import Http404, HttpRequest

from quizzes.content_files.typed_text import MAX_KEY
from quizzes.exercises.models import CodeRun, Exercise, ExerciseVersion, Submission
from quizzes.exercises.runs.rows import NO_CODE, runs_reader
from quizzes.exercises.services import form_row_key, normalise_code, store_in_queue
from quizzes.grader.programs import MOST_PLACES, Place, Sample
from quizzes.learners.models import Learner


def submit_sample(
    *,
    learner: Learner,
    code: str,
    call: str,
    slider: str,
    places: Sequence[Place],
    shapes: Sequence[tuple[int, int]],
    version: ExerciseVersion | None,
    with_reference: bool = False,
    form_key: UUID | None = None,
) -> Submission:
    """Store code and a call that wait to be run at each place. Raises TooMany, ValidationError.

    The same from the same form is one row. `shapes`: rows and columns that are drawn at each
    place. `version`: whose figure it is, None for the lab; `with_reference`: its reference is
    called as well.
    """
    code = normalise_code(code)
    if not code.strip():
        raise ValidationError({"code": NO_CODE})
    stored = sample_facts(slider, places, shapes)
    run = Submission(
        learner=learner,
        kind=Submission.Kind.RUN,
        key=form_row_key(form_key, f"sample\n{with_reference}\n{call}\n{stored}\n{code}"),
        code=code,
    )

    def store_sample(row: Submission) -> None:
        CodeRun.objects.create(
            submission=row,
            call=call,
            against=version,
            with_reference=with_reference,
            sample=stored,
        )

    return store_in_queue(run, exercise=None, store_also=store_sample)


def sample_facts(
    slider: str, places: Sequence[Place], shapes: Sequence[tuple[int, int]]
) -> dict[str, Any]:
    """Return what a row stores of its places: once what is the same at all, and what is not."""
    first = places[0]
    same = {
        name: value
        for name, value in first.items()
        if all(place[name] == value for place in places)
    }
    moved = [{name: value for name, value in place.items() if name not in same} for place in places]
    return {"slider": slider, "same": same, "places": moved, "shapes": [list(s) for s in shapes]}


def own_sample(request: HttpRequest, number: int, exercise: Exercise | None) -> Submission:
    """Return a batch of this learner's, for an exercise's figure; Http404 for anybody else's.

    Without an exercise, a batch of the lab.
    """
    learner = runs_reader(request)
    if learner is not None:
        runs = Submission.objects.filter(kind=Submission.Kind.RUN, learner=learner)
        runs = runs.filter(run__sample__isnull=False)
        runs = (
            runs.filter(run__against__exercise=exercise)
            if exercise
            else runs.filter(run__against=None)
        )
        row = runs.select_related("run", "learner").filter(pk=min(number, MAX_KEY)).first()
        if row is not None:
            return row
    raise Http404(f"run {number} is not yours, or was deleted")


def places_of(run: CodeRun) -> list[Place]:
    """Return the places of a batch, as they were stored. Raises ValueError."""
    stored: Any = run.sample if isinstance(run.sample, dict) else {}
    same, moved = stored.get("same"), stored.get("places")
    if not isinstance(same, dict) or not isinstance(moved, list):
        raise ValueError("not the places of a slider")
    if not 0 < len(moved) <= MOST_PLACES or not all(isinstance(place, dict) for place in moved):
        raise ValueError("not the places of a slider")
    places = [same | place for place in moved]
    if not all(_is_plain(value) for place in places for value in place.values()):
        raise ValueError("not a place of a slider")
    return places


def shapes_of(run: CodeRun) -> list[tuple[int, int]]:
    """Return the shapes of the arrays that are drawn. Raises ValueError."""
    stored: Any = run.sample if isinstance(run.sample, dict) else {}
    try:
        shapes = [(int(rows), int(columns)) for rows, columns in stored["shapes"]]
    except (KeyError, TypeError) as error:
        raise ValueError("not the shapes of a slider's places") from error
    if len(shapes) != len(places_of(run)):
        raise ValueError("not the shapes of a slider's places")
    return shapes


def sample_of(row: Submission) -> Sample | None:
    """Return what came of a batch; None for one that waits, failed on our side or is damaged."""
    try:
        arrays = row.run.picture
        batch = Sample.from_stored(row.run.outcome, bytes(arrays) if arrays else None)
        return batch if len(batch.arrays) == len(places_of(row.run)) else None
    except ValueError:
        return None


def _is_plain(value: object) -> bool:
    if isinstance(value, float):
        return math.isfinite(value)
    return isinstance(value, int | str | bool)
