"""What came of the arguments that a learner has tried on a wrong program. The rows are Runs."""

from quizzes.exercises.models import Submission
from quizzes.grader.programs import Counterexample


def result_of(row: Submission) -> Counterexample | None:
    """Return what came of a try; None for one that waits, failed on our side or is damaged."""
    try:
        return Counterexample.from_json(row.run.outcome)
    except ValueError:
        return None
