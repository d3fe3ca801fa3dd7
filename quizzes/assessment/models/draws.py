"""What a generator that is being written makes of some seeds."""

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils import timezone

from quizzes.assessment.models.questions import Question, QuestionVersion


class QuestionDraw(models.Model):
    """The newest draw of a question's generator, which a worker carries out.

    `files` and `kind` are what a version would store of the text that was drawn, `mark` their hash:
    what is written later is another text. Seeds are counted from 1 up to `seeds`; `done` of them
    have been drawn. `report`: see `drawing.report`.
    """

    class State(models.TextChoices):
        WAITING = "waiting", "waiting to be drawn"
        DRAWN = "drawn", "drawn without a fault"
        REFUSED = "refused", "not drawn: the program has a fault"
        FAILED = "failed", "not drawn: we failed"

    question = models.OneToOneField(Question, on_delete=models.CASCADE, related_name="draw")
    kind = models.CharField(max_length=10, choices=QuestionVersion.Kind.choices, editable=False)
    files = models.JSONField(editable=False)
    mark = models.CharField(max_length=64, editable=False)
    seeds = models.PositiveSmallIntegerField(editable=False)
    done = models.PositiveSmallIntegerField(default=0, editable=False)
    state = models.CharField(
        max_length=10, choices=State.choices, default=State.WAITING, editable=False
    )
    requested_at = models.DateTimeField(default=timezone.now, editable=False)
    requested_by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        null=True,
        on_delete=models.SET_NULL,
        related_name="+",
        editable=False,
    )
    tries_used = models.PositiveSmallIntegerField(default=0, editable=False)
    leased_until = models.DateTimeField(null=True, editable=False)
    report = models.JSONField(default=dict, editable=False)
    problems = models.JSONField(default=list, editable=False)

    class Meta:
        constraints = [
            models.CheckConstraint(
                name="question_draw_state_is_known",
                condition=Q(state__in=["waiting", "drawn", "refused", "failed"]),
            ),
        ]
        indexes = [
            models.Index(
                name="draws_waiting", fields=["requested_at"], condition=Q(state="waiting")
            ),
        ]

    def __str__(self) -> str:
        return f"draw of {self.question}"
