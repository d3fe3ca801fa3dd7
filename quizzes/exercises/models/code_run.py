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

    `sample`: the places of a slider at which the call is evaluated, as `runs/samples.py` writes
    them; None for a Run of one call. `against` is then the version whose figure it is, None in the
    lab, and `with_reference` says whether its reference is called as well. `picture` holds the
    arrays.

    `looks_into`: in an X-ray the version on one of whose shown cases the code runs, by its number
    from 0 in `shown_case`, or else on the call. `compares`: its reference runs on the same case.
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

    sample = models.JSONField(null=True, editable=False)
    with_reference = models.BooleanField(default=False, db_default=False, editable=False)
    looks_into = models.ForeignKey(
        ExerciseVersion, null=True, on_delete=models.CASCADE, related_name="+", editable=False
    )
    shown_case = models.PositiveSmallIntegerField(null=True, editable=False)
    compares = models.BooleanField(default=False, db_default=False, editable=False)

    class Meta:
        constraints = [
            models.CheckConstraint(
                name="looks_into_a_version",
                condition=Q(looks_into__isnull=False) | Q(shown_case=None, compares=False),
            ),
            models.CheckConstraint(
                name="mistake_of_a_version",
                condition=Q(against=None, mistake="")
                | Q(against__isnull=False, mistake="", sample__isnull=False)
                | (Q(against__isnull=False, sample__isnull=True) & ~Q(mistake="")),
            ),
            models.CheckConstraint(
                name="reference_of_a_version",
                condition=Q(with_reference=False) | Q(against__isnull=False, sample__isnull=False),
            ),
        ]

    def __str__(self) -> str:
        return f"run {self.submission_id}"

    @property
    def calls_reference(self) -> bool:
        """Whether the reference of `against` is called too."""
        return self.with_reference or bool(self.mistake)
