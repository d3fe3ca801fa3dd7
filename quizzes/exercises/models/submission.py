"""Code that learners hand in, and what grading said of it. The row itself is the queue."""

from typing import Any
from uuid import uuid4

from django.core.validators import MaxLengthValidator, ProhibitNullCharactersValidator
from django.db import models
from django.db.models import F, Q, Value
from django.db.models.functions import Length
from django.db.models.lookups import LessThanOrEqual
from django.urls import reverse
from django.utils import timezone

from quizzes.exercises.models.exercise import CasePack, ExerciseVersion
from quizzes.exercises.models.turns import MAX_LEASES, Turns
from quizzes.exercises.stored_reports import ReportField, read_report, readable_arrays
from quizzes.grader.picture import Picture
from quizzes.grader.report import Report, Verdict
from quizzes.learners.models import Learner

MAX_CHARACTERS = 20_000
MAX_BYTES = 60_000

VERDICTS = [verdict.value for verdict in Verdict]


class Submission(models.Model):
    """One version of a learner's code. Code never changes; a new try is a new row."""

    class Kind(models.TextChoices):
        CHECK = "check", "Check"
        SUBMIT = "submit", "Submit"

    exercise_version = models.ForeignKey(
        ExerciseVersion, on_delete=models.PROTECT, related_name="submissions", editable=False
    )
    learner = models.ForeignKey(
        Learner, on_delete=models.CASCADE, related_name="submissions", editable=False
    )
    kind = models.CharField(max_length=10, choices=Kind.choices, editable=False)
    key = models.UUIDField(
        default=uuid4, editable=False, help_text="The same for a form sent twice."
    )
    code = models.TextField(
        editable=False,
        validators=[MaxLengthValidator(MAX_CHARACTERS), ProhibitNullCharactersValidator()],
    )
    submitted_at = models.DateTimeField(default=timezone.now, editable=False)
    due_at = models.DateTimeField(
        default=timezone.now, editable=False, help_text="Its turn in the queue."
    )

    attempts = models.PositiveSmallIntegerField(
        default=0, editable=False, help_text="Leases so far."
    )
    leased_until = models.DateTimeField(null=True, editable=False)
    leased_by = models.CharField(max_length=120, blank=True, editable=False)
    slow = models.BooleanField(
        default=False, editable=False, help_text="Ran longer than the quick lane lets code run."
    )
    pack = models.ForeignKey(
        CasePack, null=True, editable=False, on_delete=models.PROTECT, related_name="submissions"
    )

    graded_at = models.DateTimeField(null=True, editable=False)
    verdict = models.CharField(max_length=30, blank=True, editable=False)
    known_mistake = models.CharField(
        max_length=80, blank=True, editable=False, help_text="Its slug, as in the report."
    )
    report = ReportField(null=True, editable=False)
    our_failure = models.TextField(
        blank=True, editable=False, help_text="What failed on our side, for the staff."
    )

    objects = Turns.as_manager()

    class Meta:
        ordering = ["-pk"]
        constraints = [
            models.UniqueConstraint(fields=["learner", "key"], name="one_submission_per_form"),
            models.CheckConstraint(
                name="verdict_exactly_when_graded",
                condition=Q(graded_at=None, verdict="", report__isnull=True)
                | (Q(graded_at__isnull=False, report__isnull=False) & ~Q(verdict="")),
            ),
            models.CheckConstraint(
                name="verdict_is_known", condition=Q(verdict__in=["", *VERDICTS])
            ),
            models.CheckConstraint(
                name="submission_kind_is_known", condition=Q(kind__in=["check", "submit"])
            ),
            models.CheckConstraint(
                name="at_most_three_leases", condition=Q(attempts__lte=MAX_LEASES)
            ),
            models.CheckConstraint(
                name="leased_by_somebody_until_graded",
                condition=Q(leased_until=None, leased_by="")
                | (Q(leased_until__isnull=False, graded_at=None) & ~Q(leased_by="")),
            ),
            models.CheckConstraint(
                name="graded_on_a_pack",
                condition=Q(verdict__in=["", "not_graded"])
                | Q(pack__isnull=False, attempts__gte=1),
            ),
            models.CheckConstraint(
                name="code_is_there_and_bounded",
                condition=~Q(code="")
                & Q(LessThanOrEqual(Length(F("code")), Value(MAX_CHARACTERS))),
            ),
        ]
        indexes = [
            models.Index(
                name="submissions_waiting",
                fields=["learner", "submitted_at"],
                condition=Q(graded_at=None),
            ),
            models.Index(
                name="submissions_in_turn",
                fields=["slow", "due_at"],
                condition=Q(graded_at=None),
            ),
            models.Index(name="submissions_of_a_learner", fields=["learner", "exercise_version"]),
            models.Index(
                name="mistakes_of_a_version", fields=["exercise_version", "known_mistake"]
            ),
        ]

    def __str__(self) -> str:
        return f"{self.kind} {self.pk} on {self.exercise_version}: {self.verdict or 'waiting'}"

    def save(self, *args: Any, **options: Any) -> None:
        """Store a new submission; a stored one is only changed by a lease (ValueError)."""
        if not self._state.adding:
            raise ValueError(f"submission {self.pk}: stored code never changes")
        super().save(*args, **options)

    def get_absolute_url(self) -> str:
        slug = self.exercise_version.exercise.slug
        return reverse("exercises:submission", kwargs={"slug": slug, "number": self.pk})

    @property
    def noun(self) -> str:
        """What a page calls this row before its number."""
        return "Check" if self.kind == self.Kind.CHECK else "Submission"

    @property
    def verdict_label(self) -> str:
        """The verdict in words for people, "Waiting" before there is one."""
        return Verdict(self.verdict).label if self.verdict else "Waiting"

    @property
    def verdict_report(self) -> Report | None:
        """What grading said; None while waiting, and where it cannot be read."""
        return None if self.graded_at is None else read_report(self.report, number=self.pk)


class CasePicture(models.Model):
    """Reference, yours and difference of the smallest failing case, as arrays."""

    submission = models.OneToOneField(Submission, on_delete=models.CASCADE, related_name="picture")
    arrays = models.BinaryField(editable=False)

    def __str__(self) -> str:
        return f"picture of submission {self.submission_id}"

    @property
    def picture(self) -> Picture:
        return Picture.from_bytes(bytes(self.arrays))

    @property
    def readable_arrays(self) -> bytes | None:
        """The frame that `Picture.from_bytes` reads, None where it cannot."""
        return readable_arrays(bytes(self.arrays), number=self.submission_id)
