"""Submissions graded by a newer version of their exercise: beside them first, then in their place.

Learners see nothing of a grading beside (`TrialVerdict`). When it is applied, verdict and report
move into the submission, and what stood there into `PreviousVerdict` and the trial; undone, they
move back.
"""

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils import timezone

from quizzes.exercises.models.exercise import CasePack, Exercise, ExerciseVersion
from quizzes.exercises.models.submission import MAX_LEASES, PreviousVerdict, Submission
from quizzes.exercises.stored_reports import ReportField
from quizzes.grader.api import Verdict

UNDER_WAY = ["trying", "applying", "undoing"]


class CodeRegrade(models.Model):
    """Submissions to older versions of an exercise, graded by a newer one.

    One pack of cases serves all, so that nobody is luckier. `cohort_id` is the key of the class
    whose submissions alone are graded, None for all of a course; this room does not know classes,
    and a regrade outlives its class, so it is no foreign key.
    """

    class State(models.TextChoices):
        TRYING = "trying", "graded beside"
        CANCELLED = "cancelled", "cancelled"
        APPLYING = "applying", "being applied"
        APPLIED = "applied", "applied"
        UNDOING = "undoing", "being undone"
        UNDONE = "undone", "undone"

    exercise = models.ForeignKey(Exercise, on_delete=models.CASCADE, related_name="code_regrades")
    to_version = models.ForeignKey(ExerciseVersion, on_delete=models.PROTECT, related_name="+")
    pack = models.ForeignKey(CasePack, on_delete=models.PROTECT, related_name="code_regrades")
    state = models.CharField(max_length=10, choices=State.choices, default=State.TRYING)
    nobody_loses = models.BooleanField(default=False)
    cohort_id = models.BigIntegerField(null=True, editable=False)
    note = models.TextField(blank=True)  # students read it
    at = models.DateTimeField(default=timezone.now, editable=False)
    by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+"
    )
    applied_at = models.DateTimeField(null=True, editable=False)
    undone_at = models.DateTimeField(null=True, editable=False)
    undone_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+"
    )

    class Meta:
        ordering = ["-pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["exercise"],
                condition=Q(state__in=UNDER_WAY, cohort_id=None),
                name="one_code_regrade_under_way",
            ),
            models.UniqueConstraint(
                fields=["exercise", "cohort_id"],
                condition=Q(state__in=UNDER_WAY, cohort_id__isnull=False),
                name="one_code_regrade_under_way_in_a_class",
            ),
            models.CheckConstraint(
                name="code_regrade_state_is_known",
                condition=Q(
                    state__in=["trying", "cancelled", "applying", "applied", "undoing", "undone"]
                ),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.exercise.slug} by version {self.to_version.number}"


class TrialVerdict(models.Model):
    """One submission graded beside. `before` and `previous`: what it had, once it is applied.

    `seen_graded_at` is when the submission was graded that the trial is compared with: one that was
    graded again meanwhile is left alone. `arrays` is the picture of the smallest failing case; of
    an applied trial it is the one that the submission had.
    """

    regrade = models.ForeignKey(CodeRegrade, on_delete=models.CASCADE, related_name="trials")
    submission = models.ForeignKey(Submission, on_delete=models.CASCADE, related_name="trials")
    seen_graded_at = models.DateTimeField(editable=False)
    slow = models.BooleanField(default=False)
    tries_used = models.PositiveSmallIntegerField(default=0, editable=False)
    leased_until = models.DateTimeField(null=True, editable=False)
    leased_by = models.CharField(max_length=120, blank=True, editable=False)
    graded_at = models.DateTimeField(null=True, editable=False)
    verdict = models.CharField(max_length=30, blank=True, editable=False)
    known_mistake = models.CharField(max_length=80, blank=True, editable=False)
    fingerprint = models.CharField(
        max_length=32, blank=True, default="", db_default="", editable=False
    )
    cases_passed = models.PositiveIntegerField(null=True, editable=False)
    cases_total = models.PositiveIntegerField(null=True, editable=False)
    report = ReportField(null=True, editable=False)
    our_failure = models.TextField(blank=True, editable=False)
    arrays = models.BinaryField(null=True, editable=False)
    applied_at = models.DateTimeField(null=True, editable=False)
    undone_at = models.DateTimeField(null=True, editable=False)
    previous = models.ForeignKey(
        PreviousVerdict, null=True, on_delete=models.SET_NULL, related_name="+", editable=False
    )
    before = models.JSONField(default=dict, editable=False)

    class Meta:
        ordering = ["pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["regrade", "submission"], name="a_submission_once_in_a_code_regrade"
            ),
            models.CheckConstraint(
                name="trial_verdict_exactly_when_graded",
                condition=Q(graded_at=None, verdict="")
                | (Q(graded_at__isnull=False) & ~Q(verdict="")),
            ),
            models.CheckConstraint(
                name="at_most_three_trials", condition=Q(tries_used__lte=MAX_LEASES)
            ),
        ]
        indexes = [
            models.Index(name="trials_waiting", fields=["slow", "id"], condition=Q(graded_at=None)),
        ]

    def __str__(self) -> str:
        return f"trial of submission {self.submission_id}: {self.verdict or 'waiting'}"

    @property
    def verdict_label(self) -> str:
        return Verdict(self.verdict).label if self.verdict else "Waiting"
