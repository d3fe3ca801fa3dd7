"""Arguments that a learner has tried on a wrong program: rows of the queue, as Runs are."""

from uuid import UUID

from django.http import Http404, HttpRequest

from quizzes.content_files.typed_text import MAX_KEY
from quizzes.exercises.counterexamples.choice import WrongProgram
from quizzes.exercises.models import CodeRun, Exercise, Submission
from quizzes.exercises.runs.rows import runs_reader
from quizzes.exercises.services import form_row_key, store_in_queue
from quizzes.grader.programs import Counterexample
from quizzes.learners.models import Learner


def submit_arguments(
    *,
    exercise: Exercise,
    learner: Learner,
    program: WrongProgram,
    call: str,
    form_key: UUID | None = None,
) -> Submission:
    """Store a call that waits to be tried on a wrong program. Raises TooMany.

    The same from the same form is one row.
    """
    row = Submission(
        learner=learner,
        kind=Submission.Kind.RUN,
        key=form_row_key(form_key, f"try\n{call}\n{program.mistake}"),
        code=program.code,
    )

    def store_call(stored: Submission) -> None:
        CodeRun.objects.create(
            submission=stored, call=call, against=exercise.current, mistake=program.mistake
        )

    return store_in_queue(row, exercise=None, store_also=store_call)


def own_try(request: HttpRequest, exercise: Exercise, number: int) -> Submission:
    """Return what this learner tried in an exercise; Http404 for anybody else's. One query."""
    learner = runs_reader(request)
    if learner is not None:
        rows = Submission.objects.filter(
            kind=Submission.Kind.RUN, learner=learner, run__against__exercise=exercise
        )
        row = rows.select_related("run", "learner").filter(pk=min(number, MAX_KEY)).first()
        if row is not None:
            return row
    raise Http404(f"try {number} is not yours, or was deleted")


def result_of(row: Submission) -> Counterexample | None:
    """Return what came of a try; None for one that waits, failed on our side or is damaged."""
    try:
        return Counterexample.from_json(row.run.outcome)
    except ValueError:
        return None
