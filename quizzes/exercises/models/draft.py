"""Drafts: the code that a learner has not submitted yet."""

from uuid import uuid4

from django.core.validators import MaxLengthValidator, ProhibitNullCharactersValidator
from django.db import models
from django.db.models import F, Q, Value
from django.db.models.functions import Length
from django.db.models.lookups import LessThanOrEqual
from django.utils import timezone

from quizzes.exercises.models.exercise import Exercise
from quizzes.exercises.models.submission import MAX_CHARACTERS
from quizzes.learners.models import Learner


class Draft(models.Model):
    """A text in work. Two of one learner and exercise are asked about, see `drafts`.

    Without an exercise it is the learner's draft in the lab. `token` is new with every save: who
    saves says which one they saw last.
    """

    learner = models.ForeignKey(Learner, on_delete=models.CASCADE, related_name="code_drafts")
    exercise = models.ForeignKey(
        Exercise, null=True, blank=True, on_delete=models.CASCADE, related_name="drafts"
    )
    code = models.TextField(
        blank=True,
        validators=[MaxLengthValidator(MAX_CHARACTERS), ProhibitNullCharactersValidator()],
    )
    token = models.UUIDField(default=uuid4, editable=False)
    saved_at = models.DateTimeField(default=timezone.now, editable=False)

    class Meta:
        ordering = ["-saved_at", "-pk"]
        constraints = [
            models.UniqueConstraint(fields=["token"], name="one_draft_per_token"),
            models.CheckConstraint(
                name="draft_is_bounded",
                condition=Q(LessThanOrEqual(Length(F("code")), Value(MAX_CHARACTERS))),
            ),
        ]
        indexes = [models.Index(name="drafts_of_a_learner", fields=["learner", "exercise"])]

    def __str__(self) -> str:
        return f"draft of {self.exercise or 'the lab'} by {self.learner}"
