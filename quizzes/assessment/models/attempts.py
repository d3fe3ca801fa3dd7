"""What learners met and chose: attempts at quizzes, and answers given inside lessons."""

from django.db import models
from django.db.models import Count, Q

from quizzes.assessment.models.questions import Option, QuestionVersion, Quiz
from quizzes.learners.models import Learner


class AttemptQuerySet(models.QuerySet["Attempt"]):
    def scored(self) -> "AttemptQuerySet":
        """Count once for all rows what `right` and `asked` of each attempt say."""
        return self.annotate(
            right_counted=Count("responses", filter=Q(responses__choice__is_key=True)),
            asked_counted=Count("responses"),
        )

    def submitted(self) -> "AttemptQuerySet":
        return self.filter(submitted_at__isnull=False)


class Attempt(models.Model):
    """One sitting of a quiz. Its questions, their versions and orders are fixed at the start."""

    learner = models.ForeignKey(Learner, on_delete=models.CASCADE, related_name="attempts")
    quiz = models.ForeignKey(Quiz, on_delete=models.PROTECT, related_name="attempts")
    started_at = models.DateTimeField(auto_now_add=True)
    submitted_at = models.DateTimeField(null=True, blank=True, editable=False)

    objects = AttemptQuerySet.as_manager()

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["learner", "quiz"],
                condition=Q(submitted_at=None),
                name="one_open_attempt_per_learner_and_quiz",
            )
        ]

    def __str__(self) -> str:
        return f"attempt {self.pk} of {self.learner} at {self.quiz.slug}"

    @property
    def right(self) -> int:
        """How many questions were answered with the key; needs `scored()`."""
        return int(vars(self)["right_counted"])

    @property
    def asked(self) -> int:
        """How many questions there are; needs `scored()`."""
        return int(vars(self)["asked_counted"])


class Response(models.Model):
    """One question as one learner met it: the version, the order of its options, the choice.

    It belongs either to an attempt, or to a learner and the lesson step it was answered in.
    """

    attempt = models.ForeignKey(
        Attempt, null=True, blank=True, on_delete=models.CASCADE, related_name="responses"
    )
    order = models.PositiveSmallIntegerField(default=0)  # in the attempt
    learner = models.ForeignKey(
        Learner, null=True, blank=True, on_delete=models.CASCADE, related_name="inline_responses"
    )
    step = models.CharField(max_length=200, blank=True)  # "<lesson>/<step>"
    version = models.ForeignKey(QuestionVersion, on_delete=models.PROTECT, related_name="responses")
    option_order = models.JSONField()  # primary keys of the options, as shown
    choice = models.ForeignKey(
        Option, null=True, blank=True, on_delete=models.PROTECT, related_name="responses"
    )
    answered_at = models.DateTimeField(null=True, blank=True, editable=False)

    class Meta:
        ordering = ["order", "pk"]
        constraints = [
            models.CheckConstraint(
                name="in_an_attempt_or_in_a_step",
                condition=Q(attempt__isnull=False, learner=None, step="")
                | (Q(attempt=None, learner__isnull=False) & ~Q(step="")),
            ),
            models.CheckConstraint(
                name="chosen_exactly_when_answered",
                condition=Q(choice=None, answered_at=None)
                | Q(choice__isnull=False, answered_at__isnull=False),
            ),
            models.UniqueConstraint(fields=["attempt", "order"], name="one_response_per_place"),
            models.UniqueConstraint(
                fields=["attempt", "version"], name="a_version_once_in_an_attempt"
            ),
            models.UniqueConstraint(
                fields=["learner", "step", "version"],
                condition=Q(attempt=None),
                name="one_inline_response_per_question",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.version}: {self.choice or 'not answered'}"
