"""Submissions, whose rows are the queue; pictures of cases and previous verdicts."""

from datetime import UTC, datetime, timedelta
from typing import Any, Self
from uuid import uuid4

from django.conf import settings
from django.core.validators import MaxLengthValidator, ProhibitNullCharactersValidator
from django.db import models
from django.db.models import (
    Case,
    Count,
    Exists,
    F,
    IntegerField,
    Max,
    OuterRef,
    Q,
    Sum,
    Value,
    When,
)
from django.db.models.functions import Length
from django.db.models.lookups import LessThanOrEqual
from django.utils import timezone

from quizzes.courses import addresses
from quizzes.courses.log_subjects import Kind, Subject
from quizzes.exercises.models.exercise import CasePack, ExerciseVersion
from quizzes.exercises.stored_reports import ReportField, copy_of, read_report, readable_arrays
from quizzes.grader.api import Verdict
from quizzes.grader.judge import Picture, Report
from quizzes.learners.models import Learner, User
from quizzes.statements import Param, TimeParam

# `scheduled_for` is worked out once, when a submission is stored: what counts in a class leads a
# little, a Check half as much, and each submission that its learner has waiting already costs it
# some seconds. So a learner's second submission lets the first ones of all others pass, and nothing
# waits for ever. Three rules more: a learner has one submission in work at a time in each lane;
# code known to be slow comes after all that is quick, by as many workers as `queue/slow_lane.py`
# allows; there accounts and visitors wait in two lines, served in turn, each row due later by the
# seconds of its learner's slow code (`slow_seconds_of`).
Time = datetime | TimeParam

MAX_LEASES = 3
CHECK_LEADS = timedelta(seconds=3)
COUNTED_LEADS = 2 * CHECK_LEADS
TURN_COSTS = timedelta(seconds=5)
OWN_TURN = timedelta(seconds=0.1)
SLOW_REMEMBERED = timedelta(minutes=5)  # for which slow code that ran counts against its learner
SLOW_ROW_SECONDS = 2.0  # that a waiting one counts: what most exercises allow
SLOW_WAITS = timedelta(seconds=30)  # longer than that slow code gets its share of a busy queue

MAX_CHARACTERS = 20_000
MAX_BYTES = 60_000

ERASED_CODE = "# deleted by its author"  # stored in place of a deleted text
ERASED_CODES = {ERASED_CODE, "# deleted by whoever wrote it"}  # as older versions stored it

VERDICTS = [verdict.value for verdict in Verdict]
SOLVING = [verdict.value for verdict in Verdict if verdict.solves]


def due(
    *,
    submitted_at: datetime,
    is_check: bool,
    counts: bool = False,
    waiting: int,
    after: datetime | None = None,
) -> datetime:
    """Return when a submission is due whose learner has `waiting` others, the last due `after`.

    A learner's own rows are due in the order in which they came.
    """
    lead = COUNTED_LEADS if counts else CHECK_LEADS if is_check else timedelta(0)
    fair = submitted_at - lead + waiting * TURN_COSTS
    return fair if after is None else max(fair, after + OWN_TURN)


# A lease without an end of its own: PostgreSQL's engine knows by other means who died.
HELD = datetime(9999, 1, 1, tzinfo=UTC)
# No lease is as long. One that ends later was written before a clock was put back, and a worker
# that died since would hold its row for as long as the clock was wrong.
LONGEST_LEASE = timedelta(minutes=5)


def leased(now: Time) -> Q:
    """Hold for rows that a living worker holds: it writes a new end every few seconds."""
    by_the_clock = Q(leased_until__gte=now, leased_until__lte=now + LONGEST_LEASE)
    return Q(leased_until=HELD) | by_the_clock


def is_leased(until: datetime | None, now: datetime) -> bool:
    """Say the same of a row that was read."""
    return until is not None and (until == HELD or now <= until <= now + LONGEST_LEASE)


def unleased(now: Time) -> Q:
    """Hold for rows that no living worker holds: a lease lapses with its worker."""
    strange = Q(leased_until__gt=now + LONGEST_LEASE, leased_until__lt=HELD)
    return Q(leased_until=None) | Q(leased_until__lt=now) | strange


# Neither our failures nor what Python cannot read use up an attempt. What waits does, since it may
# turn out to.
USES_ATTEMPT = Q(parsed=True) & ~Q(verdict=Verdict.NOT_GRADED.value)


def label_of(verdict: str) -> str:
    """Return a verdict in words for people, "Waiting" before there is one."""
    return Verdict(verdict).label if verdict else "Waiting"


class SubmissionQuerySet(models.QuerySet["Submission"]):
    """Submissions as a queue."""

    def ungraded(self) -> Self:
        return self.filter(graded_at=None)

    def waiting_of(self, learner: Learner) -> tuple[int, datetime | None]:
        """Count a learner's ungraded rows, and return when the last quick one is due."""
        last = Max("scheduled_for", filter=Q(slow=False))
        found = self.ungraded().filter(learner=learner).aggregate(count=Count("pk"), last=last)
        return found["count"], found["last"]

    def slow_seconds_of(self, learner: int, now: datetime) -> float:
        """Return the seconds of a learner's slow code: of the last minutes, and of what waits.

        A run that failed on our side has no seconds: a learner does not pay for our failures.
        """
        slow = self.filter(learner=learner, slow=True)
        recent = slow.filter(graded_at__gt=now - SLOW_REMEMBERED)
        ran = recent.aggregate(seconds=Sum("slow_seconds"))["seconds"] or 0.0
        return float(ran + slow.ungraded().count() * SLOW_ROW_SECONDS)

    def graded(self) -> Self:
        return self.filter(graded_at__isnull=False)

    def free(self, now: Time) -> Self:
        """Return the rows that no living worker holds."""
        return self.ungraded().filter(unleased(now))

    def held(self, now: Time) -> Self:
        """Return the rows that a living worker is grading."""
        return self.ungraded().filter(leased(now))

    def in_work_of(self, *, pk: int | Param, worker: str | Param, number: int | Param) -> Self:
        """Return the row if this lease still holds."""
        return self.filter(
            pk=pk,
            tries_used=number,
            leased_by=worker,
            graded_at=None,
            leased_until__isnull=False,
        )

    def may_be_leased(self, now: Time) -> Self:
        """Return what may be graded now: its learner has none of its lane in work.

        No joins: as the condition of an UPDATE it is asked again of a row that changed meanwhile.
        """
        in_work = self.model._default_manager.all().held(now)
        return self.free(now).filter(
            ~Exists(in_work.filter(learner=OuterRef("learner"), slow=OuterRef("slow"))),
            tries_used__lt=MAX_LEASES,
        )

    def waiting(self, now: Time, *, slow_too: bool = False, visitors_first: bool = False) -> Self:
        """Return the rows that may be graded now, in fair order; the rest as in `in_turn`."""
        ready = self.may_be_leased(now).verified()
        return ready.in_turn(now, slow_too=slow_too, visitors_first=visitors_first)

    def verified(self) -> Self:
        """Return the rows whose exercise can grade, and Runs, which need none."""
        return self.filter(Q(exercise_version__verification="ok") | Q(kind=self.model.Kind.RUN))

    def in_turn(self, now: Time, *, slow_too: bool = False, visitors_first: bool = False) -> Self:
        """Order rows as workers take them: quick ones, then slow ones, each as they are due.

        Slow ones wait in two lines: those of visitors come first, or those of accounts do. With
        `slow_too` a slow one that has waited long comes before all.
        """
        first = Q(slow=True, learner__user__isnull=visitors_first)
        overdue = Q(slow=True, scheduled_for__lt=now - SLOW_WAITS)
        ranks = [Q(slow=False), first]
        if slow_too:
            ranks = [overdue & first, overdue, *ranks]
        whens = [When(rank, then=Value(number)) for number, rank in enumerate(ranks)]
        lane = Case(*whens, default=Value(len(ranks)), output_field=IntegerField())
        return self.annotate(lane=lane).order_by("lane", "scheduled_for", "pk")

    def number_before(self, row: "Submission", now: Time) -> int:
        """Count the free rows that workers take before this one; two lines of slow ones in turn."""
        free = self.free(now)
        same_time = Q(scheduled_for=row.scheduled_for, pk__lt=row.pk)
        sooner = free.filter(Q(scheduled_for__lt=row.scheduled_for) | same_time, slow=row.slow)
        if not row.slow:
            return sooner.count()
        is_visitor = row.learner.user_id is None
        ahead = sooner.filter(learner__user__isnull=is_visitor).count()
        others = free.filter(slow=True, learner__user__isnull=not is_visitor).count()
        others_ahead = min(others, ahead + 1 if is_visitor else ahead)
        return free.filter(slow=False).count() + ahead + others_ahead

    def using_attempts(self) -> Self:
        """Return what uses up an attempt."""
        return self.filter(USES_ATTEMPT)

    def used_up(self, now: Time) -> Self:
        """Return the rows that have used all their leases and that nobody holds."""
        return self.free(now).filter(tries_used=MAX_LEASES)


class Submission(models.Model):
    """One version of a learner's code. Code never changes; a new try is a new row."""

    class Kind(models.TextChoices):
        CHECK = "check", "Check"
        SUBMIT = "submit", "Submit"
        RUN = "run", "Run"

    # A Run has no version. What is counted, listed or shown goes by the version's exercise, so no
    # query finds a Run that does not ask for it. All other rows have one, which the type says.
    exercise_version: "models.ForeignKey[ExerciseVersion, ExerciseVersion]" = models.ForeignKey(  # type: ignore[misc]
        ExerciseVersion,
        null=True,
        on_delete=models.PROTECT,
        related_name="submissions",
        editable=False,
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
    scheduled_for = models.DateTimeField(
        db_column="due_at",
        default=timezone.now,
        editable=False,
        help_text="Its turn in the queue.",
    )

    tries_used = models.PositiveSmallIntegerField(
        db_column="attempts", default=0, editable=False, help_text="Leases so far."
    )
    leased_until = models.DateTimeField(null=True, editable=False)
    leased_by = models.CharField(max_length=120, blank=True, editable=False)
    slow = models.BooleanField(
        default=False, editable=False, help_text="Ran longer than the quick lane lets code run."
    )
    slow_seconds = models.FloatField(
        null=True,
        editable=False,
        help_text="What its run in the slow lane took, by the clock on the wall.",
    )
    own_pack = models.BooleanField(
        default=False,
        db_default=False,
        editable=False,
        help_text="It counts in a class, so its cases have served nobody before.",
    )
    pack = models.ForeignKey(
        CasePack, null=True, editable=False, on_delete=models.PROTECT, related_name="submissions"
    )

    graded_at = models.DateTimeField(null=True, editable=False)
    verdict = models.CharField(max_length=30, blank=True, editable=False)
    known_mistake = models.CharField(
        max_length=80, blank=True, editable=False, help_text="Its slug, as in the report."
    )
    fingerprint = models.CharField(
        max_length=32,
        blank=True,
        default="",
        db_default="",
        editable=False,
        help_text="The same for all wrong code that makes one mistake without a name.",
    )
    cases_passed = models.PositiveIntegerField(null=True, editable=False)  # as in the report
    cases_total = models.PositiveIntegerField(null=True, editable=False)
    parsed = models.BooleanField(
        default=True,
        db_default=True,
        editable=False,
        help_text="Off where grading found no program that Python reads; as in the report.",
    )
    report = ReportField(null=True, editable=False)
    our_failure = models.TextField(
        blank=True, editable=False, help_text="What failed on our side, for the staff."
    )

    # False where a query found no trial of a regrade, or no verdict from before.
    may_be_regraded = may_be_graded_again = True

    objects = SubmissionQuerySet.as_manager()

    class Meta:
        ordering = ["-pk"]
        constraints = [
            models.UniqueConstraint(fields=["learner", "key"], name="one_submission_per_form"),
            models.CheckConstraint(
                name="verdict_exactly_when_graded",
                condition=Q(graded_at=None, verdict="", report__isnull=True)
                | Q(kind="run", verdict="", report__isnull=True)
                | (Q(graded_at__isnull=False, report__isnull=False) & ~Q(verdict="")),
            ),
            models.CheckConstraint(
                name="version_unless_run",
                condition=Q(kind="run", exercise_version=None, pack=None)
                | (Q(exercise_version__isnull=False) & ~Q(kind="run")),
            ),
            models.CheckConstraint(
                name="verdict_is_known", condition=Q(verdict__in=["", *VERDICTS])
            ),
            models.CheckConstraint(
                name="submission_kind_is_known", condition=Q(kind__in=["check", "submit", "run"])
            ),
            models.CheckConstraint(
                name="at_most_three_leases", condition=Q(tries_used__lte=MAX_LEASES)
            ),
            models.CheckConstraint(
                name="leased_by_somebody_until_graded",
                condition=Q(leased_until=None, leased_by="")
                | (Q(leased_until__isnull=False, graded_at=None) & ~Q(leased_by="")),
            ),
            models.CheckConstraint(
                name="graded_on_a_pack",
                condition=Q(verdict__in=["", "not_graded"])
                | Q(pack__isnull=False, tries_used__gte=1),
            ),
            models.CheckConstraint(
                name="cases_only_when_graded",
                condition=Q(cases_passed=None, cases_total=None)
                | Q(
                    graded_at__isnull=False,
                    cases_passed__isnull=False,
                    cases_total__isnull=False,
                    cases_total__gte=F("cases_passed"),
                ),
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
                fields=["slow", "scheduled_for"],
                condition=Q(graded_at=None),
            ),
            models.Index(name="submissions_by_time", fields=["kind", "submitted_at"]),
            models.Index(name="failures_of_ours", fields=["id"], condition=Q(verdict="not_graded")),
            models.Index(name="submissions_of_a_learner", fields=["learner", "exercise_version"]),
            models.Index(
                name="mistakes_of_a_version", fields=["exercise_version", "known_mistake"]
            ),
        ]

    def __str__(self) -> str:
        on = "" if self.is_run else f" on {self.exercise_version}"
        return f"{self.kind} {self.pk}{on}: {self.verdict or 'waiting'}"

    def save(self, *args: Any, **options: Any) -> None:
        """Store a new submission; a stored one is only changed by a lease (ValueError)."""
        if not self._state.adding:
            raise ValueError(f"submission {self.pk}: stored code never changes")
        super().save(*args, **options)

    def get_absolute_url(self) -> str:
        return self._address("submission")

    @property
    def verdict_address(self) -> str:
        return self._address("verdict")

    @property
    def report_address(self) -> str:
        return self._address("report")

    def _address(self, part: addresses.Part) -> str:
        exercise = self.exercise_version.exercise
        return addresses.submission_address(exercise.course.slug, exercise.slug, self.pk, part)

    def as_subject(self) -> Subject:
        """Return its subject for the log."""
        title = f"{self.exercise_version.title}, {self.noun.lower()} {self.pk}"
        return Subject.of(Kind.SUBMISSION, self.pk, title)

    @property
    def noun(self) -> str:
        """What a page calls this row before its number."""
        return "Check" if self.kind == self.Kind.CHECK else "Submission"

    @property
    def is_run(self) -> bool:
        return self.kind == self.Kind.RUN

    @property
    def verdict_label(self) -> str:
        return label_of(self.verdict)

    @property
    def verdict_report(self) -> Report | None:
        """What grading said; None while waiting, and where it cannot be read."""
        return None if self.graded_at is None else read_report(self.report, number=self.pk)

    @property
    def picture_version(self) -> str:
        """A word for the address of its picture, which browsers keep: grading again changes it."""
        return f"{self.graded_at:%Y%m%d%H%M%S%f}" if self.graded_at else ""

    @property
    def has_second_mistake(self) -> bool:
        """Whether the stored report names a second mistake; nothing of it is checked for this."""
        return isinstance(self.report, dict) and bool(self.report.get("second_mistake"))


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


class PreviousVerdict(models.Model):
    """One previous grading, kept when an instructor had it done again. Never changes."""

    submission = models.ForeignKey(
        Submission, on_delete=models.CASCADE, related_name="previous_verdicts", editable=False
    )
    exercise_version = models.ForeignKey(
        ExerciseVersion, on_delete=models.PROTECT, related_name="+", editable=False
    )
    verdict = models.CharField(max_length=30, editable=False)
    report = ReportField(editable=False)
    our_failure = models.TextField(blank=True, editable=False)
    graded_at = models.DateTimeField(editable=False)
    asked_at = models.DateTimeField(default=timezone.now, editable=False)
    asked_by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        null=True,
        on_delete=models.SET_NULL,
        related_name="+",
        editable=False,
    )

    class Meta:
        db_table = "exercises_earlierverdict"
        ordering = ["-pk"]
        verbose_name = "earlier verdict"  # its name in the export of a learner's data

    def __str__(self) -> str:
        return f"{self.verdict} of submission {self.submission_id}, graded again"

    @classmethod
    def keep(cls, graded: Submission, *, by: User | None) -> "PreviousVerdict":
        """Store what a graded submission has, before somebody has it replaced."""
        return cls.objects.create(
            submission=graded,
            exercise_version_id=graded.exercise_version_id,
            verdict=graded.verdict,
            report=copy_of(graded.report),
            our_failure=graded.our_failure,
            graded_at=graded.graded_at,
            asked_by=by,
        )

    @property
    def verdict_label(self) -> str:
        """The verdict in words for people; a word that no verdict has stands for itself."""
        known = self.verdict in set(Verdict)
        return Verdict(self.verdict).label if known else f"“{self.verdict}”"
