"""The work of a class: assignments, exceptions of single members, marks set by hand."""

from datetime import datetime
from decimal import Decimal
from typing import Any
from zoneinfo import ZoneInfo

from django.conf import settings
from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.db.models import Exists, F, OuterRef, Q
from django.db.models.functions import Now
from django.utils.timezone import now

from quizzes.assessment.models import Quiz
from quizzes.classes.models.people import Cohort, Membership
from quizzes.classes.rules import Rule, Shows, WorkKind, effective
from quizzes.courses.log_subjects import Kind, Subject
from quizzes.exercises.models import Exercise
from quizzes.lessons.models import Lesson

MOST_MINUTES = 7 * 24 * 60
MOST_ATTEMPTS = 1000
MOST_GRACE = 24 * 60  # minutes
_IN_ORDER = (
    (Q(due_at=None) | Q(opens_at=None) | Q(due_at__gte=F("opens_at")))
    & (Q(closes_at=None) | Q(due_at=None) | Q(closes_at__gte=F("due_at")))
    & (Q(closes_at=None) | Q(opens_at=None) | Q(closes_at__gte=F("opens_at")))
)


class Assignment(models.Model):
    """A quiz, an exercise or a lesson that a class is to do, with dates, points and rules.

    Dates are UTC here and the class's on its pages. No `closes_at`: it never closes.
    """

    class Counts(models.TextChoices):
        BEST = "best", "the best attempt"
        LAST = "last", "the last attempt"

    class ExerciseCounts(models.TextChoices):
        SOLVED = "solved", "solved or not"
        CASES = "cases", "the share of passed cases"

    class ShowsWhen(models.TextChoices):
        AT_ONCE = Shows.AT_ONCE.value, "at once"
        AFTER_DUE = Shows.AFTER_DUE.value, "after the due date"
        AFTER_CLOSE = Shows.AFTER_CLOSE.value, "after it closes"
        NEVER = Shows.NEVER.value, "never"

    class Practice(models.TextChoices):
        ALLOWED = "allowed", "at any time"
        AFTER_CLOSE = "after_close", "after it closes"
        NEVER = "never", "never"

    cohort = models.ForeignKey(Cohort, on_delete=models.CASCADE, related_name="assignments")
    quiz = models.ForeignKey(
        Quiz, null=True, blank=True, on_delete=models.PROTECT, related_name="assignments"
    )
    exercise = models.ForeignKey(
        Exercise, null=True, blank=True, on_delete=models.PROTECT, related_name="assignments"
    )
    lesson = models.ForeignKey(
        Lesson, null=True, blank=True, on_delete=models.PROTECT, related_name="assignments"
    )
    points = models.DecimalField(
        max_digits=6, decimal_places=2, validators=[MinValueValidator(Decimal("0.01"))]
    )
    opens_at = models.DateTimeField()
    due_at = models.DateTimeField(null=True, blank=True)
    closes_at = models.DateTimeField(null=True, blank=True)
    grace_minutes = models.PositiveSmallIntegerField(
        default=0, db_default=0, validators=[MaxValueValidator(MOST_GRACE)]
    )
    late_percent_per_day = models.PositiveSmallIntegerField(
        default=0, validators=[MaxValueValidator(100)]
    )
    attempts = models.PositiveSmallIntegerField(
        null=True, blank=True, validators=[MinValueValidator(1), MaxValueValidator(MOST_ATTEMPTS)]
    )
    minutes = models.PositiveIntegerField(
        null=True, blank=True, validators=[MinValueValidator(1), MaxValueValidator(MOST_MINUTES)]
    )
    counts = models.CharField(max_length=10, choices=Counts.choices, default=Counts.BEST)
    exercise_counts = models.CharField(
        max_length=10, choices=ExerciseCounts.choices, default=ExerciseCounts.SOLVED
    )
    other_convention_counts = models.BooleanField(default=True)
    shows_marks = models.CharField(
        max_length=12, choices=ShowsWhen.choices, default=ShowsWhen.AT_ONCE
    )
    shows_answers = models.CharField(
        max_length=12, choices=ShowsWhen.choices, default=ShowsWhen.AT_ONCE
    )
    practice = models.CharField(max_length=12, choices=Practice.choices, default=Practice.ALLOWED)
    shuffle_questions = models.BooleanField(default=False)
    is_visible = models.BooleanField(default=False)
    place = models.PositiveIntegerField(default=0)
    revision = models.PositiveIntegerField(default=0, editable=False)
    # Of a lesson, as it is when the assignment opens; see `classes/marks/lesson_steps.py`.
    steps = models.JSONField(default=list, blank=True, editable=False)
    includes_deeper = models.BooleanField(default=False, db_default=False)
    made_at = models.DateTimeField(default=now, editable=False)
    # When the site was upgraded to newer rules of marking: who could earn nothing more by then
    # keeps the mark of before. The year 9999 in classes that were archived, which nobody could;
    # None in assignments that were made later.
    old_rules_until = models.DateTimeField(null=True, blank=True, editable=False)
    # The same for a late day of 24 hours, which now ends on the clock of the class.
    elapsed_days_until = models.DateTimeField(null=True, blank=True, editable=False)

    # Of the member whose work it is, by `own_work.py`; other rows have none of them, and a member
    # without an exception has no `member_exception`.
    member: Membership
    member_exception: "AssignmentException"
    is_submitted: bool
    best_verdict: str | None
    graded_submits: int
    used_attempts: int

    class Meta:
        ordering = ["cohort", "place", "pk"]
        constraints = [
            models.CheckConstraint(
                name="assigns_one_thing",
                condition=Q(quiz__isnull=False, exercise=None, lesson=None)
                | Q(quiz=None, exercise__isnull=False, lesson=None)
                | Q(quiz=None, exercise=None, lesson__isnull=False),
            ),
            models.CheckConstraint(name="assignment_has_points", condition=Q(points__gt=0)),
            models.CheckConstraint(name="assignment_dates_are_in_order", condition=_IN_ORDER),
            models.CheckConstraint(
                name="late_is_a_percentage", condition=Q(late_percent_per_day__lte=100)
            ),
            models.CheckConstraint(
                name="grace_is_a_day_at_most", condition=Q(grace_minutes__lte=MOST_GRACE)
            ),
            models.CheckConstraint(
                name="limits_are_positive",
                condition=(Q(attempts=None) | Q(attempts__gte=1))
                & (Q(minutes=None) | Q(minutes__gte=1)),
            ),
            models.CheckConstraint(
                name="minutes_order_and_counts_are_of_quizzes",
                condition=Q(quiz__isnull=False)
                | Q(minutes=None, shuffle_questions=False, counts="best"),
            ),
            models.CheckConstraint(
                name="passed_cases_are_of_exercises",
                condition=Q(exercise__isnull=False)
                | Q(exercise_counts="solved", other_convention_counts=True),
            ),
            models.CheckConstraint(
                name="a_lesson_has_no_attempts_and_is_never_late",
                condition=Q(lesson=None) | Q(attempts=None, late_percent_per_day=0),
            ),
            models.CheckConstraint(
                name="deeper_steps_are_of_lessons",
                condition=Q(lesson__isnull=False) | Q(includes_deeper=False),
            ),
            models.CheckConstraint(
                name="assignment_choices_are_known",
                condition=Q(counts__in=["best", "last"])
                & Q(exercise_counts__in=["solved", "cases"])
                & Q(shows_marks__in=["at_once", "after_due", "after_close", "never"])
                & Q(shows_answers__in=["at_once", "after_due", "after_close", "never"])
                & Q(practice__in=["allowed", "after_close", "never"]),
            ),
            models.CheckConstraint(
                name="what_is_shown_after_a_date_has_the_date",
                condition=(
                    ~(Q(shows_marks="after_due") | Q(shows_answers="after_due"))
                    | Q(due_at__isnull=False)
                )
                & (
                    ~(
                        Q(shows_marks="after_close")
                        | Q(shows_answers="after_close")
                        | Q(practice="after_close")
                    )
                    | Q(closes_at__isnull=False)
                ),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.title} in {self.cohort_id}"

    def as_subject(self) -> Subject:
        """Return its subject for the log."""
        return Subject.of(Kind.ASSIGNMENT, self.pk, self.title)

    @property
    def work_kind(self) -> WorkKind:
        if self.quiz_id is not None:
            return WorkKind.QUIZ
        return WorkKind.EXERCISE if self.exercise_id is not None else WorkKind.LESSON

    @property
    def thing(self) -> Quiz | Exercise | Lesson:
        """Return the assigned work."""
        work = self.quiz or self.exercise or self.lesson
        assert work is not None
        return work

    @property
    def title(self) -> str:
        thing = self.thing
        if isinstance(thing, Exercise):
            return thing.current.title if thing.current else thing.slug
        return thing.title

    @property
    def slug(self) -> str:
        return self.thing.slug

    @property
    def zone(self) -> ZoneInfo:
        """Return the time zone of the class, on whose clock late days end."""
        return self.cohort.zone

    @property
    def sitting(self) -> int:
        """Return the sitting in which its attempts are begun: its key."""
        return self.pk

    def rule_for(self, own: "AssignmentException | None" = None, extra: int = 0) -> Rule:
        """Return the rules for a member with this exception and extra time in percent."""
        return effective(self, own, extra)


class AssignmentException(models.Model):
    """What one member may do differently in one assignment. What is null is as for the class.

    What is earlier or less than the class has counts only if it is so on purpose.
    """

    assignment = models.ForeignKey(Assignment, on_delete=models.CASCADE, related_name="exceptions")
    membership = models.ForeignKey(Membership, on_delete=models.CASCADE, related_name="exceptions")
    opens_at = models.DateTimeField(null=True, blank=True)
    due_at = models.DateTimeField(null=True, blank=True)
    closes_at = models.DateTimeField(null=True, blank=True)
    attempts = models.PositiveSmallIntegerField(
        null=True, blank=True, validators=[MinValueValidator(1), MaxValueValidator(MOST_ATTEMPTS)]
    )
    minutes = models.PositiveIntegerField(
        null=True, blank=True, validators=[MinValueValidator(1), MaxValueValidator(MOST_MINUTES)]
    )
    earlier_on_purpose = models.BooleanField(default=False, db_default=False)
    is_excused = models.BooleanField(default=False)
    note = models.CharField(max_length=300, blank=True)
    made_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+"
    )
    made_at = models.DateTimeField(default=now)

    class Meta:
        ordering = ["assignment", "membership"]
        constraints = [
            models.UniqueConstraint(
                fields=["assignment", "membership"], name="one_exception_of_a_member"
            ),
            models.CheckConstraint(name="exception_dates_are_in_order", condition=_IN_ORDER),
            models.CheckConstraint(
                name="exception_limits_are_positive",
                condition=(Q(attempts=None) | Q(attempts__gte=1))
                & (Q(minutes=None) | Q(minutes__gte=1)),
            ),
        ]

    def __str__(self) -> str:
        return f"exception of {self.membership_id} in assignment {self.assignment_id}"


def not_closed_at(at: datetime | Now) -> Q:
    """Return the condition that an assignment is open to somebody at `at`, or opens later.

    An exception may keep one open. `at`: the time of a host, or `Now()` for the database's.
    """
    longer = AssignmentException.objects.filter(assignment=OuterRef("pk"), closes_at__gte=at)
    return Q(closes_at=None) | Q(closes_at__gte=at) | Q(Exists(longer))


class MarkOverride(models.Model):
    """Points set by hand. Never changed: of one member and assignment the newest counts.

    `points` null takes back what was set before.
    """

    assignment = models.ForeignKey(Assignment, on_delete=models.CASCADE, related_name="overrides")
    membership = models.ForeignKey(Membership, on_delete=models.CASCADE, related_name="overrides")
    points = models.DecimalField(
        max_digits=6, decimal_places=2, null=True, blank=True, validators=[MinValueValidator(0)]
    )
    reason = models.CharField(max_length=500)  # the student reads it, unless points is null
    by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+"
    )
    at = models.DateTimeField(default=now)

    class Meta:
        ordering = ["-pk"]
        constraints = [
            models.CheckConstraint(
                name="overriding_points_are_not_negative",
                condition=Q(points=None) | Q(points__gte=0),
            ),
            models.CheckConstraint(name="override_has_a_reason", condition=~Q(reason="")),
        ]
        indexes = [models.Index(name="overrides_newest", fields=["assignment", "membership", "id"])]

    def __str__(self) -> str:
        return f"{self.points} points by hand, {self.membership_id} in {self.assignment_id}"

    def save(self, *args: Any, **kwargs: Any) -> None:
        """Store a new override; a stored one never changes (ValueError)."""
        if not self._state.adding:
            raise ValueError(f"override {self.pk}: stored overrides never change")
        super().save(*args, **kwargs)
