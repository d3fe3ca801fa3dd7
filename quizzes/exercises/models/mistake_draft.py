"""A known mistake in the making: submissions that give the same wrong results, and no name yet."""

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils import timezone

from quizzes.exercises.models.exercise import Exercise, ExerciseVersion
from quizzes.exercises.models.proof import ProofRow
from quizzes.exercises.models.submission import Submission
from quizzes.grader.definitions import hash_files


class MistakeDraft(ProofRow):
    """The file of a new known mistake or convention, until it is published.

    `files` has names and texts below the exercise's folder, as a version has them: those that the
    next version has besides. `fingerprint` is that of the submissions. A proof (`state`) verifies
    the current version with these files; it holds for `proved_hash`, the hash of all of them.
    `sample`: the submission whose code it began with. A version that is refused is not `published`.
    """

    exercise = models.ForeignKey(Exercise, on_delete=models.CASCADE, related_name="mistake_drafts")
    fingerprint = models.CharField(max_length=32, editable=False)
    files = models.JSONField(editable=False)
    sample = models.ForeignKey(
        Submission, null=True, on_delete=models.SET_NULL, related_name="+", editable=False
    )
    begun_at = models.DateTimeField(default=timezone.now, editable=False)
    edited_at = models.DateTimeField(default=timezone.now, editable=False)
    edited_by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        null=True,
        on_delete=models.SET_NULL,
        related_name="+",
        editable=False,
    )

    names_group = models.BooleanField(default=False, editable=False)
    published = models.ForeignKey(
        ExerciseVersion, null=True, on_delete=models.SET_NULL, related_name="+", editable=False
    )

    class Meta:
        ordering = ["-pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["exercise", "fingerprint"],
                condition=Q(published=None),
                name="one_mistake_draft_per_group",
            ),
            models.CheckConstraint(
                name="mistake_draft_state_is_known",
                condition=Q(state__in=["edited", "waiting", "proved", "refused", "failed"]),
            ),
        ]
        indexes = [
            models.Index(name="proofs_waiting", fields=["asked_at"], condition=Q(state="waiting")),
        ]

    def __str__(self) -> str:
        return f"draft of a known mistake of {self.exercise}"

    @property
    def path(self) -> str:
        """The file's name below the exercise's folder."""
        return str(next(iter(self.files)))

    @property
    def text(self) -> str:
        return str(self.files[self.path])

    @property
    def mark(self) -> str:
        """The hash of its files: a form carries that of the text it was made from."""
        return hash_files(self.files)
