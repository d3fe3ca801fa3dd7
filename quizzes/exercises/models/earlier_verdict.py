"""What a submission's grading said before it was graded again."""

from django.conf import settings
from django.db import models
from django.utils import timezone

from quizzes.exercises.models.exercise import ExerciseVersion
from quizzes.exercises.models.submission import Submission
from quizzes.exercises.stored_reports import ReportField
from quizzes.grader.report import Verdict


class EarlierVerdict(models.Model):
    """One earlier grading, kept when an instructor had it done again. Never changes."""

    submission = models.ForeignKey(
        Submission, on_delete=models.CASCADE, related_name="earlier_verdicts", editable=False
    )
    exercise_version = models.ForeignKey(
        ExerciseVersion, on_delete=models.PROTECT, related_name="+", editable=False
    )
    verdict = models.CharField(max_length=30, editable=False)
    report = ReportField(editable=False)
    our_failure = models.TextField(blank=True, editable=False)
    graded_at = models.DateTimeField(editable=False)
    asked_at = models.DateTimeField(default=timezone.now, editable=False)
    asked_by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        null=True,
        on_delete=models.SET_NULL,
        related_name="+",
        editable=False,
    )

    class Meta:
        ordering = ["-pk"]

    def __str__(self) -> str:
        return f"{self.verdict} of submission {self.submission_id}, graded again"

    @property
    def verdict_label(self) -> str:
        """The verdict in words for people; a word that no verdict has stands for itself."""
        known = self.verdict in set(Verdict)
        return Verdict(self.verdict).label if known else f"“{self.verdict}”"
