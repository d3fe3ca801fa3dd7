"""What learners met and answered: in attempts at quizzes, inside lessons, in reviews."""

from datetime import datetime, timedelta
from decimal import Decimal
from typing import Any

from django.db import models
from django.db.models import Count, DecimalField, F, Q, Sum, Value
from django.db.models.functions import Coalesce, Now
from django.utils import timezone

from quizzes.assessment.models.instances import Instance
from quizzes.assessment.models.questions import Option, QuestionVersion, Quiz
from quizzes.courses import addresses
from quizzes.courses.log_subjects import Kind, Subject
from quizzes.learners.models import Learner
from quizzes.statements import TimeParam

RIGHT = Q(is_right=True)  # of responses, whatever the kind of question
COUNTED = Q(is_dropped=False)  # the responses that a score or a share is made of
MAX_TEXT = 200
LATE_ANSWERS = timedelta(seconds=30)  # after its deadline an attempt still takes answers
DIGITS_OF_POINTS = 5  # after the point, of what an attempt earned


class ForeignChoiceError(ValueError):
    """The chosen option is not one that the response offers."""


def still_open(now: datetime | TimeParam) -> Q:
    """Hold for attempts that still take answers."""
    in_time = Q(deadline_at=None) | Q(deadline_at__gte=now - LATE_ANSWERS)
    return in_time & Q(submitted_at=None)


class AttemptQuerySet(models.QuerySet["Attempt"]):
    def scored(self) -> "AttemptQuerySet":
        """Count once for all rows what `right` and `question_count` of each attempt say."""
        return self.annotate(  # type: ignore[no-redef]
            right=Count(
                "responses", filter=Q(responses__is_right=True, responses__is_dropped=False)
            ),
            question_count=Count("responses", filter=Q(responses__is_dropped=False)),
        )

    def open(self, now: datetime | TimeParam) -> "AttemptQuerySet":
        """Return the attempts that still take answers."""
        return self.filter(still_open(now))

    def overdue(self, now: datetime | TimeParam | Now) -> "AttemptQuerySet":
        """Return the attempts that the clock has submitted and that are not stored so yet."""
        return self.filter(submitted_at=None, deadline_at__lt=now - LATE_ANSWERS)

    def handed_in(self, now: datetime | TimeParam) -> "AttemptQuerySet":
        """Return the attempts that are over, each with `handed_in_at`: submitted, or overdue.

        Overdue is a fact of the clock: such an attempt was submitted at its deadline, whenever
        that is written down.
        """
        over = Q(submitted_at__isnull=False) | Q(deadline_at__lt=now - LATE_ANSWERS)
        return self.filter(over).annotate(handed_in_at=Coalesce("submitted_at", "deadline_at"))

    def with_points(self) -> "AttemptQuerySet":
        """Count once for all rows what their answers earn: `points_earned`, `points_possible`.

        Of an attempt that is written down these are `earned` and `possible`.
        """
        points = DecimalField(max_digits=12, decimal_places=DIGITS_OF_POINTS)
        counted = Q(responses__is_dropped=False)
        none = Value(Decimal(0), output_field=points)
        earned = F("responses__points") * F("responses__score")
        return self.annotate(  # type: ignore[no-redef]
            points_earned=Coalesce(
                "earned", Sum(earned, filter=counted, output_field=points), none
            ),
            points_possible=Coalesce(
                "possible", Sum("responses__points", filter=counted, output_field=points), none
            ),
        )


class Attempt(models.Model):
    """One sitting of a quiz. Its questions, their versions and orders are fixed at the start.

    `sitting` is the key of the work that a room above gave out; None is practice.
    `earned` and `possible` are written when it is submitted.
    """

    class EndedBy(models.TextChoices):
        LEARNER = "learner", "submitted"
        TIME = "time", "ended by its time"

    learner = models.ForeignKey(Learner, on_delete=models.CASCADE, related_name="attempts")
    quiz = models.ForeignKey(Quiz, on_delete=models.PROTECT, related_name="attempts")
    started_at = models.DateTimeField(auto_now_add=True)
    submitted_at = models.DateTimeField(null=True, blank=True, editable=False)
    sitting = models.BigIntegerField(null=True, blank=True, editable=False)
    deadline_at = models.DateTimeField(null=True, blank=True, editable=False)
    ended_by = models.CharField(
        max_length=10,
        choices=EndedBy.choices,
        blank=True,
        default="",
        db_default="",
        editable=False,
    )
    earned = models.DecimalField(
        max_digits=12, decimal_places=DIGITS_OF_POINTS, null=True, blank=True, editable=False
    )
    possible = models.DecimalField(
        max_digits=12, decimal_places=DIGITS_OF_POINTS, null=True, blank=True, editable=False
    )

    right: int  # how many were answered with the key; these two by `scored()`
    question_count: int
    points_earned: Decimal  # these two by `with_points()`
    points_possible: Decimal
    objects = AttemptQuerySet.as_manager()

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["learner", "quiz", "sitting"],
                condition=Q(submitted_at=None),
                name="one_open_attempt_per_sitting",
            ),
            models.UniqueConstraint(  # in an index no null equals another
                fields=["learner", "quiz"],
                condition=Q(sitting=None, submitted_at=None),
                name="one_open_attempt_in_practice",
            ),
            models.CheckConstraint(
                name="points_exactly_when_handed_in",
                condition=Q(submitted_at=None, earned=None, possible=None, ended_by="")
                | Q(
                    submitted_at__isnull=False,
                    earned__isnull=False,
                    possible__isnull=False,
                    earned__gte=0,
                    possible__gte=F("earned"),
                ),
            ),
            models.CheckConstraint(
                name="attempt_end_is_known", condition=Q(ended_by__in=["", "learner", "time"])
            ),
        ]
        indexes = [
            models.Index(
                name="attempts_with_a_deadline",
                fields=["deadline_at"],
                condition=Q(submitted_at=None, deadline_at__isnull=False),
            ),
            models.Index(name="attempts_of_a_sitting", fields=["sitting", "learner"]),
        ]

    def __str__(self) -> str:
        return f"attempt {self.pk} of {self.learner} at {self.quiz.slug}"

    def get_absolute_url(self) -> str:
        return addresses.attempt_address(self.quiz.course.slug, self.quiz.slug, self.pk)

    def as_subject(self) -> Subject:
        """Return its subject for the log."""
        return Subject.of(Kind.ATTEMPT, self.pk, f"{self.quiz.title}, attempt {self.pk}")

    @property
    def review_address(self) -> str:
        quiz = self.quiz
        return addresses.attempt_review_address(quiz.course.slug, quiz.slug, self.pk)

    def handed_in_at_time(self, now: datetime) -> datetime | None:
        """Return when it was submitted, by the learner or by the clock; None while it is open."""
        if self.submitted_at is not None or not self.is_overdue(now):
            return self.submitted_at
        return self.deadline_at

    @property
    def ended_at(self) -> datetime | None:
        """Return when it was submitted, as far as is known now; None while it is open."""
        return self.handed_in_at_time(timezone.now())

    def is_overdue(self, now: datetime) -> bool:
        """Return whether the clock has handed it in and nobody has written that down yet."""
        if self.submitted_at is not None or self.deadline_at is None:
            return False
        return self.deadline_at + LATE_ANSWERS < now

    def is_open(self, now: datetime) -> bool:
        """Return whether it still takes answers."""
        return self.handed_in_at_time(now) is None

    @property
    def points(self) -> tuple[Decimal, Decimal]:
        """What it earned, of what was possible; needs `with_points()`."""
        return Decimal(self.points_earned), Decimal(self.points_possible)

    @property
    def share(self) -> Decimal:
        """How much of its points it earned, from 0 to 1; needs `with_points()`.

        Where every question was dropped that is everything.
        """
        earned, possible = self.points
        return earned / possible if possible else Decimal(1)


_NOT_ANSWERED = Q(answered_at=None, choice=None, choices__isnull=True, number=None)
_ANSWERED = Q(answered_at__isnull=False, is_right__isnull=False)
# A text alone is an answer to a question that asks for a text: `answered_at` is set. What was typed
# for a number and is none leaves the question without an answer.
ANSWER_HAS_ONE_FORM = _NOT_ANSWERED | _ANSWERED & (
    Q(choice__isnull=False, choices__isnull=True, number=None, text="")
    | Q(choice=None, choices__isnull=False, number=None, text="")
    | (Q(choice=None, choices__isnull=True) & ~Q(text=""))
)


class Response(models.Model):
    """One question as one learner met it: the version, the order of its options, the answer.

    It belongs either to an attempt or to a learner; then `step` is the lesson step it was answered
    in, empty for a review. An answer is an option, several options, a number or a text. `text`
    keeps what was typed, also where it is no number; `answered_at` says whether it is an answer.
    `is_right` and `score` say how it counts, `points` what it is worth. A dropped response counts
    neither as right nor as asked.
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
    choices = models.JSONField(null=True, blank=True)  # primary keys, where several are chosen
    text = models.CharField(max_length=MAX_TEXT, blank=True)
    number = models.FloatField(null=True, blank=True)
    is_right = models.BooleanField(null=True, blank=True)  # None while it is not answered
    score = models.DecimalField(max_digits=6, decimal_places=5, null=True, blank=True)  # 0 to 1
    points = models.DecimalField(
        max_digits=6, decimal_places=2, default=Decimal(1), db_default=Decimal(1)
    )
    is_dropped = models.BooleanField(default=False, db_default=False)
    answered_at = models.DateTimeField(null=True, blank=True, editable=False)
    # After this one, in a lesson.
    tries = models.PositiveIntegerField(default=0, db_default=0, editable=False)
    may_be_regraded = True  # False: `with_regrades` found no regrade of its version

    class Meta:
        ordering = ["order", "pk"]
        constraints = [
            models.CheckConstraint(
                name="in_an_attempt_or_of_a_learner",
                condition=Q(attempt__isnull=False, learner=None, step="")
                | Q(attempt=None, learner__isnull=False),
            ),
            models.CheckConstraint(name="answer_has_one_form", condition=ANSWER_HAS_ONE_FORM),
            models.CheckConstraint(
                name="right_exactly_with_the_whole_score",
                condition=Q(is_right=None, score=None)
                | Q(is_right=True, score__isnull=False, score=1)
                | Q(is_right=False, score__isnull=False, score__gte=0, score__lt=1),
            ),
            models.CheckConstraint(name="points_are_positive", condition=Q(points__gt=0)),
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
        for chosen in self.chosen:
            if chosen not in self.option_order:
                raise ForeignChoiceError(f"option {chosen} is none of {self.option_order}")
        for part in (self.choice, self.instance):
            if part is not None and part.version_id != self.version_id:
                raise ForeignChoiceError(f"{part} belongs to another version than {self.version}")
        super().save(**kwargs)

    def mark(self, score: Decimal | None) -> None:
        """Say how the answer counts, from 0 to 1; None takes its mark back. It is not saved."""
        self.score = score
        self.is_right = None if score is None else score == 1

    @property
    def learner_key(self) -> int:
        """Return whose it is; needs `attempt`."""
        key = self.learner_id if self.attempt is None else self.attempt.learner_id
        assert key is not None  # a constraint
        return key

    @property
    def chosen(self) -> tuple[int, ...]:
        """Return the options that the learner chose, by primary key, in the file's order."""
        if self.choice_id is not None:
            return (self.choice_id,)
        return tuple(self.choices or ())
