"""What learners met and answered: in attempts at quizzes, inside lessons, in reviews."""

from typing import Any

from django.db import models
from django.db.models import Count, Q

from quizzes.assessment.models.instances import Instance
from quizzes.assessment.models.questions import Option, QuestionVersion, Quiz
from quizzes.courses import addresses
from quizzes.learners.models import Learner

RIGHT = Q(is_right=True)  # of responses, whatever the kind of question
MAX_TEXT = 200


class ForeignChoiceError(ValueError):
    """The chosen option is not one that the response offers."""


class AttemptQuerySet(models.QuerySet["Attempt"]):
    def scored(self) -> "AttemptQuerySet":
        """Count once for all rows what `right` and `asked` of each attempt say."""
        return self.annotate(
            right_counted=Count("responses", filter=Q(responses__is_right=True)),
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

    def get_absolute_url(self) -> str:
        return addresses.attempt_address(self.quiz.course.slug, self.quiz.slug, self.pk)

    @property
    def review_address(self) -> str:
        quiz = self.quiz
        return addresses.attempt_review_address(quiz.course.slug, quiz.slug, self.pk)

    @property
    def right(self) -> int:
        """How many questions were answered with the key; needs `scored()`."""
        return int(vars(self)["right_counted"])

    @property
    def asked(self) -> int:
        """How many questions there are; needs `scored()`."""
        return int(vars(self)["asked_counted"])


class Response(models.Model):
    """One question as one learner met it: the version, the order of its options, the answer.

    It belongs either to an attempt or to a learner; then `step` is the lesson step it was answered
    in, empty for a review. An answer is a choice or a number; `text` keeps what was typed, also
    where it is no number, and then the question counts as not answered.
    """

    attempt = models.ForeignKey(
        Attempt, null=True, blank=True, on_delete=models.CASCADE, related_name="responses"
    )
    order = models.PositiveSmallIntegerField(default=0)  # in the attempt
    learner = models.ForeignKey(
        Learner, null=True, blank=True, on_delete=models.CASCADE, related_name="own_responses"
    )
    step = models.CharField(max_length=200, blank=True)  # "<lesson>/<step>"
    version = models.ForeignKey(QuestionVersion, on_delete=models.PROTECT, related_name="responses")
    instance = models.ForeignKey(
        Instance, null=True, blank=True, on_delete=models.PROTECT, related_name="responses"
    )
    option_order = models.JSONField()  # primary keys of the options, as shown
    choice = models.ForeignKey(
        Option, null=True, blank=True, on_delete=models.PROTECT, related_name="responses"
    )
    text = models.CharField(max_length=MAX_TEXT, blank=True)
    number = models.FloatField(null=True, blank=True)
    is_right = models.BooleanField(null=True, blank=True)  # None while it is not answered
    answered_at = models.DateTimeField(null=True, blank=True, editable=False)
    tries = models.PositiveIntegerField(default=0, editable=False)  # after this one, in a lesson

    class Meta:
        ordering = ["order", "pk"]
        constraints = [
            models.CheckConstraint(
                name="in_an_attempt_or_of_a_learner",
                condition=Q(attempt__isnull=False, learner=None, step="")
                | Q(attempt=None, learner__isnull=False),
            ),
            models.CheckConstraint(
                name="answered_by_a_choice_or_a_number",
                condition=Q(choice=None, number=None, answered_at=None, is_right=None)
                | Q(answered_at__isnull=False, is_right__isnull=False)
                & (
                    Q(choice__isnull=False, number=None, text="")
                    | (Q(choice=None, number__isnull=False) & ~Q(text=""))
                ),
            ),
            models.UniqueConstraint(fields=["attempt", "order"], name="one_response_per_place"),
            models.UniqueConstraint(
                fields=["attempt", "version"], name="a_version_once_in_an_attempt"
            ),
            models.UniqueConstraint(
                fields=["learner", "step", "version"],
                condition=Q(attempt=None) & ~Q(step=""),
                name="one_inline_response_per_question",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.version}: {self.choice or self.text or 'not answered'}"

    def save(self, **kwargs: Any) -> None:
        """Save; raises ForeignChoiceError for an option or an instance of another version."""
        if self.choice_id is not None and self.choice_id not in self.option_order:
            raise ForeignChoiceError(f"option {self.choice_id} is none of {self.option_order}")
        for part in (self.choice, self.instance):
            if part is not None and part.version_id != self.version_id:
                raise ForeignChoiceError(f"{part} belongs to another version than {self.version}")
        super().save(**kwargs)
