"""Runs: code that a learner has run for its own sake. Its row in the queue is a submission."""

from django.db import models

from quizzes.exercises.models.submission import Submission
from quizzes.exercises.stored_reports import ReportField

MAX_CALL = 1_000  # characters


class CodeRun(models.Model):
    """What a Run has besides its code: the call, and what came of both. Deleted after an hour."""

    submission = models.OneToOneField(
        Submission, primary_key=True, on_delete=models.CASCADE, related_name="run"
    )
    call = models.CharField(max_length=MAX_CALL, blank=True, editable=False)
    outcome = ReportField(null=True, editable=False)
    picture = models.BinaryField(null=True, editable=False)

    def __str__(self) -> str:
        return f"run {self.submission_id}"
