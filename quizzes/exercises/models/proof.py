"""What a worker proves before it is published: the columns of a proof, and that of an exercise."""

from django.conf import settings
from django.db import models
from django.db.models import Q

from quizzes.exercises.models.exercise import Exercise


class ProofRow(models.Model):
    """A row that a worker proves: the state of that, its lease, and what came of it.

    `proved_hash`: the content hash of all files of the exercise that were proved, "" for none.
    """

    class State(models.TextChoices):
        EDITED = "edited", "not proved yet"
        WAITING = "waiting", "waiting to be proved"
        PROVED = "proved", "proved"
        REFUSED = "refused", "not proved: there are problems"
        FAILED = "failed", "not proved: we failed"

    state = models.CharField(
        max_length=10, choices=State.choices, default=State.EDITED, editable=False
    )
    asked_at = models.DateTimeField(null=True, editable=False)
    asked_by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        null=True,
        on_delete=models.SET_NULL,
        related_name="+",
        editable=False,
    )
    tries_used = models.PositiveSmallIntegerField(default=0, editable=False)
    leased_until = models.DateTimeField(null=True, editable=False)
    stage = models.CharField(max_length=100, blank=True, editable=False)  # the file that runs
    problems = models.JSONField(default=list, editable=False)
    proved_hash = models.CharField(max_length=64, blank=True, editable=False)

    class Meta:
        abstract = True

    def forget_proof(self) -> None:
        """Take back what is known of the proof; nothing is stored."""
        self.state, self.stage, self.problems = self.State.EDITED, "", []
        self.leased_until, self.tries_used, self.proved_hash = None, 0, ""


class ExerciseProof(ProofRow):
    """The newest proof of an exercise that is written in the browser.

    `files` are those that are proved: the draft may be another by now. `report`: what verifying
    them found out, as a version has it; null where it did not get that far.
    """

    exercise = models.OneToOneField(Exercise, on_delete=models.CASCADE, related_name="draft_proof")
    files = models.JSONField(editable=False)
    content_hash = models.CharField(max_length=64, editable=False)
    report = models.JSONField(null=True, editable=False)

    class Meta:
        constraints = [
            models.CheckConstraint(
                name="exercise_proof_state_is_known",
                condition=Q(state__in=["edited", "waiting", "proved", "refused", "failed"]),
            ),
        ]
        indexes = [
            models.Index(
                name="exercise_proofs_waiting", fields=["asked_at"], condition=Q(state="waiting")
            ),
        ]

    def __str__(self) -> str:
        return f"proof of {self.exercise}"
