"""Runs: code that a learner has run for its own sake. Its row in the queue is a submission."""

from django.db import models
from django.db.models import Q

from quizzes.exercises.models.exercise import ExerciseVersion
from quizzes.exercises.models.submission import Submission
from quizzes.exercises.stored_reports import ReportField

MAX_CALL = 1_000  # characters


class CodeRun(models.Model):
    """What a Run has besides its code: the call, and what came of both. Deleted after an hour.

    `against`: in a search for a counterexample the version whose reference is called too; the code
    is then the wrong program, the known mistake that `mistake` names.
    """

    submission = models.OneToOneField(
        Submission, primary_key=True, on_delete=models.CASCADE, related_name="run"
    )
    call = models.CharField(max_length=MAX_CALL, blank=True, editable=False)
    outcome = ReportField(null=True, editable=False)
    picture = models.BinaryField(null=True, editable=False)
    against = models.ForeignKey(
        ExerciseVersion, null=True, on_delete=models.CASCADE, related_name="+", editable=False
    )
    mistake = models.CharField(max_length=64, blank=True, db_default="", default="", editable=False)

    class Meta:
        constraints = [
            models.CheckConstraint(
                name="mistake_of_a_version",
                condition=Q(against=None, mistake="") | (Q(against__isnull=False) & ~Q(mistake="")),
            )
        ]

    def __str__(self) -> str:
        return f"run {self.submission_id}"
