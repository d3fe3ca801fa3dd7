"""What a program printed: clean, and bounded."""

from quizzes.grader.protocol.job import Ending, Run
from quizzes.grader.protocol.sanitize import clean

MAX_OUTPUT = 16_000  # characters, in lines of at most 400


def printed(run: Run) -> tuple[str, bool]:
    """Return what the shown cases of a run printed, and whether they printed more than is kept."""
    text = run.stdout.decode("utf-8", errors="replace")
    return clean(text, MAX_OUTPUT), len(text) > MAX_OUTPUT or run.ending is Ending.OUTPUT_LIMIT
