"""Numbers that a learner shares: what a program of theirs returned, without the program."""

import secrets

from django.core.validators import MinLengthValidator
from django.db import models
from django.db.models import Q
from django.utils import timezone

from quizzes.learners.models import Learner

MAX_NAME = 60  # characters
MOST_BYTES = 1 << 20  # of the numbers, as float64
TOKEN_BYTES = 16


def new_token() -> str:
    """Return the part of a link that nobody can guess."""
    return secrets.token_urlsafe(TOKEN_BYTES)


class SharedNumbers(models.Model):
    """A table of n positions and d numbers each, at a link until its owner revokes it.

    `numbers`: float64, row by row; of a table all finite. `name` is whatever its owner typed.

    `figure`: of numbers of an exercise's figure that are no such table, the picture of the engine
    whose frame they have: its encoding, its view, and their parameters as texts. They are then
    n rows and d columns, and may have NaN and infinities.
    """

    learner = models.ForeignKey(Learner, on_delete=models.CASCADE, related_name="shared_numbers")
    token = models.CharField(max_length=32, unique=True, default=new_token, editable=False)
    name = models.CharField(max_length=MAX_NAME, validators=[MinLengthValidator(1)])
    n = models.PositiveIntegerField(editable=False)
    d = models.PositiveIntegerField(editable=False)
    numbers = models.BinaryField(editable=False)
    figure = models.JSONField(null=True, editable=False)
    made_at = models.DateTimeField(editable=False)
    shared_at = models.DateTimeField(default=timezone.now, editable=False)

    class Meta:
        ordering = ["-shared_at", "-pk"]
        verbose_name = verbose_name_plural = "shared numbers"
        constraints = [
            models.CheckConstraint(
                name="shared_numbers_are_some",
                condition=Q(n__gte=1, d__gte=1) & ~Q(name=""),
            ),
        ]

    def __str__(self) -> str:
        return f"shared numbers {self.pk}"
